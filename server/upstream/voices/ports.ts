import type { Readable } from "node:stream";
import type { RecordingQuality } from "~server/contract/recording";
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
  timeline: Timeline;
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
  master(chunks: SpeechChunk[]): Mastered;
}

export type FileKind = "recording" | "image" | "speech" | "timeline";

export interface NewFile {
  /** null: everybody may read it. */
  owner: Owner | null;
  kind: FileKind;
  /** Extension without a dot; decides the type it is served with. */
  format: string;
  body: Uint8Array | Readable;
  size: number;
}

/** Files by id, as the domains see them. URLs are paths of this API: `/api/v1/files/<id>.<format>`. */
export interface Files {
  keep(file: NewFile): Promise<{ id: string; url: string }>;
  read(id: string): Promise<Uint8Array>;
  remove(id: string): Promise<void>;
}

/** Bytes by key that never leave the server: what was synthesised and may be needed again. */
export interface Blobs {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** null when there is nothing. */
  get(key: string): Promise<Uint8Array | null>;
  remove(key: string): Promise<void>;
}
