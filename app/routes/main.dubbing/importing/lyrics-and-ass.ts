import { type ParsedLine, parseLine } from "./parsed-line";
import { type Cue, sumMs, toLines } from "./subtitles";

const stamp = "[[［](\\d{1,3})[:：](\\d{1,2})(?:[.:．：](\\d{1,3}))?[\\]］]";
const stampedRow = new RegExp(`^\\s*((?:${stamp}\\s*)+)(.*)$`);
const wordStamp = new RegExp(`${stamp}|<\\d{1,3}:\\d{1,2}(?:[.:]\\d{1,3})?>`, "g");
/** `[ti:…]`, `[offset:…]` and the like. */
const tagRow = /^\s*\[(?<key>[a-z#]+):(?<value>.*)\]\s*$/i;

/** Milliseconds per character of a last line, whose end nothing tells. */
const characterMs = 250;

/** Lyrics: at least every second row has a time before it. */
export function isLrc(rows: readonly string[]): boolean {
  const written = rows.filter((row) => row.trim() !== "" && !tagRow.test(row));
  const stamped = written.filter((row) => stampedRow.test(row)).length;
  return stamped > 0 && stamped * 2 >= written.length;
}

/** Lyrics with times. A row of several times is sung at each; a time without words ends the line before it. */
export function parseLrc(rows: readonly string[]): ParsedLine[] {
  const offset = Number(rows.map((row) => tagRow.exec(row)?.groups).find((tag) => tag?.key === "offset")?.value) || 0;
  const places = rows.flatMap((row) => {
    const [, times = "", , , , words = ""] = stampedRow.exec(row) ?? [];
    const text = words.replace(wordStamp, "").trim();
    // A positive offset shows the words earlier.
    const starts = [...times.matchAll(new RegExp(stamp, "g"))].map((found) =>
      Math.max(0, sumMs("0", found[1], found[2], found[3]) - offset),
    );
    return starts.map((startMs) => ({ startMs, text }));
  });
  places.sort((a, b) => a.startMs - b.startMs);
  const starts = [...new Set(places.map(({ startMs }) => startMs))];
  const endOf = new Map(starts.map((startMs, index) => [startMs, starts[index + 1]]));
  return places
    .filter(({ text }) => text !== "")
    .map(({ startMs, text }) => ({
      ...parseLine(text),
      startMs,
      endMs: endOf.get(startMs) ?? startMs + text.length * characterMs,
    }))
    .filter(({ text }) => text !== "");
}

const eventColumns = "Format: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text";
const dialogue = /^\s*Dialogue\s*:/i;

export const isAss = (rows: readonly string[]) =>
  rows.some((row) => /^\s*\[(Events|Script Info)\]\s*$/i.test(row)) && rows.some((row) => dialogue.test(row));

/** Whether a row is a dialogue whose times cannot be read. */
export const hasBrokenEvent = (row: string) =>
  dialogue.test(row) && cellsOf(row).filter((cell) => parseClock(cell) !== null).length < 2;

const cellsOf = (row: string) => row.replace(/^[^:]*:/, "").split(",");

/** The dialogues of Advanced SubStation Alpha: without comments, drawings and style overrides, layered copies once. */
export function parseAss(rows: readonly string[]): ParsedLine[] {
  const head = rows.findIndex((row) => /^\s*\[Events\]\s*$/i.test(row));
  const format = rows.slice(head + 1).find((row) => /^\s*Format\s*:/i.test(row));
  const columns = cellsOf(format ?? eventColumns).map((name) => name.trim().toLowerCase());
  const cues = rows
    .filter((row) => dialogue.test(row))
    .flatMap((row): Cue[] => {
      const cells = cellsOf(row);
      const cell = (name: string) => cells[columns.indexOf(name)]?.trim() ?? "";
      const [startMs, endMs] = [parseClock(cell("start")), parseClock(cell("end"))];
      if (startMs === null || endMs === null) return [];
      const words = toRows(cells.slice(columns.length - 1).join(","));
      return [{ startMs, endMs: Math.max(startMs, endMs), rows: words, name: cell("name") || cell("actor") }];
    });
  return [...new Map(toLines(cues).map((line) => [JSON.stringify(line), line])).values()];
}

function parseClock(time: string): number | null {
  const found = /^\s*(\d{1,3}):(\d{1,2}):(\d{1,2})(?:[.,:](\d{1,3}))?\s*$/.exec(time.normalize("NFKC"));
  return found && sumMs(found[1], found[2], found[3], found[4]);
}

/** From `\p1` to `\p0` the text is a drawing. */
function toRows(text: string): string[] {
  const words = text.replace(/\{[^{}]*\\p[1-9][^{}]*\}.*?(?:\{[^{}]*\\p0[^{}]*\}|$)/g, "").replace(/\{[^{}]*\}/g, "");
  return words.split(/\\[Nn]/).map((row) => row.replace(/\\h/g, " "));
}
