import { readFile } from "node:fs/promises";
import { verifyMaxMinutes } from "~server/contract/limits";
import type { HeardFile, HeardPrint, SoundPrint } from "../../analysis";
import { decodeRecording } from "../decode";
import type { SampleFile } from "../encode";
import type { DecodeBounds } from "../mono";
import {
  type Bands,
  bandCount,
  buildQuery,
  createFingerprint,
  createQuery,
  measureShiftedBands,
  toBandRate,
  toWords,
} from "./fingerprint";

/** Covers the longest possible speech; fingerprints use only frequencies below 4 kHz. */
const bounds: DecodeBounds = { maxSeconds: verifyMaxMinutes * 60, maxRate: 16_000 };

/** Fingerprint of an encoded file. Throws like `decodeRecording`. */
export async function fingerprintFile(bytes: Uint8Array): Promise<SoundPrint> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  return createFingerprint(samples, sampleRate);
}

/**
 * Fingerprint of a raw sample file; empty for audio longer than the query limit, whose lines have separate fingerprints.
 */
export async function fingerprintSampleFile({ path, samples, sampleRate }: SampleFile): Promise<SoundPrint> {
  if (samples > bounds.maxSeconds * sampleRate) return createFingerprint([], sampleRate);
  const bytes = await readFile(path);
  return createFingerprint(new Int16Array(bytes.buffer, bytes.byteOffset, samples), sampleRate);
}

/** Query for an uploaded file. Throws like `decodeRecording`. */
export async function createFileQuery(bytes: Uint8Array): Promise<HeardFile> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  const from = Math.max(0, Math.floor((samples.length - excerptSeconds * sampleRate) / 2));
  const excerpt = { samples: samples.slice(from, from + excerptSeconds * sampleRate), sampleRate };
  return { ...createQuery(samples, sampleRate), excerpt };
}

/** Factors by which tempo and pitch were changed. */
interface Alteration {
  tempo: number;
  pitch: number;
}

/** Frames are measured every 8 ms and sampled every 32 ms of the original. */
const fineHopSamples = 64;
const stepsPerFrame = 4;
const phases = [0, 2];
const excerptSeconds = 30;
const maxKeys = 2000;

const semitone = 2 ** (1 / 12);
/** Each value covers deviations of 5 % in tempo or a third of a semitone in pitch. */
const tempos = [0.75, 0.82, 0.9, 1.1, 1.2, 1.3, 1.4, 1.5];
const pitches = [-3, -2.25, -1.5, -0.75, 0.75, 1.5, 2.25, 3].map((semitones) => semitone ** semitones);
const speeds = [0.88, 0.91, 0.94, 0.97, 1.03, 1.06, 1.09, 1.12];
/** Tempo only, pitch only, and both together (playback speed). */
const alterations: readonly Alteration[] = [
  ...tempos.map((tempo) => ({ tempo, pitch: 1 })),
  ...pitches.map((pitch) => ({ tempo: 1, pitch })),
  ...speeds.map((pace) => ({ tempo: pace, pitch: pace })),
];

/** One query per alteration. */
export function createAlteredQueries({ samples, sampleRate }: HeardFile["excerpt"]): HeardPrint[] {
  const reduced = toBandRate(samples, sampleRate);
  const wanted = [...new Set(alterations.map(({ pitch }) => pitch))];
  const measured = measureShiftedBands(reduced, { from: 0, hop: fineHopSamples, pitches: wanted });
  return alterations.map(({ tempo, pitch }) => {
    const bands = measured[wanted.indexOf(pitch)] as Bands;
    return buildQuery(
      phases.map((phase) => toWords(atTempo(bands, tempo, phase))),
      maxKeys,
    );
  });
}

/** Frames at the positions of the unaltered audio's frames. */
function atTempo({ log, power, frames }: Bands, tempo: number, phase: number): Bands {
  const apart = stepsPerFrame / tempo;
  const count = Math.max(0, Math.floor((frames - 1 - phase) / apart) + 1);
  const taken: Bands = { log: new Float32Array(count * bandCount), power: new Float32Array(count), frames: count };
  for (let at = 0; at < count; at++) {
    const fine = Math.min(frames - 1, Math.round(phase + at * apart));
    taken.log.set(log.subarray(fine * bandCount, (fine + 1) * bandCount), at * bandCount);
    taken.power[at] = power[fine] as number;
  }
  return taken;
}
