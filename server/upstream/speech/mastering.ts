import { limit, measurePeak } from "./dsp/limiter";
import { measureLoudness } from "./dsp/loudness";
import { resample } from "./dsp/resample";
import type { SpeechChunk, Timeline } from "./engine";

export interface MasteringOptions {
  /** dB around the house level, −12…12. */
  volumeDb?: number;
  /** Rest between chunks whose engine doesn't say how long it should be. */
  gapMs?: number;
  /** Hz; the first chunk's unless said otherwise. */
  sampleRate?: number;
}

export interface Mastered {
  pcm: Int16Array;
  sampleRate: number;
  /** Absent where a chunk came without one. */
  timeline?: Timeline;
  /** `engine@version` of all that spoke, separated by commas. */
  spokenBy?: string;
}

/** LUFS. */
const houseLoudness = -19;
/** True peak, as a share of full scale: −1 dBFS, less what the estimate between samples may miss. */
const ceiling = 10 ** (-1.2 / 20);
const limitingRounds = 4;
const slackDb = -48;
const slackPadMs = 25;

interface Part {
  samples: Float32Array;
  timeline: Timeline | undefined;
  gapAfter: number;
}

/**
 * Chunks in order → one piece of audio at −19 LUFS (± 1, plus the volume asked for) that peaks at −1 dBFS. Silence an
 * engine declares stays exactly as long as it is; undeclared slack is cut and replaced by `gapMs`. The timeline keeps step.
 */
export function master(chunks: SpeechChunk[], options: MasteringOptions = {}): Mastered {
  const { volumeDb = 0, gapMs = 250, sampleRate = chunks[0]?.sampleRate ?? 22_050 } = options;
  const gap = Math.round((gapMs / 1000) * sampleRate);
  const room = chunks.reduce(
    (sum, chunk) => sum + Math.ceil((chunk.pcm.length * sampleRate) / chunk.sampleRate) + gap,
    0,
  );
  const whole = new Float32Array(room);
  const units: Timeline["units"] = [];
  const phonemes: Timeline["phonemes"] = [];
  let at = 0;
  let gapBefore = 0;
  for (const chunk of chunks) {
    const part = toPart(chunk, sampleRate, gap);
    at += gapBefore;
    whole.set(part.samples, at);
    const startMs = (at / sampleRate) * 1000;
    const later = <T extends { start: number; end: number }>(item: T): T => ({
      ...item,
      start: Math.round(item.start + startMs),
      end: Math.round(item.end + startMs),
    });
    units.push(...(part.timeline?.units.map(later) ?? []));
    phonemes.push(...(part.timeline?.phonemes.map(later) ?? []));
    at += part.samples.length;
    gapBefore = part.gapAfter;
  }
  const samples = whole.subarray(0, at);
  level(samples, sampleRate, houseLoudness + volumeDb);
  const pcm = toPcm(samples);
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

/** On shared memory: threads hand a long sound on without copying it. */
function toPcm(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(new SharedArrayBuffer(samples.length * Int16Array.BYTES_PER_ELEMENT));
  for (let i = 0; i < pcm.length; i++) pcm[i] = Math.round(Math.max(-1, Math.min(1, samples[i] as number)) * 32767);
  return pcm;
}

function toPart(chunk: SpeechChunk, sampleRate: number, gap: number): Part {
  const own = Float32Array.from(chunk.pcm, (value) => value / 32768);
  const samples = chunk.sampleRate === sampleRate ? own : resample(own, chunk.sampleRate, sampleRate);
  if (chunk.silence) return { samples, timeline: chunk.timeline, gapAfter: 0 };
  const { from, to } = withoutSlack(samples, sampleRate);
  const cutMs = (from / sampleRate) * 1000;
  const keptMs = ((to - from) / sampleRate) * 1000;
  const timeline = chunk.timeline && moveTimeline(chunk.timeline, cutMs, keptMs);
  return { samples: samples.subarray(from, to), timeline, gapAfter: gap };
}

function withoutSlack(samples: Float32Array, sampleRate: number): { from: number; to: number } {
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const floor = Math.max(1e-4, peak * 10 ** (slackDb / 20));
  const pad = Math.round((slackPadMs / 1000) * sampleRate);
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

/** Limiting costs a little loudness, so gain and limiter take turns until both hold. */
function level(samples: Float32Array, sampleRate: number, targetLoudness: number): void {
  for (let round = 0; round < limitingRounds; round++) {
    const loudness = measureLoudness(samples, sampleRate);
    if (!Number.isFinite(loudness)) return;
    const missing = targetLoudness - loudness;
    if (round > 0 && Math.abs(missing) < 0.3) break;
    const gain = 10 ** (missing / 20);
    for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] as number) * gain;
    limit(samples, sampleRate, ceiling);
  }
  const peak = measurePeak(samples);
  if (peak <= ceiling) return;
  for (let i = 0; i < samples.length; i++) samples[i] = ((samples[i] as number) * ceiling) / peak;
}
