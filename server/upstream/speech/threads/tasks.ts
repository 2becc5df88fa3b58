import type { Polyphone } from "../chinese/polyphones";
import type { DictionaryEntry } from "../chinese/prepare";
import type { Segment } from "../chinese/segment";
import type { EncodeFileRequest, SampleFile } from "../encoding/encode-file";
import type { PreparedText, SpeechChunk } from "../engine";
import type { SoundPrint } from "../fingerprint/fingerprint";
import type { Mastered, MasteringOptions } from "../mastering";
import type { EncodeRequest } from "../workshop";

interface TextAsk {
  content: string;
  dictionary: readonly DictionaryEntry[];
}

/** What a reader makes of one text without its units. */
export interface ExaminedText {
  /** False where nothing of it can be spoken. */
  isSpoken: boolean;
  /** Segments it is spoken in. */
  segments: number;
}

/** What a thread can be asked, and what it answers. Samples on shared memory are not copied. */
export interface ThreadTasks {
  prepare: { ask: TextAsk; result: PreparedText };
  examine: { ask: { contents: readonly string[]; dictionary: readonly DictionaryEntry[] }; result: ExaminedText[] };
  split: { ask: string; result: Segment[] };
  polyphones: { ask: TextAsk; result: Polyphone[] };
  master: { ask: { chunks: SpeechChunk[]; options: MasteringOptions }; result: Mastered };
  encode: { ask: EncodeRequest; result: Uint8Array };
  encodeFile: { ask: EncodeFileRequest; result: number };
  printFile: { ask: SampleFile; result: SoundPrint };
  print: { ask: { pcm: Int16Array; sampleRate: number }; result: SoundPrint };
}

export type ThreadTask = keyof ThreadTasks;

export interface ThreadMessage<Task extends ThreadTask = ThreadTask> {
  id: number;
  task: Task;
  ask: ThreadTasks[Task]["ask"];
}

export type ThreadAnswer = { id: number; result: unknown } | { id: number; error: string };
