import { recordingMaxSeconds } from "~server/contract/limits";
import { assessRecording, type MonoRecording } from "~server/contract/recording/judge";
import { recordingLimits } from "~server/contract/recording/quality";
import { decodeAudio, encodeWav, quantizeToInt16, resample } from "./audio";
import type { Reference } from "./reference";

const waveformBars = 64;
/** Formats that the upstream decodes itself. */
const upstreamFormats = /\.(wav|mp3|flac|ogg|oga|opus|webm)$/i;
const frameSeconds = 0.02;
/** Recordings with a lower peak are drawn flat. */
const audiblePeak = 0.02;

interface Description {
  name: string;
  transcript?: string | undefined;
}

/** Builds a reference from a microphone recording. */
export async function createReference(recording: MonoRecording, description: Description): Promise<Reference> {
  return toReference(await resample(recording), description);
}

/**
 * Builds a reference from a file, trimmed if the upstream would refuse its length. Null if neither this browser nor the
 * upstream can decode it. Throws `AudioTooLong`.
 */
export async function createReferenceFromFile(file: File): Promise<Reference | null> {
  const recording = await decodeAudio(file);
  if (recording) {
    const part = secondsOf(recording) > recordingLimits.maxSeconds ? mostSpokenPart(recording) : recording;
    return { ...toReference(part, { name: toWavName(file.name) }), isTrimmed: part !== recording };
  }
  if (!upstreamFormats.test(file.name)) return null;
  return { id: createId(), sound: file, name: file.name, quality: null, heights: [], seconds: 0 };
}

/** The reference cut to its most spoken minute, without transcript. */
export async function trimReference(reference: Reference): Promise<Reference> {
  const recording = await decodeAudio(reference.sound);
  if (!recording) return reference;
  return { ...toReference(mostSpokenPart(recording), { name: reference.name }), isTrimmed: true };
}

/** Assesses the quantized samples, because the upstream assesses those. */
function toReference(recording: MonoRecording, { name, transcript }: Description): Reference {
  return {
    id: createId(),
    sound: encodeWav(recording),
    name,
    quality: assessRecording(quantizeToInt16(recording)),
    heights: waveformHeights(recording, waveformBars),
    seconds: secondsOf(recording),
    transcript,
  };
}

/** The part of at most `maxSeconds` with the most frames above the noise; the recording itself if it is short enough. */
export function mostSpokenPart(recording: MonoRecording, maxSeconds: number = recordingMaxSeconds): MonoRecording {
  if (secondsOf(recording) <= maxSeconds) return recording;
  const levels = frameLevels(recording);
  const threshold = Math.max(percentile(levels, 0.1) + 8, percentile(levels, 0.95) - 30);
  const window = Math.floor(maxSeconds / frameSeconds);
  const isLoud = (frame: number) => Number((levels[frame] ?? -100) > threshold);
  let loudFrames = 0;
  for (let frame = 0; frame < window; frame++) loudFrames += isLoud(frame);
  let best = { start: 0, loudFrames };
  for (let start = 1; start + window <= levels.length; start++) {
    loudFrames += isLoud(start + window - 1) - isLoud(start - 1);
    if (loudFrames > best.loudFrames) best = { start, loudFrames };
  }
  const { samples, sampleRate } = recording;
  const from = Math.round(best.start * frameSeconds * sampleRate);
  return { samples: samples.slice(from, from + Math.round(maxSeconds * sampleRate)), sampleRate };
}

/** RMS of each 20 ms in dB below full scale, at least −100. */
function frameLevels({ samples, sampleRate }: MonoRecording): Float32Array {
  const size = Math.round(sampleRate * frameSeconds);
  return Float32Array.from({ length: Math.floor(samples.length / size) }, (_, frame) => {
    const energy = samples.subarray(frame * size, (frame + 1) * size).reduce((sum, sample) => sum + sample ** 2, 0);
    return Math.max(-100, 10 * Math.log10(energy / size + 1e-12));
  });
}

function percentile(values: Float32Array, share: number): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? -100;
}

/** `count` heights, 0–1: the peak of each equal part relative to the highest peak. */
export function waveformHeights({ samples }: MonoRecording, count: number): number[] {
  const size = Math.max(1, Math.floor(samples.length / count));
  const peaks = Array.from({ length: count }, (_, index) =>
    samples.subarray(index * size, (index + 1) * size).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  );
  const highest = Math.max(audiblePeak, ...peaks);
  return peaks.map((peak) => Math.sqrt(peak / highest));
}

const secondsOf = ({ samples, sampleRate }: MonoRecording) => samples.length / sampleRate;

const toWavName = (name: string) => `${name.replace(/\.[^.]*$/, "")}.wav`;

/** `crypto.randomUUID` is missing on pages served over plain HTTP, where uploads still work. */
const createId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
