import { type ChildProcess, fork } from "node:child_process";
import pLimit from "p-limit";
import { passOnMessages, resolveProgram } from "../../program";
import { rejectOnAbort } from "../abort";
import { AsyncQueue } from "../async-queue";
import { SpeechError, type SpeechFault } from "../engine";

/** Answers of a model's process to a request; the last one is `end` or `fault`. */
export type ModelAnswer<Part> =
  | { kind: "ready" }
  | { kind: "part"; id: number; part: Part }
  | { kind: "end"; id: number }
  | { kind: "fault"; id: number; fault: SpeechFault; message: string };

/** Requests to it: `work` with an id, or the id of a request to cancel. */
export type ModelRequest<Work> = { id: number; work: Work } | { id: number; work: "cancel" };

export interface ModelProcess<Work, Part> {
  /**
   * Streams the parts of one request; ends soon after an abort. Requests of one lane run one after the other, in the
   * order in which they came. Throws SpeechError.
   */
  run(work: Work, signal: AbortSignal, lane?: number): AsyncGenerator<Part>;
  /** True if the models were loaded; starts the process if needed. */
  isReady(): Promise<boolean>;
  processId(): number | undefined;
  close(): void;
}

export interface ModelProcessOptions {
  /** Names the model in errors. */
  title: string;
  /** Folder and name of the program. */
  program: readonly [string, string];
  /** Passed to the program as JSON. */
  argument: unknown;
  lanes?: number;
  /** A request without an answer for this long ends the process. */
  silentMs?: number;
}

interface RunningProcess {
  child: ChildProcess;
  ready: Promise<boolean>;
}

/** Time for a cancelled request to end before its process is killed. */
const graceMs = 10_000;
/** After models could not be opened. Loading them takes seconds of a core. */
const restartPauseMs = 5_000;
const defaultSilentMs = 60_000;

/** A process with loaded models that starts on demand and restarts after a crash. */
export function createModelProcess<Work, Part>(options: ModelProcessOptions): ModelProcess<Work, Part> {
  const { title, lanes = 1, silentMs = defaultSilentMs } = options;
  const limits = Array.from({ length: lanes }, () => pLimit(1));
  let running: RunningProcess | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let lastId = 0;

  function start(): RunningProcess {
    const { path, nodeArguments, env } = resolveProgram(...options.program);
    const child = fork(path, [JSON.stringify(options.argument)], {
      execArgv: nodeArguments,
      serialization: "advanced",
      env,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    passOnMessages(child, title);
    const ready = new Promise<boolean>((resolve) => {
      child.once("message", () => resolve(true));
      child.once("exit", () => resolve(false));
      child.once("error", () => resolve(false));
    });
    const started = { child, ready };
    child.once("exit", () => {
      if (running === started) running = undefined;
    });
    // Must not keep the server alive.
    child.unref();
    child.channel?.unref();
    return started;
  }

  const current = () => {
    running ??= start();
    return running;
  };

  async function opened(): Promise<ChildProcess> {
    if (performance.now() - failedAt >= restartPauseMs) {
      const { child, ready } = current();
      if (await ready) return child;
      failedAt = performance.now();
    }
    throw new SpeechError("engine", `${title} could not open the model`);
  }

  /** Resolves at the request's turn with its release. */
  function turn(lane: number, signal: AbortSignal): Promise<() => void> {
    const limit = limits[lane] as (typeof limits)[number];
    return new Promise((resolve) => {
      void limit(() => new Promise<void>((free) => (signal.aborted ? free() : resolve(free))));
    });
  }

  async function* run(work: Work, signal: AbortSignal, lane = 0): AsyncGenerator<Part> {
    const release = await rejectOnAbort(turn(lane, signal), signal);
    let answers: ReturnType<typeof readAnswers<Part>> | undefined;
    try {
      const child = await rejectOnAbort(opened(), signal);
      const id = ++lastId;
      answers = readAnswers<Part>(child, { id, title, silentMs, signal });
      child.send({ id, work } satisfies ModelRequest<Work>);
      for await (const answer of answers.queue) {
        if (signal.aborted) break;
        if (answer.kind === "end") return;
        if (answer.kind === "fault") throw new SpeechError(answer.fault, answer.message);
        yield answer.part;
      }
      throw new SpeechError("cancelled", "The caller cancelled");
    } finally {
      // The process may still be busy with a cancelled request: its lane stays taken.
      if (answers) void answers.settle().then(release);
      else release();
    }
  }

  return {
    run,
    isReady: () => current().ready,
    processId: () => running?.child.pid,
    close() {
      running?.child.kill("SIGKILL");
      running = undefined;
    },
  };
}

type RequestAnswer<Part> = Exclude<ModelAnswer<Part>, { kind: "ready" }>;

interface AnswerSource {
  id: number;
  title: string;
  silentMs: number;
  signal: AbortSignal;
}

/** Answers to one request. `settle` cancels it where it still runs, and resolves when the process is done with it. */
function readAnswers<Part>(child: ChildProcess, { id, title, silentMs, signal }: AnswerSource) {
  const queue = new AsyncQueue<RequestAnswer<Part>>();
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let isEnded = false;
  let timer = setTimeout(() => child.kill("SIGKILL"), silentMs);
  const receive = (answer: ModelAnswer<Part>) => {
    if (answer.kind === "ready" || answer.id !== id) return;
    queue.push(answer);
    timer.refresh();
    if (answer.kind !== "part") stop();
  };
  const handleExit = () => receive({ kind: "fault", id, fault: "engine", message: `the process of ${title} ended` });
  const handleAbort = () => queue.end();
  function stop() {
    isEnded = true;
    clearTimeout(timer);
    child.off("message", receive);
    child.off("exit", handleExit);
    signal.removeEventListener("abort", handleAbort);
    finish();
  }
  child.on("message", receive);
  child.on("exit", handleExit);
  signal.addEventListener("abort", handleAbort, { once: true });
  return {
    queue,
    settle(): Promise<void> {
      if (!isEnded) {
        if (child.connected) child.send({ id, work: "cancel" }, () => {});
        clearTimeout(timer);
        timer = setTimeout(() => child.kill("SIGKILL"), graceMs).unref();
      }
      return ended;
    },
  };
}
