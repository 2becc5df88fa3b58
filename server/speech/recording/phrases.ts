import { transcriptionMaxMinutes } from "~server/contract/limits";
import { quantile } from "../dsp/statistics";
import type { MonoSound } from "../recogniser";
import type { DecodeBounds } from "./mono";

/** A stretch of speech between two pauses; milliseconds from the start of the sound. */
export interface RecordedPhrase extends MonoSound {
  startMs: number;
  endMs: number;
}

/** Bounds of sounds to transcribe: recognition takes up to a tenth of their length, and recognisers work at 16 kHz. */
export const transcriptionBounds: DecodeBounds = { maxSeconds: transcriptionMaxMinutes * 60, maxRate: 24_000 };
const frameSeconds = 0.02;
/** Shorter pauses are inside a phrase. */
const minPauseFrames = 15;
const minPhraseFrames = 6;
/** Kept before and after the speech: consonants are quieter than the threshold. */
const paddingFrames = 5;
/** Recognisers are trained on utterances of up to 30 s; a subtitle is shorter. */
const maxPhraseFrames = 600;
/** Earliest cut of a longer phrase, as a share of the maximum. */
const earliestCut = 0.5;
/** dB above the noise floor, and below the speech level. */
const aboveFloorDb = 8;
const belowSpeechDb = { most: 30, least: 10 };
const silentDb = -60;

/** Finds the speech in a sound by its level relative to noise floor and speech level, cut at pauses of 0.3 s. */
export function splitPhrases({ samples, sampleRate }: MonoSound): RecordedPhrase[] {
  const hop = Math.round(frameSeconds * sampleRate);
  const levels = levelsOf(samples, hop);
  const threshold = thresholdOf(levels);
  const runs = joinRuns(activeRuns(levels, threshold)).flatMap((run) => cutLongRun(run, levels));
  const toMs = (sample: number) => Math.round((sample / sampleRate) * 1000);
  return runs.map(([from, to], i) => {
    const start = Math.max(from - paddingFrames, runs[i - 1]?.[1] ?? 0) * hop;
    const end = Math.min(Math.min(to + paddingFrames, runs[i + 1]?.[0] ?? levels.length) * hop, samples.length);
    return { samples: samples.slice(start, end), sampleRate, startMs: toMs(start), endMs: toMs(end) };
  });
}

/** First frame, and the first after the last. */
type Run = readonly [number, number];

function levelsOf(samples: Float32Array, hop: number): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / hop));
  for (let frame = 0; frame < levels.length; frame++) {
    let power = 0;
    for (let i = frame * hop; i < (frame + 1) * hop; i++) power += (samples[i] as number) ** 2;
    levels[frame] = 10 * Math.log10(Math.max(1e-12, power / hop));
  }
  return levels;
}

function thresholdOf(levels: Float32Array): number {
  if (levels.length === 0) return silentDb;
  const [floor, speech] = [quantile(levels, 0.1), quantile(levels, 0.95)];
  const wanted = Math.max(floor + aboveFloorDb, speech - belowSpeechDb.most);
  return Math.max(silentDb, Math.min(wanted, speech - belowSpeechDb.least));
}

function activeRuns(levels: Float32Array, threshold: number): Run[] {
  const runs: Run[] = [];
  let start = -1;
  for (let frame = 0; frame <= levels.length; frame++) {
    const isActive = frame < levels.length && (levels[frame] as number) > threshold;
    if (isActive && start < 0) start = frame;
    if (!isActive && start >= 0) {
      runs.push([start, frame]);
      start = -1;
    }
  }
  return runs;
}

/** Joins runs over short pauses and drops clicks. */
function joinRuns(runs: Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && run[0] - last[1] < minPauseFrames) joined[joined.length - 1] = [last[0], run[1]];
    else joined.push(run);
  }
  return joined.filter(([from, to]) => to - from >= minPhraseFrames);
}

/** Cuts at the quietest frame in the second half of the allowed length. */
function cutLongRun([from, to]: Run, levels: Float32Array): Run[] {
  const pieces: Run[] = [];
  let start = from;
  while (to - start > maxPhraseFrames) {
    let best = start + Math.round(maxPhraseFrames * earliestCut);
    for (let frame = best; frame < start + maxPhraseFrames; frame++) {
      if ((levels[frame] as number) < (levels[best] as number)) best = frame;
    }
    pieces.push([start, best]);
    start = best;
  }
  return [...pieces, [start, to]];
}
