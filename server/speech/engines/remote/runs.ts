import { listReadings } from "../../chinese/readings/lexicon";
import { punctuationPauseMs, type SpokenUnit } from "../../engine";
import homophones from "./homophones.json" with { type: "json" };

/** Text for one server request. The server makes punctuation pauses; exact pauses are added here. */
export interface TextRun {
  text: string;
  pauseBeforeMs: number;
  pauseAfterMs: number;
}

/** Writes one unit; an empty string omits it. */
export type WriteUnit = (unit: SpokenUnit, previous: SpokenUnit | undefined) => string;

/**
 * Converts units back to text, split at exact pauses. A character with an explicit reading is replaced by an unambiguous
 * homophone, because servers choose readings themselves; `write` is for engines with a notation for readings.
 */
export function toTextRuns(units: readonly SpokenUnit[], pace = 1, write: WriteUnit = writeAsCharacters): TextRun[] {
  const runs: TextRun[] = [];
  let text = "";
  let leadingPauseMs = 0;
  let previous: SpokenUnit | undefined;
  const finish = (pauseMs: number) => {
    if (hasSound(text)) {
      runs.push({ text, pauseBeforeMs: leadingPauseMs, pauseAfterMs: pauseMs });
      leadingPauseMs = 0;
    } else if (runs.length > 0) (runs.at(-1) as TextRun).pauseAfterMs += pauseMs;
    else leadingPauseMs += pauseMs;
    text = "";
  };
  for (const unit of units) {
    if (unit.kind === "pause" && unit.pauseMs !== undefined) finish(unit.pauseMs);
    else text += write(unit, previous);
    previous = unit;
  }
  finish(
    previous?.kind === "pause" && previous.pauseMs === undefined
      ? punctuationPauseMs[previous.strength ?? "comma"] / pace
      : 0,
  );
  return runs;
}

/** All units as one text, for transcripts. */
export const toPlainText = (units: readonly SpokenUnit[], write?: WriteUnit): string =>
  toTextRuns(units, 1, write)
    .map(({ text }) => text)
    .join("，");

/** Private-use characters stand for syllables. */
const hasSound = (text: string) => /[\p{L}\p{N}\p{Co}]/u.test(text);
export const punctuation = { comma: "，", sentence: "。", question: "？", exclamation: "！", paragraph: "。" } as const;

function writeAsCharacters(unit: SpokenUnit, previous: SpokenUnit | undefined): string {
  const substitute = unit.isAsked && findSubstitute(unit.text.replace(mark, ""), unit.pinyin ?? "");
  return substitute || writeAsWritten(unit, previous);
}

/** The unit's characters without marks; "" after the first unit of an expanded number. */
export function writeAsWritten(unit: SpokenUnit, previous: SpokenUnit | undefined): string {
  if (unit.kind === "pause") return punctuation[unit.strength ?? "comma"];
  const isSameSpan = previous?.kind === unit.kind && previous.offset === unit.offset && previous.text === unit.text;
  const text = unit.text.replace(mark, "");
  // Units of an expanded number share one text.
  if (isSameSpan) return "";
  const needsSpace =
    unit.kind === "latin" && previous?.kind === "latin" && previous.offset + previous.length < unit.offset;
  return needsSpace ? ` ${text}` : text;
}

const mark = /\([a-zü:]+[1-5]\)$/i;
/** One character with an optional erhua suffix. */
const single = /^(\p{Script=Han})(儿?)$/u;

/** A character with only the requested reading; null keeps the original. */
function findSubstitute(text: string, pinyin: string): string | null {
  const [, character = "", erhua = ""] = single.exec(text) ?? [];
  const isPlain = character === "" || listReadings(character).length < 2;
  const other = isPlain ? null : findHomophone(pinyin);
  return other && `${other}${erhua}`;
}

/** The most frequent GB 2312 character with only this reading, such as "hang2"; null if there is none. */
export function findHomophone(reading: string): string | null {
  const plain = reading.replace(/^(?!er)(.+)r([1-5])$/, "$1$2");
  return table.get(plain) ?? null;
}

const table = new Map(Object.entries(homophones));
