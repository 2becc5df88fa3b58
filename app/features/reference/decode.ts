import type { Take } from "./take";

/** Enough for a voice, and a minute stays under 3 MB as WAV. */
const sampleRate = 24_000;
/** Longer files would fill a phone's memory when unpacked. */
export const decodeMaxSeconds = 600;

export class TooLongToDecode extends Error {
  constructor(readonly seconds: number) {
    super(`${Math.round(seconds)} s`);
  }
}

/** Unpacks whatever this browser can read, M4A included, to mono; null when it cannot. Throws TooLongToDecode. */
export async function decodeFile(file: Blob): Promise<Take | null> {
  const seconds = await lengthOf(file);
  if (seconds > decodeMaxSeconds) throw new TooLongToDecode(seconds);
  try {
    const context = new OfflineAudioContext(1, 1, sampleRate);
    const sound = await context.decodeAudioData(await file.arrayBuffer());
    return { samples: toMono(sound), sampleRate: sound.sampleRate };
  } catch {
    return null;
  }
}

/** 24 kHz mono of a take at the microphone's own rate. */
export async function resample({ samples, sampleRate: from }: Take): Promise<Take> {
  if (from === sampleRate || samples.length === 0) return { samples, sampleRate: from };
  const context = new OfflineAudioContext(1, Math.ceil((samples.length * sampleRate) / from), sampleRate);
  const buffer = context.createBuffer(1, samples.length, from);
  buffer.getChannelData(0).set(samples);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.start();
  return { samples: (await context.startRendering()).getChannelData(0), sampleRate };
}

function toMono(sound: AudioBuffer): Float32Array {
  const first = sound.getChannelData(0);
  if (sound.numberOfChannels === 1) return first;
  const mono = new Float32Array(first.length);
  for (let channel = 0; channel < sound.numberOfChannels; channel++) {
    const samples = sound.getChannelData(channel);
    for (let at = 0; at < mono.length; at++) mono[at] = (mono[at] ?? 0) + (samples[at] ?? 0) / sound.numberOfChannels;
  }
  return mono;
}

/** Reads the head of the file only; 0 when the browser does not know. */
function lengthOf(file: Blob): Promise<number> {
  return new Promise((resolve) => {
    const url = URL.createObjectURL(file);
    const probe = new Audio();
    const finish = (seconds: number) => {
      URL.revokeObjectURL(url);
      resolve(Number.isFinite(seconds) ? seconds : 0);
    };
    probe.preload = "metadata";
    probe.onloadedmetadata = () => finish(probe.duration);
    probe.onerror = () => finish(0);
    probe.src = url;
  });
}
