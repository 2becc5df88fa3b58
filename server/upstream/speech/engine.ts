/**
 * The speech port. Engines are chosen in services.ts; domains know only these types.
 * Audio is mono throughout. Times are milliseconds, offsets are UTF-16 positions in the text the person wrote.
 */

/** One sounding or silent piece of prepared text, in reading order. */
export interface SpokenUnit {
  kind: "syllable" | "latin" | "pause";
  /** The source characters it stands for; several units share them where a number is read out. */
  text: string;
  offset: number;
  length: number;
  /** Syllables: letters with `v` for ü and a tone digit 1–5 after sandhi, 儿化 written as a final r ("huar1"). */
  pinyin?: string;
  tone?: 1 | 2 | 3 | 4 | 5;
  /** Somebody asked for this reading, by a mark or the account's dictionary: engines that read for themselves must be told. */
  isAsked?: true;
  /** Pauses: a `#0.5#` mark's exact length, or absent where punctuation leaves it to the engine. */
  pauseMs?: number;
  /** Pauses made by punctuation: how strong it is. */
  strength?: "comma" | "sentence" | "question" | "exclamation" | "paragraph";
}

export interface PreparedText {
  units: SpokenUnit[];
}

/** What a person's voice became; opaque to everyone but the engine named in it. JSON-serialisable. */
export interface VoiceProfile {
  engine: string;
  version: string;
  parameters: unknown;
  measured?: MeasuredVoice;
}

/** Measured values shown to people as they are; never a score. */
export interface MeasuredVoice {
  pitchHz: number;
  /** 5th to 95th percentile of pitch, semitones. */
  pitchRangeSt: number;
  /** Syllables per second of active speech; null when there was no transcript to count. */
  syllablesPerSecond: number | null;
}

/** A voice made from numbers instead of a recording. */
export interface VoiceDesign {
  pitchHz: number;
  /** Standard deviation of pitch in semitones; about 2 calm, 4 lively. */
  pitchSpreadSt: number;
  /** Vocal-tract ratio: below 1 longer (deeper), above 1 shorter (brighter); 0.84–1.3. */
  tract: number;
  /** 0 clear to 1 whispery. */
  breath: number;
  /** Spectral tilt in dB per octave above 1 kHz; negative is softer. */
  tilt: number;
  /** 1 is the engine's normal pace. */
  rate: number;
}

export interface SpeechRequest {
  text: PreparedText;
  voice: VoiceProfile;
  /** 0.5–2. */
  speed: number;
  /** Semitones, −12…12. */
  pitch?: number;
  /** Gain in dB, −12…12. */
  volume?: number;
  /** Weights 0–1 by name (happy angry sad afraid disgusted melancholic surprised calm). */
  emotion?: Partial<Record<Emotion, number>>;
  /** Another voice to take the tone from: its pitch range, pace and force, with neither its sound nor its height. */
  tone?: VoiceProfile;
  /** The engine asked for by name, where several can speak; one that nobody knows is nothing. */
  style?: string;
}

export type Emotion = "happy" | "angry" | "sad" | "afraid" | "disgusted" | "melancholic" | "surprised" | "calm";

export interface TimelineUnit {
  text: string;
  offset: number;
  /** In a dub: the line its offset counts in, from 0. */
  line?: number;
  pinyin?: string;
  tone?: number;
  start: number;
  end: number;
}

export interface TimelinePhoneme {
  ph: string;
  start: number;
  end: number;
  /** One of the 15 Oculus visemes: sil PP FF TH DD kk CH SS nn RR aa E ih oh ou. */
  viseme: string;
}

export interface Timeline {
  sampleRate: number;
  durationMs: number;
  units: TimelineUnit[];
  phonemes: TimelinePhoneme[];
}

/** A clause as it becomes ready; its timeline starts at 0. */
export interface SpeechChunk {
  pcm: Int16Array;
  sampleRate: number;
  timeline?: Timeline;
  /** Silence at its ends that belongs there: punctuation's and marks' pauses. Absent where the engine can't tell it from slack. */
  silence?: { beforeMs: number; afterMs: number };
  /** `engine@version` that spoke it, where several may have. */
  spokenBy?: string;
  /** Spoken by another engine than the one that should have: good for now, not for keeping. */
  isFallback?: true;
}

export type SpeechFault = "reference" | "text" | "voice" | "timeout" | "overloaded" | "cancelled" | "engine";

/** The one error an engine throws. */
export class SpeechError extends Error {
  constructor(
    readonly fault: SpeechFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "SpeechError";
  }
}

export interface SpeechEngine {
  readonly id: string;
  /** Changes whenever the same request would sound different; part of every cache key. */
  readonly version: string;
  readonly capabilities: {
    clone: boolean;
    stream: boolean;
    timeline: boolean;
    languages: readonly string[];
    maxChars: number;
  };
  /** Learns a voice from mono samples in −1…1. A transcript of what is said makes it closer. Throws SpeechError. */
  enroll(
    reference: { samples: Float32Array; sampleRate: number },
    options?: { transcript?: PreparedText; signal?: AbortSignal },
  ): Promise<VoiceProfile>;
  /** A voice from numbers, where the engine can; for the seeded digital humans. */
  design?(design: VoiceDesign): VoiceProfile;
  /** Speaks clause by clause; stops within 200 ms of the signal; throws SpeechError and nothing else. */
  synthesize(request: SpeechRequest, signal: AbortSignal): AsyncIterable<SpeechChunk>;
  /** Whether what it needs answers, within a few seconds; absent where nothing can be away. Never throws. */
  probe?(): Promise<boolean>;
  close(): Promise<void>;
}

export interface AlignRequest {
  text: PreparedText;
  pcm: Int16Array;
  sampleRate: number;
}

export interface AlignResult {
  timeline: Timeline;
  /** The text was heard in the sound; otherwise its parts are spread over it by their usual lengths. */
  matchesText: boolean;
}

/** When each part of a text sounds in a recording of it. Throws SpeechError. */
export type Align = (request: AlignRequest, signal?: AbortSignal) => Promise<AlignResult>;

/** Milliseconds that punctuation rests at the normal pace. */
export const punctuationPauseMs = {
  comma: 200,
  sentence: 400,
  question: 420,
  exclamation: 400,
  paragraph: 650,
} as const;
