import type { RecordingQuality } from "~server/contract/recording/quality";

/** A recording of somebody's voice, ready to upload, and what the coach said about it. Plain data: survives in IndexedDB. */
export interface Reference {
  id: string;
  /** 16-bit mono WAV; the file itself where this browser cannot unpack it. */
  sound: Blob;
  /** Name of the file to upload. */
  name: string;
  /** null where the coach could not listen. */
  quality: RecordingQuality | null;
  /** Heights 0–1 for drawing. */
  heights: number[];
  seconds: number;
  /** The sentence that was read aloud. */
  transcript?: string | undefined;
  isTrimmed?: boolean;
  /** Where the upstream keeps it, once uploaded. */
  voicePath?: string | undefined;
}
