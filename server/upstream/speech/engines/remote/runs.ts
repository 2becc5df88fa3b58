import { listReadings } from "../../chinese/readings/lexicon";
import { punctuationPauseMs, type SpokenUnit } from "../../engine";
import homophones from "./homophones.json" with { type: "json" };

/** What a server reads in one breath of ours: it makes the punctuation's pauses itself, marks' exact ones we make. */
export interface Run {
  text: string;
  pauseBeforeMs: number;
  pauseAfterMs: number;
}

/**
 * Prepared text as people write it, cut at the exact pauses. Servers read characters for themselves: one whose reading was
 * asked for is written as another that has no other reading. What people see is what they wrote all the same.
 */
export function toTextRuns(units: readonly SpokenUnit[], pace = 1): Run[] {
  const runs: Run[] = [];
  let text = "";
  let leadMs = 0;
  let previous: SpokenUnit | undefined;
  const finish = (pauseMs: number) => {
    if (hasSound(text)) {
      runs.push({ text, pauseBeforeMs: leadMs, pauseAfterMs: pauseMs });
      leadMs = 0;
    } else if (runs.length > 0) (runs.at(-1) as Run).pauseAfterMs += pauseMs;
    else leadMs += pauseMs;
    text = "";
  };
  for (const unit of units) {
    if (unit.kind === "pause" && unit.pauseMs !== undefined) finish(unit.pauseMs);
    else text += writtenOf(unit, previous);
    previous = unit;
  }
  finish(
    previous?.kind === "pause" && previous.pauseMs === undefined
      ? punctuationPauseMs[previous.strength ?? "comma"] / pace
      : 0,
  );
  return runs;
}

/** The whole as one text, for a transcript. */
export const toPlainText = (units: readonly SpokenUnit[]): string =>
  toTextRuns(units)
    .map(({ text }) => text)
    .join("，");

const hasSound = (text: string) => /[\p{L}\p{N}]/u.test(text);
const stops = { comma: "，", sentence: "。", question: "？", exclamation: "！", paragraph: "。" } as const;

function writtenOf(unit: SpokenUnit, previous: SpokenUnit | undefined): string {
  if (unit.kind === "pause") return stops[unit.strength ?? "comma"];
  const isSamePlace = previous?.kind === unit.kind && previous.offset === unit.offset && previous.text === unit.text;
  const text = unit.text.replace(mark, "");
  const asked = unit.isAsked && askedFor(text, unit.pinyin ?? "");
  if (asked) return asked;
  // Several units read out one number or sign.
  if (isSamePlace) return "";
  const isApart =
    unit.kind === "latin" && previous?.kind === "latin" && previous.offset + previous.length < unit.offset;
  return isApart ? ` ${text}` : text;
}

const mark = /\([a-zü:]+[1-5]\)$/i;
/** One character, and the 儿 that colours it. */
const single = /^(\p{Script=Han})(儿?)$/u;

/** Another character that can be read in the one way that was asked for; null leaves what is written. */
function askedFor(text: string, pinyin: string): string | null {
  const [, character = "", coloured = ""] = single.exec(text) ?? [];
  const isPlain = character === "" || listReadings(character).length < 2;
  const other = isPlain ? null : findHomophone(pinyin);
  return other && `${other}${coloured}`;
}

/**
 * A common character that is read in this way and in no other ("hang2" → 航), for servers that read characters for
 * themselves and cannot be told how; null where there is none. Of GB 2312, by how often people write them.
 */
export function findHomophone(reading: string): string | null {
  const plain = reading.replace(/^(?!er)(.+)r([1-5])$/, "$1$2");
  return table.get(plain) ?? null;
}

const table = new Map(Object.entries(homophones));
