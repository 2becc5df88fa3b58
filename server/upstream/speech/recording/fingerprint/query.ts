import { readFile } from "node:fs/promises";
import { decodeRecording } from "../decode";
import type { SampleFile } from "../encode";
import type { DecodeBounds } from "../mono";
import { type Bands, bandCount, measureShiftedBands, toBandRate } from "./bands";
import { buildQuery, createFingerprint, createQuery, type HeardPrint, type SoundPrint, toWords } from "./fingerprint";

/** The longest text there is, spoken slowly; prints look no higher than half this rate. */
const bounds: DecodeBounds = { maxSeconds: 15 * 60, maxRate: 16_000 };

/** What a file of ours is known again by. Throws as `decodeRecording`. */
export async function print(bytes: Uint8Array): Promise<SoundPrint> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  return createFingerprint(samples, sampleRate);
}

/**
 * The same for samples in a file. What lasts longer than any file that is heard is never compared as a whole, and its lines
 * have prints of their own: it gets an empty one.
 */
export async function printFile({ path, samples, sampleRate }: SampleFile): Promise<SoundPrint> {
  if (samples > bounds.maxSeconds * sampleRate) return createFingerprint([], sampleRate);
  const bytes = await readFile(path);
  return createFingerprint(new Int16Array(bytes.buffer, bytes.byteOffset, samples), sampleRate);
}

/** What an uploaded file sounds like. Throws as `decodeRecording`. */
export async function hear(bytes: Uint8Array): Promise<HeardPrint> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  return createQuery(samples, sampleRate);
}

/** The same file as it may have sounded before it was made faster, slower, higher or lower. Throws as `decodeRecording`. */
export async function hearAltered(bytes: Uint8Array): Promise<HeardPrint[]> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  return createAlteredQueries(samples, sampleRate);
}

/** What was done to a sound: how many times faster it runs, and how many times higher it is. */
interface Alteration {
  tempo: number;
  pitch: number;
}

/** Frames are measured every 8 ms, and taken 32 ms of the unaltered sound apart. */
const fineHop = 64;
const finesPerFrame = 4;
const phases = [0, 2];
/** Seconds looked at, from the middle; who alters a sound alters the whole of it. */
const mostSeconds = 30;
const mostAsked = 2000;

const semitone = 2 ** (1 / 12);
/** What is up to a twentieth faster or slower, or a third of a semitone higher or lower, than one of these is known by it. */
const paces = [0.75, 0.82, 0.9, 1.1, 1.2, 1.3, 1.4, 1.5];
const pitches = [-3, -2.25, -1.5, -0.75, 0.75, 1.5, 2.25, 3].map((semitones) => semitone ** semitones);
const tapes = [0.88, 0.91, 0.94, 0.97, 1.03, 1.06, 1.09, 1.12];
/** Faster or slower at the same pitch, higher or lower at the same pace, and both as of a tape. */
const alterations: readonly Alteration[] = [
  ...paces.map((tempo) => ({ tempo, pitch: 1 })),
  ...pitches.map((pitch) => ({ tempo: 1, pitch })),
  ...tapes.map((pace) => ({ tempo: pace, pitch: pace })),
];

/** What to look a sound up by if it was altered, for each way in which it may have been. */
export function createAlteredQueries(samples: ArrayLike<number>, sampleRate: number): HeardPrint[] {
  const from = Math.max(0, Math.floor((samples.length - mostSeconds * sampleRate) / 2));
  const excerpt = Array.prototype.slice.call(samples, from, from + mostSeconds * sampleRate);
  const reduced = toBandRate(excerpt, sampleRate);
  const wanted = [...new Set(alterations.map(({ pitch }) => pitch))];
  const measured = measureShiftedBands(reduced, { from: 0, hop: fineHop, pitches: wanted });
  return alterations.map(({ tempo, pitch }) => {
    const bands = measured[wanted.indexOf(pitch)] as Bands;
    return buildQuery(
      phases.map((phase) => toWords(atTempo(bands, tempo, phase))),
      mostAsked,
    );
  });
}

/** The frames that stand where the unaltered sound's would. */
function atTempo({ log, power, frames }: Bands, tempo: number, phase: number): Bands {
  const apart = finesPerFrame / tempo;
  const count = Math.max(0, Math.floor((frames - 1 - phase) / apart) + 1);
  const taken: Bands = { log: new Float32Array(count * bandCount), power: new Float32Array(count), frames: count };
  for (let at = 0; at < count; at++) {
    const fine = Math.min(frames - 1, Math.round(phase + at * apart));
    taken.log.set(log.subarray(fine * bandCount, (fine + 1) * bandCount), at * bandCount);
    taken.power[at] = power[fine] as number;
  }
  return taken;
}
