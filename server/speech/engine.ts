/**
 * The speech port: the only speech types that domains use.
 * Audio is mono. Times are milliseconds; offsets are UTF-16 positions in the original text.
 */

/** A syllable, Latin word or pause of prepared text. */
export interface SpokenUnit {
  kind: "syllable" | "latin" | "pause";
  /** Source characters; shared by all units of an expanded number. */
  text: string;
  offset: number;
  length: number;
  /** Syllables only: letters with `v` for ü, erhua as a final r, and a tone digit 1–5 after sandhi ("huar1"). */
  pinyin?: string;
  tone?: 1 | 2 | 3 | 4 | 5;
  /** Syllables only: belongs to the word of the syllable before it. */
  continuesWord?: true;
  /** The reading comes from a mark or the account's dictionary; engines that read text themselves must be given it. */
  isAsked?: true;
  /** Inside an emphasis mark. */
  isEmphasised?: true;
  /** Pauses only: exact length of a `#0.5#` mark; absent for punctuation. */
  pauseMs?: number;
  /** Pauses only: kind of the punctuation. */
  strength?: "comma" | "sentence" | "question" | "exclamation" | "paragraph";
}

export interface PreparedText {
  units: SpokenUnit[];
}

/** An enrolled voice; `parameters` is opaque to all but the named engine. JSON-serialisable. */
export interface VoiceProfile {
  engine: string;
  version: string;
  parameters: unknown;
  measured?: MeasuredVoice;
  /** An engine was not available: the voice is learned again at its next use. */
  isPartial?: true;
  /** Made from parameters, not from a recording: engines with preset voices speak it too. */
  isDesigned?: true;
}

/** Measurements of a recording that pages display. */
export interface MeasuredVoice {
  pitchHz: number;
  /** 5th to 95th percentile of pitch, semitones. */
  pitchRangeSt: number;
  /** Per second of active speech; null without a matching transcript. */
  syllablesPerSecond: number | null;
}

/** Parameters of a voice without a recording. */
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
  /** The same person for an engine that mixes styles. */
  mix?: StyleMix;
}

/** Weight by style, together 1; the mix's median pitch as spoken; semitones that the person is higher; tempo. */
export interface StyleMix {
  styles: Readonly<Record<string, number>>;
  medianHz: number;
  shiftSt: number;
  /** Above 1 is faster. */
  tempo: number;
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
  /** A voice that supplies pitch range, pace and dynamics, but not timbre or median pitch. */
  tone?: VoiceProfile;
  /** Counts earlier deliveries of the same text, in the same task and in tasks before it; each sounds a little different. */
  repetition?: number;
  /** Style or engine name that selects among several engines; unknown names are ignored. */
  style?: string;
  /** The style selected this engine: it may then start what a vendor bills once per voice. */
  isSelected?: boolean;
  /** The voice's owner accepted what a vendor bills once per voice. */
  isFeeAccepted?: boolean;
  /** A voice that its vendor lost ends the request with `lost`, instead of another engine standing in. */
  stopsWhenLost?: boolean;
}

export type Emotion = "happy" | "angry" | "sad" | "afraid" | "disgusted" | "melancholic" | "surprised" | "calm";

export interface TimelineUnit {
  text: string;
  offset: number;
  /** Dubs only: index of the line that the offset refers to. */
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

/** A place where a recogniser heard something other than the text. */
export interface SpokenDoubt {
  /** Missing and wrong: the syllable or word of the text. Added: what follows the addition. */
  kind: "missing" | "wrong" | "added";
  /** Source characters, and their place in the text. */
  text: string;
  offset: number;
  /** Words that were heard instead, or in addition. */
  heard?: string;
}

/** Streamed audio of a clause or less; its timeline starts at 0. */
export interface SpeechChunk {
  pcm: Int16Array;
  sampleRate: number;
  timeline?: Timeline;
  /** Intended silence at its ends (pauses). Absent if the engine cannot separate it from padding. */
  silence?: { beforeMs: number; afterMs: number };
  /** `engine@version` that synthesised it, where several engines are configured. */
  spokenBy?: string;
  /** Synthesised by a fallback engine; must not be cached. */
  isFallback?: true;
  /** On a segment's first chunk: what the self-check still heard wrong after all repetitions. */
  doubts?: SpokenDoubt[];
}

/** `lost`: the vendor no longer has the voice; it can be learned again. */
export type SpeechFault = "reference" | "text" | "voice" | "lost" | "timeout" | "overloaded" | "cancelled" | "engine";

/** The only error that engines throw. */
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

/**
 * Records the name of a voice before a vendor creates it, so that the voice can be deleted after a crash too: `s` and
 * eight lower-case letters or digits.
 */
export type ReserveVoice = (engine: string) => Promise<string>;

export interface SpeechEngine {
  readonly id: string;
  /** Changes when the same request would produce different audio; part of every cache key. */
  readonly version: string;
  readonly capabilities: {
    clone: boolean;
    stream: boolean;
    timeline: boolean;
    languages: readonly string[];
    maxChars: number;
    /** Reads a text differently by the `repetition` of the request. */
    variesRepetitions?: true;
  };
  /**
   * Learns a voice from mono samples in −1…1; a transcript improves it. Vendors learn it only with `reserveVoice`. Throws
   * SpeechError.
   */
  enroll(
    reference: { samples: Float32Array; sampleRate: number },
    options?: { transcript?: PreparedText; signal?: AbortSignal; reserveVoice?: ReserveVoice },
  ): Promise<VoiceProfile>;
  /** Deletes a voice at its vendor by the reserved name; succeeds if there is none. Absent without vendors. */
  forgetVoice?(engine: string, name: string): Promise<void>;
  /** Creates a voice from parameters; used for the seeded digital humans. */
  design?(design: VoiceDesign): VoiceProfile;
  /** Streams clause by clause; stops within 200 ms of the signal; throws only SpeechError. */
  synthesize(request: SpeechRequest, signal: AbortSignal): AsyncIterable<SpeechChunk>;
  /** Starts what the next request needs, without waiting for it; absent if nothing has to start. */
  warmUp?(): void;
  /** True if its backend responds within a few seconds; absent for local engines. Never throws. */
  probe?(): Promise<boolean>;
  close(): Promise<void>;
}

/** Pause lengths in milliseconds at normal pace. */
export const punctuationPauseMs = {
  comma: 200,
  sentence: 400,
  question: 420,
  exclamation: 400,
  paragraph: 650,
} as const;
