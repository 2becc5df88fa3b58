import type { CellKind } from "~server/contract/console";
import { toLocalTime } from "../calendar";
import type { Section } from "./operation";

/** 1234 → 12.34 */
export const formatYuan = (fen: number): string =>
  `${fen < 0 ? "-" : ""}${Math.trunc(Math.abs(fen) / 100)}.${String(Math.abs(fen) % 100).padStart(2, "0")}`;

/** For people: minutes in Asia/Shanghai; "-" for null. */
export const formatTime = (at: Date | null): string => (at ? toLocalTime(at).slice(0, 16).replace("T", " ") : "-");

/** For `--json`. */
export const toTime = (at: Date | null): string | null => (at ? toLocalTime(at) : null);

/** A copy for JSON: times as `toTime` has them. */
export function toJson(value: unknown): unknown {
  if (value instanceof Date) return toTime(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toJson(part)]));
}

/** From Unix seconds of a membership; 0 means never. */
export const fromSeconds = (seconds: number): Date | null => (seconds === 0 ? null : new Date(seconds * 1000));

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/g;

/** Width in terminal columns; Chinese characters take two. */
const widthOf = (text: string) => text.length + (text.match(wide)?.length ?? 0);

/** Removes control characters of foreign text, which could control the terminal. */
const plain = (text: string) => text.replace(/\p{Cc}+/gu, " ");

/** A cell of a table, for people. */
function formatCell(value: unknown, kind: CellKind): string | number {
  if (value === null || value === undefined || value === "") return "-";
  if (kind === "fen") return formatYuan(value as number);
  if (kind === "number") return value as number;
  if (kind === "time") return formatTime(value as Date);
  if (kind === "json") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

export const formatTableOf = ({ columns, rows }: Pick<Section, "columns" | "rows">): string =>
  formatTable(
    rows.map((row) => Object.fromEntries(columns.map(({ key, title, kind }) => [title, formatCell(row[key], kind)]))),
  );

type FormattedRow = Record<string, string | number>;

/** A table with the first row's keys as its header; numbers are aligned right. */
function formatTable(rows: FormattedRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => plain(String(row[name] ?? ""))));
  const widths = names.map((name, index) => Math.max(...[name, ...cells.map((row) => row[index] ?? "")].map(widthOf)));
  const isNumber = names.map((name) => rows.every((row) => typeof row[name] === "number" || row[name] === "-"));
  const line = (row: string[]) =>
    row
      .map((cell, index) => {
        const space = " ".repeat((widths[index] ?? 0) - widthOf(cell));
        return isNumber[index] ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd();
  return [names.map((name) => name.toUpperCase()), ...cells].map(line).join("\n");
}
