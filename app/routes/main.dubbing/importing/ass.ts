import { type ParsedLine, parseLine } from "./parsed-line";
import { joinRows } from "./subtitles";

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
  const lines = rows
    .filter((row) => dialogue.test(row))
    .flatMap((row): Required<ParsedLine>[] => {
      const cells = row.replace(/^[^:]*:/, "").split(",");
      const cell = (name: string) => cells[columns.indexOf(name)]?.trim() ?? "";
      const [startMs, endMs] = [toMs(cell("start")), toMs(cell("end"))];
      const words = toWords(cells.slice(columns.length - 1).join(","));
      if (startMs === null || endMs === null || words === "") return [];
      const speaker = cell("name") || cell("actor");
      const times = { startMs, endMs: Math.max(startMs, endMs) };
      return [{ ...(speaker ? { name: speaker, text: words } : parseLine(words)), ...times }];
    })
    .sort((a, b) => a.startMs - b.startMs);
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()];
}

function toMs(time: string): number | null {
  const found = /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,3}))?\s*$/.exec(time.normalize("NFKC"));
  if (!found) return null;
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(1, 4).map(Number);
  return (hours * 3600 + minutes * 60 + seconds) * 1000 + Math.round(Number(`0.${found[4] ?? 0}`) * 1000);
}

/** From `\p1` to `\p0` the text is a drawing. */
function toWords(text: string): string {
  const words = text.replace(/\{[^{}]*\\p[1-9][^{}]*\}.*?(?:\{[^{}]*\\p0[^{}]*\}|$)/g, "").replace(/\{[^{}]*\}/g, "");
  const rows = words.split(/\\[Nn]/).map((row) => row.replace(/\\h/g, " ").trim());
  return joinRows(rows.filter(Boolean));
}
