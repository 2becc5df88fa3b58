import { limit, measurePeak } from "./dsp/limiter";
import { measureLoudness } from "./dsp/loudness";
import { toFloats, toPcm } from "./dsp/pcm";
import { resample } from "./dsp/resample";
import type { SpeechChunk, Timeline } from "./engine";

export interface MasteringOptions {
  /** dB relative to the target loudness, −12…12. */
  volumeDb?: number;
  /** Pause between chunks that do not declare their silence. */
  gapMs?: number;
  /** Hz; defaults to the first chunk's. */
  sampleRate?: number;
}

/** Without a timeline if any chunk has none; `spokenBy` names all engines used, separated by commas. */
export type Mastered = Pick<SpeechChunk, "pcm" | "sampleRate" | "timeline" | "spokenBy">;

/** LUFS. */
const targetLufs = -19;
/** True peak as a share of full scale: −1 dBFS with 0.2 dB of margin for the inter-sample estimate. */
const ceiling = 10 ** (-1.2 / 20);
/** Memory and time of the search are bounded; a longer sound is judged by its middle. */
const excerptSeconds = 60;
const driveRounds = 12;
const toleranceDb = 0.1;
/** The search starts where the limiter takes no more than this from the highest peak. */
const firstLimitingDb = 8;
const mostStepDb = 3;
/** If two rounds raise the loudness by less than this, the ceiling is reached. */
const leastYieldDb = 0.05;
/** Most attenuation of the limiter; more would raise the noise in pauses. */
const mostLossDb = 24;
const paddingDb = -48;
const paddingMarginMs = 25;

interface Part {
  samples: Float32Array;
  timeline: Timeline | undefined;
  gapAfter: number;
}

/**
 * Joins chunks into one audio at −19 LUFS plus `volumeDb` (± 0.5 until the peaks reach the ceiling; measured on four
 * voices: to +8 dB) with a true peak of −1 dBFS. Declared silence is kept to
 * the sample; other padding is trimmed and replaced by `gapMs`. The timeline is shifted accordingly.
 */
export function master(chunks: SpeechChunk[], options: MasteringOptions = {}): Mastered {
  const { volumeDb = 0, gapMs = 250, sampleRate = chunks[0]?.sampleRate ?? 22_050 } = options;
  const gap = Math.round((gapMs / 1000) * sampleRate);
  const capacity = chunks.reduce(
    (sum, chunk) => sum + Math.ceil((chunk.pcm.length * sampleRate) / chunk.sampleRate) + gap,
    0,
  );
  const output = new Float32Array(capacity);
  const units: Timeline["units"] = [];
  const phonemes: Timeline["phonemes"] = [];
  let at = 0;
  let gapBefore = 0;
  for (const chunk of chunks) {
    const part = toPart(chunk, sampleRate, gap);
    at += gapBefore;
    output.set(part.samples, at);
    const startMs = (at / sampleRate) * 1000;
    const shift = <T extends { start: number; end: number }>(item: T): T => ({
      ...item,
      start: Math.round(item.start + startMs),
      end: Math.round(item.end + startMs),
    });
    units.push(...(part.timeline?.units.map(shift) ?? []));
    phonemes.push(...(part.timeline?.phonemes.map(shift) ?? []));
    at += part.samples.length;
    gapBefore = part.gapAfter;
  }
  const samples = output.subarray(0, at);
  level(samples, sampleRate, targetLufs + volumeDb);
  // Shared memory lets worker threads return the samples without a copy.
  const pcm = toPcm(samples, new Int16Array(new SharedArrayBuffer(samples.length * Int16Array.BYTES_PER_ELEMENT)));
  const durationMs = Math.round((samples.length / sampleRate) * 1000);
  const isTimed = chunks.length > 0 && chunks.every(({ timeline }) => timeline !== undefined);
  const spokenBy = [...new Set(chunks.flatMap((chunk) => chunk.spokenBy ?? []))].sort().join(",");
  return {
    pcm,
    sampleRate,
    ...(isTimed ? { timeline: { sampleRate, durationMs, units, phonemes } } : {}),
    ...(spokenBy && { spokenBy }),
  };
}

function toPart(chunk: SpeechChunk, sampleRate: number, gap: number): Part {
  const own = toFloats(chunk.pcm);
  const samples = chunk.sampleRate === sampleRate ? own : resample(own, chunk.sampleRate, sampleRate);
  if (chunk.silence) return { samples, timeline: chunk.timeline, gapAfter: 0 };
  const { from, to } = findSound(samples, sampleRate);
  const cutMs = (from / sampleRate) * 1000;
  const keptMs = ((to - from) / sampleRate) * 1000;
  const timeline = chunk.timeline && moveTimeline(chunk.timeline, cutMs, keptMs);
  return { samples: samples.subarray(from, to), timeline, gapAfter: gap };
}

function findSound(samples: Float32Array, sampleRate: number): { from: number; to: number } {
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const floor = Math.max(1e-4, peak * 10 ** (paddingDb / 20));
  const pad = Math.round((paddingMarginMs / 1000) * sampleRate);
  const first = samples.findIndex((value) => Math.abs(value) > floor);
  if (first < 0) return { from: 0, to: 0 };
  const last = samples.findLastIndex((value) => Math.abs(value) > floor);
  return { from: Math.max(0, first - pad), to: Math.min(samples.length, last + pad) };
}

function moveTimeline(timeline: Timeline, cutMs: number, keptMs: number): Timeline {
  const within = (ms: number) => Math.min(keptMs, Math.max(0, ms - cutMs));
  const moved = <T extends { start: number; end: number }>(items: T[]): T[] =>
    items.map((item) => ({ ...item, start: within(item.start), end: within(item.end) }));
  return { ...timeline, units: moved(timeline.units), phonemes: moved(timeline.phonemes) };
}

/** Applies one gain and the limiter. The gain allows for the loudness that the limiter takes. */
function level(samples: Float32Array, sampleRate: number, targetLoudness: number): void {
  const loudness = measureLoudness(samples, sampleRate);
  if (!Number.isFinite(loudness)) return;
  amplify(samples, sampleRate, findDrive(samples, sampleRate, targetLoudness - loudness));
}

function amplify(samples: Float32Array, sampleRate: number, gainDb: number): void {
  scale(samples, 10 ** (gainDb / 20));
  limit(samples, sampleRate, ceiling);
  const peak = measurePeak(samples);
  if (peak > ceiling) scale(samples, ceiling / peak);
}

function scale(samples: Float32Array, gain: number): void {
  for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] as number) * gain;
}

/**
 * The gain in dB whose limited result is louder by `wantedDb`, found on an excerpt. Where more gain hardly adds loudness
 * (the ceiling is reached), the gain stays there: more would only distort.
 */
function findDrive(samples: Float32Array, sampleRate: number, wantedDb: number): number {
  const from = Math.max(0, (samples.length - excerptSeconds * sampleRate) >> 1);
  const excerpt = samples.subarray(from, from + excerptSeconds * sampleRate);
  const before = measureLoudness(excerpt, sampleRate);
  if (!Number.isFinite(before)) return wantedDb;
  let best = { drive: wantedDb, gained: Number.NEGATIVE_INFINITY };
  const harmlessDb = 20 * Math.log10(ceiling / measurePeak(excerpt)) + firstLimitingDb;
  for (let round = 0, drive = Math.min(wantedDb, harmlessDb); round < driveRounds; round++) {
    const trial = excerpt.slice();
    amplify(trial, sampleRate, drive);
    const gained = measureLoudness(trial, sampleRate) - before;
    const missing = wantedDb - gained;
    if (Math.abs(missing) < Math.abs(wantedDb - best.gained) - leastYieldDb) best = { drive, gained };
    else if (drive > best.drive + 2 * mostStepDb) break;
    if (Math.abs(missing) < toleranceDb) break;
    drive = Math.min(wantedDb + mostLossDb, drive + Math.min(mostStepDb, 1.6 * missing));
  }
  return best.drive;
}
