/**
 * The recogniser port: writes down what a sound says. Adapters are chosen in the composition root; a product without an
 * installed recogniser has none.
 */

/** Mono samples in −1…1 at any rate from 8 kHz. */
export interface MonoSound {
  samples: Float32Array;
  sampleRate: number;
}

/** A Chinese character, a punctuation mark or (a piece of) a Latin word. Times are milliseconds from the sound's start. */
export interface TranscribedWord {
  text: string;
  startMs: number;
  endMs: number;
}

export interface Transcript {
  /** With punctuation where the recogniser writes it; "" if no speech was found. */
  text: string;
  /** ISO 639 code ("zh", "en", "yue"); "" if unknown. */
  language: string;
  /** Empty for recognisers without timestamps. */
  words: TranscribedWord[];
}

export interface Recogniser {
  /** Names adapter and model; part of no cache key. */
  readonly id: string;
  /** Up to 30 s of speech; longer sounds are cut at their pauses by `transcribeSound`. Throws only SpeechError. */
  transcribe(sound: MonoSound, signal?: AbortSignal): Promise<Transcript>;
  close(): void;
}
