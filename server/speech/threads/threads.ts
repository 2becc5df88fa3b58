import { availableParallelism } from "node:os";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { resolveProgram, startThread } from "../../program";
import { rejectOnAbort } from "../abort";
import type { SoundPrint } from "../analysis";
import type { Polyphone } from "../chinese/polyphones";
import type { DictionaryEntry } from "../chinese/prepare";
import type { Segment } from "../chinese/segment";
import { type PreparedText, type SpeechChunk, SpeechError } from "../engine";
import type { Mastered, MasteringOptions } from "../mastering";
import type { EncodeFileRequest, EncodeRequest, SampleFile } from "../recording/encode";
import type { MusicMixRequest } from "../recording/music";

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

interface TextInput {
  content: string;
  dictionary: readonly DictionaryEntry[];
}

/** Summary of a prepared text. */
interface ExaminedText {
  /** False if nothing in it can be spoken. */
  isSpoken: boolean;
  segments: number;
}

/** Inputs and results of thread tasks. Samples on shared memory are not copied. */
export interface ThreadTasks {
  prepare: { input: TextInput; result: PreparedText };
  examine: { input: { contents: readonly string[]; dictionary: readonly DictionaryEntry[] }; result: ExaminedText[] };
  split: { input: string; result: Segment[] };
  polyphones: { input: TextInput; result: Polyphone[] };
  master: { input: { chunks: SpeechChunk[]; options: MasteringOptions }; result: Mastered };
  encode: { input: EncodeRequest; result: Uint8Array };
  encodeFile: { input: EncodeFileRequest; result: number };
  mixMusic: { input: MusicMixRequest; result: number };
  printFile: { input: SampleFile; result: SoundPrint };
  print: { input: { pcm: Int16Array; sampleRate: number }; result: SoundPrint };
}

export type ThreadTask = keyof ThreadTasks;

export interface ThreadMessage<Task extends ThreadTask = ThreadTask> {
  id: number;
  task: Task;
  input: ThreadTasks[Task]["input"];
}

export type ThreadAnswer = { id: number; result: unknown } | { id: number; error: string };

interface Thread {
  /** Throws SpeechError: 'engine' if the task failed or the thread died, 'cancelled' after an abort or `close`. */
  run<Task extends ThreadTask>(
    task: Task,
    input: ThreadTasks[Task]["input"],
    signal?: AbortSignal,
  ): Promise<ThreadTasks[Task]["result"]>;
  readonly load: number;
  /** False before the first task and after an idle time. */
  readonly isRunning: boolean;
  close(): Promise<void>;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: SpeechError): void;
}

const heapMb = 256;
/** A thread without a task for this time is ended: it holds 30–60 MB. */
const defaultIdleMs = 60_000;

/**
 * A worker thread that starts on demand, restarts after a crash, ends when idle, and keeps the process alive only while
 * it works.
 */
export function createThread({ idleMs = defaultIdleMs } = {}): Thread {
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isClosed = false;
  const pending = new Map<number, Pending>();

  const settle = (id: number, complete: (task: Pending) => void) => {
    const task = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) rest();
    if (task) complete(task);
  };
  const rest = () => {
    worker?.unref();
    clearTimeout(idleTimer);
    idleTimer = setTimeout(end, idleMs).unref();
  };
  const end = async () => {
    const ended = worker;
    worker = undefined;
    clearTimeout(idleTimer);
    await ended?.terminate();
  };
  const rejectAll = (fault: "engine" | "cancelled", message: string) => {
    for (const id of [...pending.keys()]) settle(id, ({ reject }) => reject(new SpeechError(fault, message)));
  };

  const start = () => {
    const program = resolveProgram("./speech/threads", "speech-thread");
    const started = startThread(program, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    const fail = (reason: string) => {
      if (worker !== started) return;
      worker = undefined;
      rejectAll("engine", reason);
    };
    started.on("message", (answer: ThreadAnswer) => {
      if ("error" in answer) settle(answer.id, ({ reject }) => reject(new SpeechError("engine", answer.error)));
      else settle(answer.id, ({ resolve }) => resolve(answer.result));
    });
    started.on("error", (error) => fail(error.message));
    started.on("exit", (code) => fail(`The speech thread exited (${code})`));
    return started;
  };

  return {
    get load() {
      return pending.size;
    },
    get isRunning() {
      return worker !== undefined;
    },
    run(task, input, signal) {
      if (isClosed) return Promise.reject(new SpeechError("cancelled", "The speech threads are closed"));
      if (signal?.aborted) return Promise.reject(new SpeechError("cancelled", "The caller cancelled"));
      const id = ++lastId;
      const result = new Promise<ThreadTasks[typeof task]["result"]>((resolve, reject) => {
        pending.set(id, { resolve: resolve as Pending["resolve"], reject });
      });
      clearTimeout(idleTimer);
      worker ??= start();
      worker.ref();
      worker.postMessage({ id, task, input } satisfies ThreadMessage);
      return rejectOnAbort(result, signal);
    },
    async close() {
      isClosed = true;
      const ended = end();
      rejectAll("cancelled", "The speech threads are closing");
      await ended;
    },
  };
}
