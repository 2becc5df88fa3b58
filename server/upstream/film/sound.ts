import { readFile, writeFile } from "node:fs/promises";
import { decodeRecording } from "../../speech/recording/decode";
import { appendExplicitMark, markTones } from "../../speech/recording/explicit-mark";
import { encodeWav } from "../../speech/recording/formats/wav";

/** Loudness from 0 to 1 at equal steps. */
export interface Loudness {
  perSecond: number;
  levels: number[];
}

export interface FilmSound {
  /** With the audible mark. */
  pcm: Int16Array;
  sampleRate: number;
  loudness: Loudness;
  durationMs: number;
}

const maxSeconds = 3600;
const maxRate = 48_000;

/** Reads a WAV or MP3 and appends the audible mark where it is missing. */
export async function readFilmSound(path: string): Promise<FilmSound> {
  const { samples, sampleRate } = await decodeRecording(await readFile(path), { maxSeconds, maxRate });
  const plain = Int16Array.from(samples, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32768))));
  const pcm = hasAudibleMark(plain, sampleRate) ? plain : appendExplicitMark(plain, sampleRate);
  return {
    pcm,
    sampleRate,
    loudness: measureLoudness(samples, sampleRate),
    durationMs: (pcm.length / sampleRate) * 1000,
  };
}

export const writeSound = ({ pcm, sampleRate }: FilmSound, path: string) => writeFile(path, encodeWav(pcm, sampleRate));

/** True where the sound ends with the mark: correlated with it, and as loud. */
export function hasAudibleMark(pcm: Int16Array, sampleRate: number): boolean {
  const tones = markTones(sampleRate);
  const end = pcm.subarray(Math.max(0, pcm.length - tones.length));
  if (end.length < tones.length) return false;
  let [product, own, other] = [0, 0, 0];
  for (let i = 0; i < tones.length; i++) {
    const [a, b] = [tones[i] as number, end[i] as number];
    product += a * b;
    own += a * a;
    other += b * b;
  }
  return other > 0 && product / Math.sqrt(own * other) > 0.9 && other > own / 4;
}

const levelsPerSecond = 100;
/** Relative to the loudest tenth of the steps; below a fiftieth counts as silence. */
const loudShare = 0.9;

function measureLoudness(samples: Float32Array, sampleRate: number): Loudness {
  const step = sampleRate / levelsPerSecond;
  const levels = Array.from({ length: Math.ceil(samples.length / step) }, (_, i) => {
    const part = samples.subarray(Math.round(i * step), Math.round((i + 1) * step));
    return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / Math.max(1, part.length));
  });
  const loud = [...levels].sort((a, b) => a - b)[Math.floor(levels.length * loudShare)] ?? 0;
  return { perSecond: levelsPerSecond, levels: levels.map((level) => (loud > 0 ? Math.min(1, level / loud) : 0)) };
}
