import type { ParsedLine } from "./parsed-line";
import type { Cue } from "./rolling-captions";
import { sumMs, toLines } from "./subtitles";

const eventColumns = "Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text";
const dialogue = /^\s*Dialogue\s*:/i;

export const isAss = (rows: readonly string[]) =>
  rows.some((row) => /^\s*\[(Events|Script Info)\]\s*$/i.test(row)) && rows.some((row) => dialogue.test(row));

/** Whether a row is a dialogue whose times cannot be read. */
export const hasBrokenEvent = (row: string) =>
  dialogue.test(row) &&
  row
    .split(",")
    .slice(1, 3)
    .some((time) => toMs(time) === null);

/** The dialogues of Advanced SubStation Alpha: without comments, drawings and style overrides, layered copies once. */
export function parseAss(rows: readonly string[]): ParsedLine[] {
  const head = rows.findIndex((row) => /^\s*\[Events\]\s*$/i.test(row));
  const format = rows.slice(head + 1).find((row) => /^\s*Format\s*:/i.test(row));
  const columns = (format?.replace(/^[^:]*:/, "") ?? eventColumns).split(",").map((name) => name.trim().toLowerCase());
  const cues = rows
    .filter((row) => dialogue.test(row))
    .flatMap((row): Cue[] => {
      const cells = row.replace(/^[^:]*:/, "").split(",");
      const cell = (name: string) => cells[columns.indexOf(name)]?.trim() ?? "";
      const [startMs, endMs] = [toMs(cell("start")), toMs(cell("end"))];
      if (startMs === null || endMs === null) return [];
      const words = toRows(cells.slice(columns.length - 1).join(","));
      return [{ startMs, endMs: Math.max(startMs, endMs), rows: words, name: cell("name") || cell("actor") }];
    });
  return [...new Map(toLines(cues).map((line) => [JSON.stringify(line), line])).values()];
}

function toMs(time: string): number | null {
  const found = /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,3}))?\s*$/.exec(time.normalize("NFKC"));
  return found && sumMs(found[1], found[2], found[3], found[4]);
}

/** From `\p1` to `\p0` the text is a drawing. */
function toRows(text: string): string[] {
  const words = text.replace(/\{[^{}]*\\p[1-9][^{}]*\}.*?(?:\{[^{}]*\\p0[^{}]*\}|$)/g, "").replace(/\{[^{}]*\}/g, "");
  return words.split(/\\[Nn]/).map((row) => row.replace(/\\h/g, " "));
}
