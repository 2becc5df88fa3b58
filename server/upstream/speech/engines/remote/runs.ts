import type { SpokenUnit } from "../../engine";
import { restMs } from "../../rests";

/** What a server reads in one breath of ours: it makes the punctuation's pauses itself, marks' exact ones we make. */
export interface Run {
  text: string;
  pauseBeforeMs: number;
  pauseAfterMs: number;
}

/** Prepared text as people write it, cut at the exact pauses. A reading in brackets is not for servers: the character is. */
export function toRuns(units: readonly SpokenUnit[], pace = 1): Run[] {
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
    previous?.kind === "pause" && previous.pauseMs === undefined ? restMs[previous.strength ?? "comma"] / pace : 0,
  );
  return runs;
}

/** The whole as one text, for a transcript. */
export const toWritten = (units: readonly SpokenUnit[]): string =>
  toRuns(units)
    .map(({ text }) => text)
    .join("，");

const hasSound = (text: string) => /[\p{L}\p{N}]/u.test(text);
const stops = { comma: "，", sentence: "。", question: "？", exclamation: "！", paragraph: "。" } as const;

function writtenOf(unit: SpokenUnit, previous: SpokenUnit | undefined): string {
  if (unit.kind === "pause") return stops[unit.strength ?? "comma"];
  // Several units read out one number or sign.
  if (previous && previous.kind === unit.kind && previous.offset === unit.offset && previous.text === unit.text)
    return "";
  const text = unit.text.replace(/\([a-zü:]+[1-5]\)$/i, "");
  const isApart =
    unit.kind === "latin" && previous?.kind === "latin" && previous.offset + previous.length < unit.offset;
  return isApart ? ` ${text}` : text;
}
