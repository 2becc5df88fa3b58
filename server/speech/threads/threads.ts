import { availableParallelism } from "node:os";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { SoundPrint } from "../analysis";
import type { Polyphone } from "../chinese/polyphones";
import type { DictionaryEntry } from "../chinese/prepare";
import type { Segment } from "../chinese/segment";
import type { PreparedText, SpeechChunk } from "../engine";
import type { Mastered, MasteringOptions } from "../mastering";
import type { EncodeFileRequest, EncodeRequest, SampleFile } from "../recording/encode";
import type { MusicMixRequest } from "../recording/music";
import { createThread, type ExaminedText } from "./thread";

interface ReadingOptions {
  dictionary?: readonly DictionaryEntry[];
}

/** CPU-bound text and sample processing in worker threads. All methods throw SpeechError. */
export interface SpeechThreads {
  prepareText(content: string, options?: ReadingOptions): Promise<PreparedText>;
  /** For each text: whether it contains speech, and its segment count. */
  examineTexts(contents: readonly string[], options?: ReadingOptions): Promise<ExaminedText[]>;
  splitSegments(content: string): Promise<Segment[]>;
  /** Runs in a separate thread, so that lookups and generation do not delay each other. */
  findPolyphones(content: string, options?: ReadingOptions): Promise<Polyphone[]>;
  master(chunks: SpeechChunk[], options?: MasteringOptions): Promise<Mastered>;
  encode(request: EncodeRequest, signal?: AbortSignal): Promise<Uint8Array>;
  encodeFile(request: EncodeFileRequest, signal?: AbortSignal): Promise<number>;
  mixMusic(request: MusicMixRequest, signal?: AbortSignal): Promise<number>;
  printFile(source: SampleFile, signal?: AbortSignal): Promise<SoundPrint>;
  print(sound: { pcm: Int16Array; sampleRate: number }, signal?: AbortSignal): Promise<SoundPrint>;
  close(): Promise<void>;
}

/** Two threads for text and one per core for samples; each starts on its first task and ends when idle. */
export function createSpeechThreads(): SpeechThreads {
  const [text, lookup] = [createThread(), createThread()];
  const sounds = Array.from({ length: availableParallelism() }, () => createThread());
  const leastBusy = () => sounds.reduce((best, thread) => (thread.load < best.load ? thread : best));
  return {
    prepareText: (content, { dictionary = [] } = {}) => text.run("prepare", { content, dictionary }),
    examineTexts: (contents, { dictionary = [] } = {}) => text.run("examine", { contents, dictionary }),
    splitSegments: (content) => text.run("split", content),
    findPolyphones: (content, { dictionary = [] } = {}) => lookup.run("polyphones", { content, dictionary }),
    master: async (chunks, options = {}) => leastBusy().run("master", { chunks: await toShared(chunks), options }),
    encode: (request, signal) => leastBusy().run("encode", request, signal),
    encodeFile: (request, signal) => leastBusy().run("encodeFile", request, signal),
    mixMusic: (request, signal) => leastBusy().run("mixMusic", request, signal),
    printFile: (source, signal) => leastBusy().run("printFile", source, signal),
    print: (sound, signal) => leastBusy().run("print", sound, signal),
    async close() {
      await Promise.all([text, lookup, ...sounds].map((thread) => thread.close()));
    },
  };
}

/** Copies samples to shared memory, chunk by chunk to keep the event loop responsive. */
async function toShared(chunks: SpeechChunk[]): Promise<SpeechChunk[]> {
  const shared: SpeechChunk[] = [];
  for (const chunk of chunks) {
    await yieldToEventLoop();
    const pcm = new Int16Array(new SharedArrayBuffer(chunk.pcm.byteLength));
    pcm.set(chunk.pcm);
    shared.push({ ...chunk, pcm });
  }
  return shared;
}
