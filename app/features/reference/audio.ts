import { recordingMaxSeconds } from "~server/contract/limits";
import type { MonoRecording } from "~server/contract/recording/judge";
import { mixDown, type RecordingQuality, recordingLimits } from "~server/contract/recording/quality";
import type { Reference } from "./reference";

const waveformBars = 64;
/** Formats that the upstream may decode and some browsers do not; every browser decodes WAV, MP3 and FLAC. */
const upstreamFormats = /\.(ogg|oga|opus|webm|m4a|aac|mp4|3gpp?|amr|caf|wma)$/i;
const frameSeconds = 0.02;
/** Recordings with a lower peak are drawn flat. */
const audiblePeak = 0.02;

type Description = Pick<Reference, "name" | "transcript">;

/** Builds a reference from a microphone recording. */
export const createReference = async (recording: MonoRecording, description: Description): Promise<Reference> =>
  toReference(await resample(recording), description);

/**
 * Builds a reference from a file, trimmed if the upstream would refuse its length. Null if neither this browser nor the
 * upstream can decode it. Throws `AudioTooLong`.
 */
export async function createReferenceFromFile(file: File): Promise<Reference | null> {
  const recording = await decodeAudio(file);
  if (recording) {
    const part = secondsOf(recording) > recordingLimits.maxSeconds ? mostSpokenPart(recording) : recording;
    const name = `${file.name.replace(/\.[^.]*$/, "")}.wav`;
    return { ...(await toReference(part, { name })), isTrimmed: part !== recording, isFile: true };
  }
  if (file.size === 0 || !upstreamFormats.test(file.name)) return null;
  return { id: createId(), sound: file, name: file.name, quality: null, heights: [], seconds: 0, isFile: true };
}

/** The reference cut to its most spoken minute, without transcript. */
export async function trimReference(reference: Reference): Promise<Reference> {
  const recording = await decodeAudio(reference.sound);
  if (!recording) return reference;
  const { name, isFile = false } = reference;
  return { ...(await toReference(mostSpokenPart(recording), { name })), isTrimmed: true, isFile };
}

/** RNNoise's rate. */
const denoisedRate = 48_000;

/** The reference without noise, with the original beside it; null where the filter does not load. */
export async function denoiseReference(original: Reference): Promise<Reference | null> {
  const recording = await decodeAudio(original.sound);
  if (!recording) return null;
  const { samples } = await resample(recording, denoisedRate);
  const cleaned = await askWorker<Float32Array | null>(
    () => new Worker(new URL("./denoise.worker.ts", import.meta.url), { type: "module" }),
    samples,
    [samples.buffer as ArrayBuffer],
  );
  if (!cleaned) return null;
  const { name, transcript, isTrimmed = false, isFile = false } = original;
  const denoised = await resample({ samples: cleaned, sampleRate: denoisedRate });
  return { ...(await toReference(denoised, { name, transcript })), isTrimmed, isFile, original };
}

/** Assesses the quantized samples, because the upstream assesses those. */
async function toReference(recording: MonoRecording, { name, transcript }: Description): Promise<Reference> {
  return {
    id: createId(),
    sound: encodeWav(recording),
    name,
    quality: await assess(quantizeToInt16(recording)),
    heights: waveformHeights(recording, waveformBars),
    seconds: secondsOf(recording),
    transcript,
  };
}

/** The verdict of a worker, so that the page never waits; null if the worker does not load: the upstream decides then. */
const assess = (recording: MonoRecording) =>
  askWorker<RecordingQuality>(
    () => new Worker(new URL("./assessment.worker.ts", import.meta.url), { type: "module" }),
    recording,
    [recording.samples.buffer as ArrayBuffer],
  );

/** The one answer of a new worker; null if it does not load, and where a browser refuses workers. */
function askWorker<Answer>(open: () => Worker, request: unknown, transfer: Transferable[]): Promise<Answer | null> {
  const answered = new Promise<Answer | null>((resolve) => {
    const worker = open();
    const finish = (answer: Answer | null) => {
      worker.terminate();
      resolve(answer);
    };
    worker.onmessage = ({ data }: MessageEvent<Answer>) => finish(data);
    worker.onerror = () => finish(null);
    worker.postMessage(request, transfer);
  });
  return answered.catch(() => null);
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

/** `crypto.randomUUID` is missing on pages served over plain HTTP, where uploads still work. */
const createId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** Enough for speech; one minute of WAV stays under 3 MB. */
const wavRate = 24_000;
/** Decoding longer files would exhaust a phone's memory. */
const decodeMaxSeconds = 600;

export class AudioTooLong extends Error {
  constructor(readonly seconds: number) {
    super(`audio of ${Math.round(seconds)} s exceeds the limit of ${decodeMaxSeconds} s`);
  }
}

/** Decodes any format this browser supports, M4A included, to mono at 24 kHz; null if it cannot. Throws `AudioTooLong`. */
export async function decodeAudio(file: Blob): Promise<MonoRecording | null> {
  const seconds = await readDuration(file);
  if (seconds > decodeMaxSeconds) throw new AudioTooLong(seconds);
  try {
    const context = new OfflineAudioContext(1, 1, wavRate);
    const buffer = await context.decodeAudioData(await file.arrayBuffer());
    return { samples: toMono(buffer), sampleRate: buffer.sampleRate };
  } catch {
    return null;
  }
}

/** The recording at another rate, 24 kHz by default. */
export async function resample({ samples, sampleRate }: MonoRecording, rate = wavRate): Promise<MonoRecording> {
  if (sampleRate === rate || samples.length === 0) return { samples, sampleRate };
  const context = new OfflineAudioContext(1, Math.ceil((samples.length * rate) / sampleRate), rate);
  const buffer = context.createBuffer(1, samples.length, sampleRate);
  buffer.getChannelData(0).set(samples);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start();
  return { samples: (await context.startRendering()).getChannelData(0), sampleRate: rate };
}

const fourCharacters = (code: string) => [...code].reduceRight((sum, letter) => sum * 256 + letter.charCodeAt(0), 0);

/** 16-bit mono WAV, which every upstream reads. */
export function encodeWav({ samples, sampleRate }: MonoRecording): Blob {
  const size = samples.length * 2;
  const header = Uint32Array.of(
    ...[fourCharacters("RIFF"), 36 + size, fourCharacters("WAVE")],
    // PCM and one channel, bytes a second, 2 bytes and 16 bits a sample.
    ...[fourCharacters("fmt "), 16, 0x0001_0001, sampleRate, sampleRate * 2, 0x0010_0002],
    ...[fourCharacters("data"), size],
  );
  return new Blob([header, Int16Array.from(samples, toInt16)], { type: "audio/wav" });
}

/** The samples that a reader of the WAV gets. */
export const quantizeToInt16 = ({ samples, sampleRate }: MonoRecording): MonoRecording => ({
  samples: samples.map((sample) => toInt16(sample) / 0x8000),
  sampleRate,
});

const toInt16 = (sample: number) => Math.round(Math.min(1, Math.max(-1, sample)) * 0x7fff);

const toMono = (buffer: AudioBuffer): Float32Array =>
  mixDown(Array.from({ length: buffer.numberOfChannels }, (_, channel) => buffer.getChannelData(channel)));

/** Duration in seconds from the file's header; 0 if the browser cannot read it. */
function readDuration(file: Blob): Promise<number> {
  return new Promise((resolve) => {
    const url = URL.createObjectURL(file);
    const audio = new Audio();
    const finish = (seconds: number) => {
      URL.revokeObjectURL(url);
      resolve(Number.isFinite(seconds) ? seconds : 0);
    };
    audio.preload = "metadata";
    audio.onloadedmetadata = () => finish(audio.duration);
    audio.onerror = () => finish(0);
    audio.src = url;
  });
}
