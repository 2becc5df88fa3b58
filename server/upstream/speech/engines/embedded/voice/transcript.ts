import { type Alignment, alignSides, describeSide, rotateSide } from "./alignment";
import type { Analysis } from "./analysis";
import type { Reading } from "./calibration";
import { speakingSeconds } from "./pace";
import { tractFromPairs } from "./tract";

/** Syllables per second that a person can speak. */
const humanPace = [2, 10] as const;
/**
 * The same words in another order align as well as the words themselves when neither was said. What was said must align
 * better than the mean of the wrong orders by this share, and by this many of their standard deviations. Measured on
 * real people: said 0.89–0.975 and 4.0–10.3; not said 0.975–1.01 and at most 3.3.
 */
const spokenShare = 0.978;
const spokenDeviations = 3.7;
/** Turned by more than the alignment's slant can undo. */
const rotations = [0.25, 0.33, 0.42, 0.5, 0.58, 0.67, 0.75];

export interface SpokenTranscript extends Alignment {
  reading: Reading;
  tract: number;
  syllablesPerSecond: number;
}

interface Known {
  /** Vocal-tract ratio found without a transcript. */
  blind: number;
}

/** Alignment and vocal tract help each other in three rounds; null when the transcript is not what is said. */
export function alignTranscript(reading: Reading, target: Analysis, { blind }: Known): SpokenTranscript | null {
  const syllablesPerSecond = reading.syllables / speakingSeconds(target);
  if (!(syllablesPerSecond >= humanPace[0] && syllablesPerSecond <= humanPace[1])) return null;
  const said = describeSide(target);
  let tract = blind;
  let source = describeSide(reading.speech, tract);
  let alignment = alignSides(source, said);
  for (let round = 0; round < 2; round++) {
    tract = 0.5 * (blind + tractFromPairs(reading.speech, target, alignment.pairs));
    source = describeSide(reading.speech, tract);
    alignment = alignSides(source, said);
  }
  const wrongOrders = rotations.map((share) => alignSides(rotateSide(source, share), said).cost);
  return isSaid(alignment.cost, wrongOrders) ? { ...alignment, reading, tract, syllablesPerSecond } : null;
}

function isSaid(cost: number, wrongOrders: number[]): boolean {
  const mean = wrongOrders.reduce((sum, wrong) => sum + wrong, 0) / wrongOrders.length;
  const variance = wrongOrders.reduce((sum, wrong) => sum + (wrong - mean) ** 2, 0) / (wrongOrders.length - 1);
  return cost < spokenShare * mean && cost < mean - spokenDeviations * Math.sqrt(variance);
}
