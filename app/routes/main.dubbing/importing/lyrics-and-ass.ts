import { type ParsedLine, parseLine } from "./parsed-line";
import { type Cue, joinRows, sumMs, toLines } from "./subtitles";

const stamp = "[[［](\\d{1,3})[:：](\\d{1,2})(?:[.:．：](\\d{1,3}))?[\\]］]";
const stampedRow = new RegExp(`^\\s*((?:${stamp}\\s*)+)(.*)$`);
const wordStamp = new RegExp(`${stamp}|<\\d{1,3}:\\d{1,2}(?:[.:]\\d{1,3})?>`, "g");
/** Milliseconds of start and length before the row, and of each character. */
const measuredRow = /^\s*\[(\d{1,9}),(\d{1,9})\](.*)$/;
const characterTime = /[(<]\d{1,9},\d{1,9}(?:,\d{1,9})?[)>]/g;
/** `[ti:…]`, `[offset:…]` and the like. */
const tagRow = /^\s*\[(?<key>[a-z#]+):(?<value>.*)\]\s*$/i;

/** Milliseconds per character of a last line, whose end nothing tells. */
const characterMs = 250;

/** Who made the song; the names of trades are also the beginnings of longer ones. */
const credit =
  /^(?:[词詞曲](?=\s*[/／:：])|[词詞]曲|[作填谱譜][词詞曲]|[编編]曲|[原演翻]唱|歌手|和[声聲音]|[制製]作|[监監][制製]|混音|母[带帶]|[录錄]音|吉他|[贝貝]斯|鼓|[键鍵][盘盤]|弦[乐樂]|出品|[发發]行|[策企][划劃]|[统統]筹|[OS]P\b|(?:lyrics|written|composed|arranged|produced|mixed|mastered|music) by)[^:：]{0,16}[:：]|^(?:作[词詞曲]|[编編]曲|演唱)\s+\S+$/i;
const songTitle = /\S\s+[-–—]\s+\S/;

/** At least every second row is of the form. */
const areMostly = (form: (row: string) => boolean, rows: readonly string[]) => {
  const written = rows.filter((row) => row.trim() !== "" && !tagRow.test(row));
  const count = written.filter(form).length;
  return count > 0 && count * 2 >= written.length;
};

/** Lyrics have a time before the row. */
export const isLrc = (rows: readonly string[]) =>
  areMostly((row) => stampedRow.test(row) || measuredRow.test(row), rows);

/**
 * Lyrics with times, without the credits before the first line. A row of several times is sung at each; a time without
 * words ends the line before it.
 */
export function parseLrc(rows: readonly string[]): ParsedLine[] {
  const offset = Number(rows.map((row) => tagRow.exec(row)?.groups).find((tag) => tag?.key === "offset")?.value) || 0;
  const places = rows.flatMap((row): Array<{ startMs: number; endMs?: number; text: string }> => {
    const [, start, length, measured = ""] = measuredRow.exec(row) ?? [];
    if (start) {
      const startMs = Math.max(0, Number(start) - offset);
      return [{ startMs, endMs: startMs + Number(length), text: measured.replace(characterTime, "").trim() }];
    }
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
  const sung = places.findIndex(
    ({ text }, index) => text !== "" && !credit.test(text) && !(index === 0 && songTitle.test(text)),
  );
  return places
    .filter(({ text }, index) => text !== "" && (index >= sung || !credit.test(text)))
    .map(({ startMs, endMs, text }) => ({
      ...parseLine(text),
      startMs,
      endMs: endMs ?? endOf.get(startMs) ?? startMs + text.length * characterMs,
    }))
    .filter(({ text }) => text !== "");
}

/** MicroDVD: the frames of start and end. Without the frame rate they are no times. */
const framedRow = /^\s*\{\d{1,9}\}\{\d{0,9}\}(.*)$/;
/** `{1}{1}25` */
const frameRate = /^\s*\{([01])\}\{\1\}[\d.]+\s*$/;
export const isFramed = (rows: readonly string[]) => areMostly((row) => framedRow.test(row), rows);

export const parseFramed = (rows: readonly string[]): ParsedLine[] =>
  rows
    .filter((row) => !frameRate.test(row))
    .map((row) => (framedRow.exec(row)?.[1] ?? row).replace(/\{[a-z]:[^{}]*\}/gi, ""))
    .map((text) => parseLine(joinRows(text.split("|").map((part) => part.trim()))))
    .filter(({ text }) => text !== "");

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
