import type { SpokenUnit } from "../../../engine";
import { punctuationPauseMs } from "../../../engine";

export interface Clause {
  /** Syllables and Latin words only. */
  units: SpokenUnit[];
  ending: "," | "." | "?" | "!";
  pauseBeforeMs: number;
  pauseAfterMs: number;
}

const endings = { comma: ",", sentence: ".", question: "?", exclamation: "!", paragraph: "." } as const;
/** A breath has to come at last, even where nobody wrote a comma. */
const maxUnits = 48;

/** Units → clauses; a written `#0.5#` is exact and takes the place of the punctuation beside it. */
export function splitClauses(units: SpokenUnit[], pace: number): Clause[] {
  const clauses: Clause[] = [];
  let spoken: SpokenUnit[] = [];
  let pauses: SpokenUnit[] = [];
  let leadMs = 0;
  const finish = () => {
    const restsMs = lengthMs(pauses, pace);
    if (spoken.length > 0) {
      clauses.push({ units: spoken, ending: endingOf(pauses), pauseBeforeMs: leadMs, pauseAfterMs: restsMs });
      leadMs = 0;
    } else if (pauses.some(({ pauseMs }) => pauseMs !== undefined)) leadMs += restsMs;
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

function lengthMs(pauses: SpokenUnit[], pace: number): number {
  const exact = pauses.filter(({ pauseMs }) => pauseMs !== undefined);
  if (exact.length > 0) return exact.reduce((sum, { pauseMs = 0 }) => sum + pauseMs, 0);
  const longest = Math.max(0, ...pauses.map(({ strength = "comma" }) => punctuationPauseMs[strength]));
  return Math.round(longest / Math.min(1.6, Math.max(0.6, pace)));
}

function endingOf(pauses: SpokenUnit[]): Clause["ending"] {
  const strongest = pauses.find(({ strength }) => strength !== undefined && strength !== "comma") ?? pauses[0];
  return endings[strongest?.strength ?? "comma"];
}
