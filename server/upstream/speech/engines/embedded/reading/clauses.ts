import type { SpokenUnit } from "../../../engine";
import { punctuationPauseMs } from "../../../engine";

export interface Clause {
  /** Syllables and Latin words only. */
  units: SpokenUnit[];
  ending: "," | "." | "?" | "!";
  pauseBeforeMs: number;
  pauseAfterMs: number;
  /** Clauses before it in its sentence. */
  indexInSentence: number;
  /** Followed by 、, as the items of a list but the last. */
  isItem: boolean;
  /** In parentheses. */
  isAside: boolean;
}

const endings = { comma: ",", sentence: ".", question: "?", exclamation: "!", paragraph: "." } as const;
/** Clauses without punctuation are split at this length. */
const maxUnits = 48;

/** Splits units into clauses; an exact pause mark replaces adjacent punctuation. */
export function splitClauses(units: SpokenUnit[], pace: number): Clause[] {
  const clauses: Clause[] = [];
  let spoken: SpokenUnit[] = [];
  let pauses: SpokenUnit[] = [];
  let leadingPauseMs = 0;
  let indexInSentence = 0;
  let isAside = false;
  const finish = () => {
    const totalPauseMs = pauseLengthMs(pauses, pace);
    const marks = pauses.map(({ text }) => text).join("");
    if (spoken.length > 0) {
      const ending = endingOf(pauses);
      clauses.push({
        units: spoken,
        ending,
        pauseBeforeMs: leadingPauseMs,
        pauseAfterMs: totalPauseMs,
        indexInSentence,
        isItem: ending === "," && marks.includes("、"),
        isAside,
      });
      leadingPauseMs = 0;
      indexInSentence = ending === "," ? indexInSentence + 1 : 0;
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

function pauseLengthMs(pauses: SpokenUnit[], pace: number): number {
  const exact = pauses.filter(({ pauseMs }) => pauseMs !== undefined);
  if (exact.length > 0) return exact.reduce((sum, { pauseMs = 0 }) => sum + pauseMs, 0);
  const longest = Math.max(0, ...pauses.map(({ strength = "comma" }) => punctuationPauseMs[strength]));
  return Math.round(longest / Math.min(1.6, Math.max(0.6, pace)));
}

function endingOf(pauses: SpokenUnit[]): Clause["ending"] {
  const strongest = pauses.find(({ strength }) => strength !== undefined && strength !== "comma") ?? pauses[0];
  return endings[strongest?.strength ?? "comma"];
}
