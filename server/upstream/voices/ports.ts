import type { RecordingQuality } from "~server/contract/recording";
import type { MediaFiles } from "../media/files";
import type { PreparedText, SpeechChunk, SpeechEngine, Timeline } from "../speech/engine";

/** Who a file or a task belongs to: `account:<id>` or `visitor:<id>`; null is everybody's. */
export type Owner = `account:${string}` | `visitor:${string}`;

export interface Inspection {
  samples: Float32Array;
  sampleRate: number;
  quality: RecordingQuality;
  format: string;
}

export interface Mastered {
  pcm: Int16Array;
  sampleRate: number;
  /** Absent where the engine gives none. */
  timeline?: Timeline;
}

/** What the domains need of speech; services.ts puts it together. */
export interface SpeechParts {
  engine(): Promise<SpeechEngine>;
  /** Decodes and judges an upload apart from this process. Throws SpeechError. */
  inspect(bytes: Uint8Array, signal?: AbortSignal): Promise<Inspection>;
  encode(
    sound: { pcm: Int16Array; sampleRate: number; format: "mp3" | "wav"; explicitMark?: boolean },
    signal?: AbortSignal,
  ): Promise<Uint8Array>;
  prepareText(content: string): PreparedText;
  splitSegments(content: string): Array<{ text: string; offset: number }>;
  master(chunks: SpeechChunk[], options: { volumeDb: number }): Mastered;
}

/** Files by id, as the domains use them. */
export type Files = Pick<MediaFiles, "keep" | "read" | "remove" | "give">;
