import { endWithParent } from "../../program";
import { SpeechError } from "../engine";
import type { ModelAnswer, ModelRequest } from "./model-process";

/** What a request may do beside returning. */
export interface ModelTask<Part> {
  send(part: Part): void;
  isCancelled(): boolean;
}

export interface ModelService<Work, Part> {
  /** Resolves when the models can be used. The process ends if it rejects. */
  opened: Promise<unknown>;
  /** Resident memory above which the process ends; a request in progress may double it before it fails. */
  maxMegabytes: number;
  perform(work: Work, task: ModelTask<Part>): Promise<void>;
}

const memoryCheckMs = 1_000;
const megabyte = 2 ** 20;

/** Answers the requests of `createModelProcess` in the process that has the models. */
export function serveModel<Work, Part>({ opened, maxMegabytes, perform }: ModelService<Work, Part>): void {
  const cancelled = new Set<number>();
  let running = 0;
  const send = (answer: ModelAnswer<Part>) => {
    if (process.connected) process.send?.(answer);
  };

  async function answer(id: number, work: Work) {
    running++;
    const isCancelled = () => cancelled.has(id);
    try {
      await perform(work, { isCancelled, send: (part) => !isCancelled() && send({ kind: "part", id, part }) });
      send({ kind: "end", id });
    } catch (error) {
      const fault = error instanceof SpeechError ? error.fault : "engine";
      send({ kind: "fault", id, fault, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running--;
      cancelled.delete(id);
    }
  }

  process.on("message", ({ id, work }: ModelRequest<Work>) => {
    if (work === "cancel") cancelled.add(id);
    else void answer(id, work);
  });
  endWithParent();
  // The server starts another process with the next request.
  setInterval(() => {
    const megabytes = process.memoryUsage.rss() / megabyte;
    if (megabytes > maxMegabytes * (running > 0 ? 2 : 1)) process.exit(0);
  }, memoryCheckMs).unref();
  opened.then(
    () => send({ kind: "ready" }),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
}
