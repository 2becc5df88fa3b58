import type { PreparedText, Timeline } from "./engine";

export interface AlignRequest {
  text: PreparedText;
  pcm: Int16Array;
  sampleRate: number;
}

export interface Aligned {
  timeline: Timeline;
  /** The text was heard in the sound; otherwise its parts are spread over it by their usual lengths. */
  isHeard: boolean;
}

/** When each part of a text sounds in a recording of it. Throws SpeechError. */
export type Align = (request: AlignRequest, signal?: AbortSignal) => Promise<Aligned>;
