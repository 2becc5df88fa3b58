/** Worker thread for own text and samples; uploads are decoded in the speech processes instead. */
import { parentPort } from "node:worker_threads";
import type { ThreadAnswer, ThreadMessage, ThreadTask, ThreadTasks } from "./threads";

type Input<Task extends ThreadTask> = ThreadTasks[Task]["input"];

const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

const handlers: { [Task in ThreadTask]: (input: Input<Task>) => Promise<ThreadTasks[Task]["result"]> } = {
  async prepare({ content, dictionary }) {
    const { prepareText } = await import("../chinese/prepare");
    return prepareText(content, { dictionary });
  },
  async examine({ contents, dictionary }) {
    const { prepareText } = await import("../chinese/prepare");
    const { splitSegments } = await import("../chinese/segment");
    const examined = [];
    for (const content of contents) {
      await yieldToEventLoop();
      const { units } = prepareText(content, { dictionary });
      const isSpoken = units.some(({ kind }) => kind !== "pause");
      examined.push({ isSpoken, segments: splitSegments(content).length });
    }
    return examined;
  },
  async split(content) {
    return (await import("../chinese/segment")).splitSegments(content);
  },
  async polyphones({ content, dictionary }) {
    return (await import("../chinese/polyphones")).findPolyphones(content, { dictionary });
  },
  async master({ chunks, options }) {
    return (await import("../mastering")).master(chunks, options);
  },
  async encode(request) {
    return (await import("../recording/encode")).encode(request);
  },
  async encodeFile(request) {
    return (await import("../recording/encode")).encodeFile(request);
  },
  async mixMusic(request) {
    return (await import("../recording/music")).mixMusicFile(request);
  },
  async printFile(source) {
    return (await import("../recording/fingerprint/query")).fingerprintSampleFile(source);
  },
  async print({ pcm, sampleRate }) {
    return (await import("../recording/fingerprint/fingerprint")).createFingerprint(pcm, sampleRate);
  },
};

async function work<Task extends ThreadTask>({ id, task, input }: ThreadMessage<Task>) {
  try {
    const result = await handlers[task](input);
    const moved = result instanceof Uint8Array && result.buffer instanceof ArrayBuffer ? [result.buffer] : [];
    parentPort?.postMessage({ id, result } satisfies ThreadAnswer, moved);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ id, error: message } satisfies ThreadAnswer);
  }
}

parentPort?.on("message", (message: ThreadMessage) => void work(message));
