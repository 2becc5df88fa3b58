import { type ParsedLine, parseLine } from "./parsed-line";
import { sumMs } from "./subtitles";

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
    }));
}
