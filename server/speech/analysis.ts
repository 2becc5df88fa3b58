import type { PreparedText, Timeline } from "./engine";

/** A stored fingerprint: words of 24 bits every 32 ms, the highest bit set in frames with sound, and keys to find it by. */
export interface SoundPrint {
  words: Uint32Array;
  keys: Int32Array;
  /** The index of each key among the words. */
  places: Int32Array;
}

/** The fingerprint of a sound that may be any part of a stored one, in steps of 8 ms. */
export interface HeardPrint {
  phases: Uint32Array[];
  keys: Int32Array;
  places: Int32Array;
}

/** A file to recognise: its query, and what queries with changes undone are made of. */
export interface HeardFile extends HeardPrint {
  /** Half a minute from the middle. */
  excerpt: MonoSound;
}

export interface AlignRequest {
  text: PreparedText;
  pcm: Int16Array;
  sampleRate: number;
}

export interface AlignResult {
  timeline: Timeline;
  /** False if the audio does not match the text; the units are then distributed evenly. */
  matchesText: boolean;
}

/** Forced alignment: finds when each unit of a text is spoken in audio. Throws SpeechError. */
export type Align = (request: AlignRequest, signal?: AbortSignal) => Promise<AlignResult>;

interface MonoSound {
  samples: Float32Array;
  sampleRate: number;
}

export interface ProofRequest {
  /** The recording from which the voice is learned. */
  reference: MonoSound;
  /** The statement and the lines, read aloud in one recording. */
  spoken: MonoSound;
  statement: PreparedText;
  lines: PreparedText[];
  /** Texts of the same length as a line that were not asked for. */
  decoys: PreparedText[];
}

/** Measures of a proof; `server/upstream/voices/proofs/verdict.ts` judges it. */
export interface ProofMeasures {
  /** Standard deviations by which the asked words are nearer than the decoys: of all lines together, and of each. */
  words: { all: number; lines: number[] };
  /** Log-likelihood ratio of one person over two; null for less than two seconds of speech. */
  speaker: number | null;
  /** Shares of the recording that occur in the reference: practically identical, and very alike. */
  copied: { identical: number; alike: number };
  /** Level above 4 kHz relative to the speech band, dB. */
  highBandDb: number;
  /** Share of digital silence between the first sound and the last; absent from old proofs. */
  silence?: number;
  /** Shares of the asked syllables that an installed recogniser heard: of statement and lines, and of each line. */
  heard?: { all: number; lines: number[] };
  /** Cosine of an installed speaker model, −1…1. */
  likeness?: number;
  /** Version of each measure. */
  versions: Record<string, string>;
}

/** Throws SpeechError. */
export type MeasureProof = (request: ProofRequest, signal?: AbortSignal) => Promise<ProofMeasures>;
