import type { MonoRecording } from "~server/contract/recording/judge";

/** Enough for speech; one minute of WAV stays under 3 MB. */
const wavRate = 24_000;
const wavHeaderBytes = 44;
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

/** The recording at 24 kHz. */
export async function resample({ samples, sampleRate }: MonoRecording): Promise<MonoRecording> {
  if (sampleRate === wavRate || samples.length === 0) return { samples, sampleRate };
  const context = new OfflineAudioContext(1, Math.ceil((samples.length * wavRate) / sampleRate), wavRate);
  const buffer = context.createBuffer(1, samples.length, sampleRate);
  buffer.getChannelData(0).set(samples);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
  return { samples: (await context.startRendering()).getChannelData(0), sampleRate: wavRate };
}

/** The file's audio as WAV; null if this browser cannot decode it or it exceeds ten minutes. */
export async function convertToWav(file: Blob): Promise<Blob | null> {
  const decoded = await decodeAudio(file).catch(() => null);
  return decoded && encodeWav(decoded);
}

/** 16-bit mono WAV, which every upstream reads. */
export function encodeWav({ samples, sampleRate }: MonoRecording): Blob {
  const bytes = new DataView(new ArrayBuffer(wavHeaderBytes + samples.length * 2));
  const writeAscii = (offset: number, text: string) => {
    for (let index = 0; index < text.length; index++) bytes.setUint8(offset + index, text.charCodeAt(index));
  };
  writeAscii(0, "RIFF");
  bytes.setUint32(4, bytes.byteLength - 8, true);
  writeAscii(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, sampleRate, true);
  bytes.setUint32(28, sampleRate * 2, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  writeAscii(36, "data");
  bytes.setUint32(40, samples.length * 2, true);
  for (const [index, sample] of samples.entries()) bytes.setInt16(wavHeaderBytes + index * 2, toInt16(sample), true);
  return new Blob([bytes.buffer as ArrayBuffer], { type: "audio/wav" });
}

/** The samples that a reader of the WAV gets. */
export const quantizeToInt16 = ({ samples, sampleRate }: MonoRecording): MonoRecording => ({
  samples: samples.map((sample) => toInt16(sample) / 0x8000),
  sampleRate,
});

const toInt16 = (sample: number) => Math.round(Math.min(1, Math.max(-1, sample)) * 0x7fff);

/** The mean of all channels. */
function toMono(buffer: AudioBuffer): Float32Array {
  const { length, numberOfChannels } = buffer;
  if (numberOfChannels === 1) return buffer.getChannelData(0);
  const mono = new Float32Array(length);
  for (let channel = 0; channel < numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let at = 0; at < length; at++) mono[at] = (mono[at] ?? 0) + (samples[at] ?? 0) / numberOfChannels;
  }
  return mono;
}

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
