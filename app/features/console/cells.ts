import { consoleCopy, consoleValues } from "~/copy/console";
import { errorSentences } from "~/copy/errors";
import { formatYuan } from "~/copy/format";
import type { CellKind } from "~server/contract/console";

/** A cell as people read it; "" for nothing. */
export function formatCell(value: unknown, kind: CellKind): string {
  if (value === null || value === undefined || value === "") return "";
  if (kind === "fen") return formatYuan(Number(value));
  if (kind === "time") return String(value).slice(0, 16).replace("T", " ");
  if (kind === "json") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? consoleCopy.yes : consoleCopy.no;
  const text = String(value);
  return consoleValues[text] ?? (errorSentences as Record<string, string>)[text] ?? text;
}

/** A field of a CSV file. Spreadsheets would run what begins like a formula, so it becomes text. */
export function toCsvField(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
