import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { rejectOnAbort } from "../abort";
import type { Polyphone } from "../chinese/polyphones";
import type { DictionaryEntry } from "../chinese/prepare";
import type { Segment } from "../chinese/segment";
import { type PreparedText, type SpeechChunk, SpeechError } from "../engine";
import type { Mastered, MasteringOptions } from "../mastering";
import { findProgram } from "../program";
import type { EncodeFileRequest, EncodeRequest, SampleFile } from "../recording/encode";
import type { SoundPrint } from "../recording/fingerprint/fingerprint";

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

export interface Thread {
  /** Throws SpeechError: "engine" where the work failed or the thread died, "cancelled" after the signal or `close`. */
  run<Task extends ThreadTask>(
    task: Task,
    ask: ThreadTasks[Task]["ask"],
    signal?: AbortSignal,
  ): Promise<ThreadTasks[Task]["result"]>;
  /** Tasks in hand. */
  readonly load: number;
  close(): Promise<void>;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: SpeechError): void;
}

const heapMb = 256;

/** One worker thread, started with its first task and again after it died. It keeps the process alive only while it works. */
export function createThread(): Thread {
  let worker: Worker | undefined;
  let lastId = 0;
  let isClosed = false;
  const pending = new Map<number, Pending>();

  const settle = (id: number, act: (task: Pending) => void) => {
    const task = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) worker?.unref();
    if (task) act(task);
  };
  const endAll = (fault: "engine" | "cancelled", message: string) => {
    for (const id of [...pending.keys()]) settle(id, ({ reject }) => reject(new SpeechError(fault, message)));
  };

  const start = () => {
    const started = startWorker();
    const end = (reason: string) => {
      if (worker !== started) return;
      worker = undefined;
      endAll("engine", reason);
    };
    started.on("message", (answer: ThreadAnswer) => {
      if ("error" in answer) settle(answer.id, ({ reject }) => reject(new SpeechError("engine", answer.error)));
      else settle(answer.id, ({ resolve }) => resolve(answer.result));
    });
    started.on("error", (error) => end(error.message));
    started.on("exit", (code) => end(`a speech thread ended (${code})`));
    return started;
  };

  return {
    get load() {
      return pending.size;
    },
    run(task, ask, signal) {
      if (isClosed) return Promise.reject(new SpeechError("cancelled", "The speech threads are closed"));
      if (signal?.aborted) return Promise.reject(new SpeechError("cancelled", "The caller cancelled"));
      const id = ++lastId;
      const result = new Promise<ThreadTasks[typeof task]["result"]>((resolve, reject) => {
        pending.set(id, { resolve: resolve as Pending["resolve"], reject });
      });
      worker ??= start();
      worker.ref();
      worker.postMessage({ id, task, ask } satisfies ThreadMessage);
      return rejectOnAbort(result, signal);
    },
    async close() {
      isClosed = true;
      const ending = worker;
      worker = undefined;
      endAll("cancelled", "speech closes");
      await ending?.terminate();
    },
  };
}

function startWorker(): Worker {
  const { path, env } = findProgram("./threads", "speech-thread");
  const options = { env, resourceLimits: { maxOldGenerationSizeMb: heapMb } };
  if (path.endsWith(".js")) return new Worker(path, options);
  // In a thread, tsx has to be registered before the first import of TypeScript.
  const url = JSON.stringify(pathToFileURL(path).href);
  const loader = `import("tsx/esm/api").then(({ register }) => { register(); return import(${url}); })`;
  return new Worker(loader, { ...options, eval: true });
}
