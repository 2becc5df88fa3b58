export interface EspeakRequest {
  id: number;
  /** Text with phoneme mnemonics in double square brackets. */
  markup: string;
  /** Words per minute, 80–450; 170 is the normal pace. */
  rate: number;
  /** Liveliness of pitch, 0–100. */
  range: number;
}

/** The body of the frame is the speech, 16-bit little-endian mono. */
export interface EspeakReply {
  id: number;
  fault?: string;
  sampleRate: number;
  /** Where a word of the markup begins to sound; `position` counts its characters from 1. */
  words: Array<{ ms: number; position: number }>;
  /** Empty `ipa` is silence; `(en)` and `(cmn)` switch the language. */
  phonemes: Array<{ ms: number; ipa: string }>;
}
