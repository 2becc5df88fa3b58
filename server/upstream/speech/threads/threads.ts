import { availableParallelism } from "node:os";
import { setImmediate as takeTurns } from "node:timers/promises";
import type { Polyphone } from "../chinese/polyphones";
import type { DictionaryEntry } from "../chinese/prepare";
import type { Segment } from "../chinese/segment";
import type { PreparedText, SpeechChunk } from "../engine";
import type { Mastered, MasteringOptions } from "../mastering";
import type { EncodeFileRequest, EncodeRequest, SampleFile } from "../recording/encode";
import type { SoundPrint } from "../recording/fingerprint/fingerprint";
import type { ExaminedText } from "./thread";
import { createThread } from "./thread";

interface Words {
  dictionary?: readonly DictionaryEntry[];
}

/** Work on text and samples that would hold the event loop, done in worker threads. Everything throws SpeechError. */
export interface SpeechThreads {
  prepareText(content: string, options?: Words): Promise<PreparedText>;
  /** For each text whether anything of it can be spoken, and in how many segments. */
  examineTexts(contents: readonly string[], options?: Words): Promise<ExaminedText[]>;
  splitSegments(content: string): Promise<Segment[]>;
  /** In a thread of its own: what writers look up never waits for, or delays, what is being made. */
  findPolyphones(content: string, options?: Words): Promise<Polyphone[]>;
  master(chunks: SpeechChunk[], options?: MasteringOptions): Promise<Mastered>;
  encode(request: EncodeRequest, signal?: AbortSignal): Promise<Uint8Array>;
  encodeFile(request: EncodeFileRequest, signal?: AbortSignal): Promise<number>;
  printFile(source: SampleFile, signal?: AbortSignal): Promise<SoundPrint>;
  print(sound: { pcm: Int16Array; sampleRate: number }, signal?: AbortSignal): Promise<SoundPrint>;
  close(): Promise<void>;
}

/** Threads start with their first task: two for text, and up to one a core for samples. */
export function createSpeechThreads(): SpeechThreads {
  const [text, lookup] = [createThread(), createThread()];
  const sounds = Array.from({ length: availableParallelism() }, createThread);
  const idlest = () => sounds.reduce((best, thread) => (thread.load < best.load ? thread : best));
  return {
    prepareText: (content, { dictionary = [] } = {}) => text.run("prepare", { content, dictionary }),
    examineTexts: (contents, { dictionary = [] } = {}) => text.run("examine", { contents, dictionary }),
    splitSegments: (content) => text.run("split", content),
    findPolyphones: (content, { dictionary = [] } = {}) => lookup.run("polyphones", { content, dictionary }),
    master: async (chunks, options = {}) => idlest().run("master", { chunks: await toShared(chunks), options }),
    encode: (request, signal) => idlest().run("encode", request, signal),
    encodeFile: (request, signal) => idlest().run("encodeFile", request, signal),
    printFile: (source, signal) => idlest().run("printFile", source, signal),
    print: (sound, signal) => idlest().run("print", sound, signal),
    async close() {
      await Promise.all([text, lookup, ...sounds].map((thread) => thread.close()));
    },
  };
}

/** Chunks whose samples a thread reads where they lie; copied chunk by chunk, so that a long sound holds the event loop never long. */
async function toShared(chunks: SpeechChunk[]): Promise<SpeechChunk[]> {
  const shared: SpeechChunk[] = [];
  for (const chunk of chunks) {
    await takeTurns();
    const pcm = new Int16Array(new SharedArrayBuffer(chunk.pcm.byteLength));
    pcm.set(chunk.pcm);
    shared.push({ ...chunk, pcm });
  }
  return shared;
}
