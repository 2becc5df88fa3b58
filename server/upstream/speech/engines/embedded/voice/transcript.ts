import { binCount } from "../../../dsp/grid";
import { type Alignment, align } from "./alignment";
import type { Analysis } from "./analysis";
import type { Reading } from "./calibration";
import { speakingSeconds } from "./pace";
import { tractFromPairs } from "./tract";

/** Syllables per second that a person can speak. */
const humanPace = [2, 10] as const;
/**
 * The same words in another order align as well as the words themselves when neither was said; the right order must
 * align better than this share of the wrong ones' mean. Measured: said 0.91–0.93, read with many slips 0.97, not said 0.98–1.02.
 */
const spokenShare = 0.965;
const rotations = [1 / 3, 1 / 2, 2 / 3];

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
  let tract = blind;
  let alignment = align(reading.speech, target, tract);
  for (let round = 0; round < 2; round++) {
    tract = 0.5 * (blind + tractFromPairs(reading.speech, target, alignment.pairs));
    alignment = align(reading.speech, target, tract);
  }
  if (alignment.cost > spokenShare * costOfWrongOrders(reading.speech, target, tract)) return null;
  return { ...alignment, reading, tract, syllablesPerSecond };
}

function costOfWrongOrders(speech: Analysis, target: Analysis, tract: number): number {
  const costs = rotations.map((share) => align(rotate(speech, share), target, tract).cost);
  return costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
}

/** The speech begun in the middle: its later part first. */
function rotate(speech: Analysis, share: number): Analysis {
  const first = speech.active.indexOf(1);
  const end = speech.active.lastIndexOf(1) + 1;
  const turn = first + Math.round((end - first) * share);
  const swap = <T extends Float32Array | Uint8Array>(values: T, size: number): T => {
    const swapped = values.slice() as T;
    swapped.set(values.subarray(turn * size, end * size), first * size);
    swapped.set(values.subarray(first * size, turn * size), (first + end - turn) * size);
    return swapped;
  };
  return {
    ...speech,
    pitch: swap(speech.pitch, 1),
    envelope: swap(speech.envelope, binCount),
    active: swap(speech.active, 1),
    powerDb: swap(speech.powerDb, 1),
  };
}
