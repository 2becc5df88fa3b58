import type { SpokenUnit } from "../../../engine";
import { punctuationPauseMs } from "../../../engine";

export interface Clause {
  /** Syllables and Latin words only. */
  units: SpokenUnit[];
  ending: "," | "." | "?" | "!";
  pauseBeforeMs: number;
  pauseAfterMs: number;
  /** In parentheses. */
  isAside: boolean;
}

const endings = { comma: ",", sentence: ".", question: "?", exclamation: "!", paragraph: "." } as const;
/** Clauses without punctuation are split at this length. */
const maxUnits = 48;
/**
 * Share of a punctuation pause by the length of the clause before it. Of the commas that four people read, half had less
 * than 50 ms of silence, and the longest 460 ms.
 */
const pauseShare = { base: 0.35, perUnit: 0.045, least: 0.45, most: 1.1, item: 0.55 } as const;

/**
 * Splits units into clauses; an exact pause mark replaces adjacent punctuation. Heard pauses are shorter after short
 * clauses, as people's are. Alignment needs even ones: with heard ones it places the phrases of recordings worse.
 */
export function splitClauses(units: SpokenUnit[], pace: number, lengths: "even" | "heard" = "even"): Clause[] {
  const clauses: Clause[] = [];
  let spoken: SpokenUnit[] = [];
  let pauses: SpokenUnit[] = [];
  let leadingPauseMs = 0;
  let isAside = false;
  const finish = () => {
    const totalPauseMs = pauseLengthMs(pauses, pace, lengths === "even" ? 1 : shareOfPause(pauses, spoken.length));
    const marks = pauses.map(({ text }) => text).join("");
    if (spoken.length > 0) {
      clauses.push({
        units: spoken,
        ending: endingOf(pauses),
        pauseBeforeMs: leadingPauseMs,
        pauseAfterMs: totalPauseMs,
        isAside,
      });
      leadingPauseMs = 0;
    } else if (pauses.some(({ pauseMs }) => pauseMs !== undefined)) leadingPauseMs += totalPauseMs;
    if (/[(（]/.test(marks)) isAside = true;
    else if (/[)）]/.test(marks)) isAside = false;
    spoken = [];
    pauses = [];
  };
  for (const unit of units) {
    if (unit.kind === "pause") {
      pauses.push(unit);
      continue;
    }
    if (pauses.length > 0 || spoken.length >= maxUnits) finish();
    spoken.push(unit);
  }
  finish();
  return clauses;
}

function pauseLengthMs(pauses: SpokenUnit[], pace: number, share: number): number {
  const exact = pauses.filter(({ pauseMs }) => pauseMs !== undefined);
  if (exact.length > 0) return exact.reduce((sum, { pauseMs = 0 }) => sum + pauseMs, 0);
  return Math.round((share * longestPauseMs(pauses)) / Math.min(1.6, Math.max(0.6, pace)));
}

const longestPauseMs = (pauses: SpokenUnit[]): number =>
  Math.max(0, ...pauses.map(({ strength = "comma" }) => punctuationPauseMs[strength]));

function shareOfPause(pauses: SpokenUnit[], unitCount: number): number {
  const { base, perUnit, least, most, item } = pauseShare;
  const byLength = Math.min(most, Math.max(least, base + perUnit * unitCount));
  if (longestPauseMs(pauses) > punctuationPauseMs.comma) return Math.sqrt(byLength);
  return byLength * (pauses.some(({ text }) => text === "、") ? item : 1);
}

function endingOf(pauses: SpokenUnit[]): Clause["ending"] {
  const strongest = pauses.find(({ strength }) => strength !== undefined && strength !== "comma") ?? pauses[0];
  return endings[strongest?.strength ?? "comma"];
}
