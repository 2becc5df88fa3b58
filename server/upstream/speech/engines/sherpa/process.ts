import { type ChildProcess, fork } from "node:child_process";
import { resolveProgram } from "../../../program";
import { rejectOnAbort } from "../../abort";
import { SpeechError } from "../../engine";
import type { MeasuredSpeed, Samples, SherpaAnswer, SherpaRequest, SherpaTranscript } from "./models";

export interface SherpaProcess {
  /** Streams parts; ends soon after an abort. Throws SpeechError. */
  speak(input: SynthesisInput, signal: AbortSignal): AsyncGenerator<Samples>;
  /** Transcribes a recording. Throws SpeechError. */
  transcribe(recording: Samples, signal?: AbortSignal): Promise<SherpaTranscript>;
  /** The vector of a voice. Throws SpeechError. */
  embed(recording: Samples, signal?: AbortSignal): Promise<Float32Array>;
  /** True if the models were loaded; starts the process if needed. */
  isReady(): Promise<boolean>;
  processId(): number | undefined;
  close(): void;
}

type SynthesisInput = Omit<Extract<SherpaRequest, { kind: "speak" }>, "kind" | "id">;

/** The arguments of the process. */
export interface SherpaProcessOptions {
  /** Contains a voice model; without one the process does not speak. */
  folder?: string | undefined;
  /** Contains a recogniser. */
  recogniser?: string | undefined;
  /** Contains a speaker model. */
  speaker?: string | undefined;
  /** Resident memory above which an idle process ends, and starts again with the next request. */
  maxMegabytes?: number;
  /** Instead of what the installation measured. */
  speed?: MeasuredSpeed;
  /** Shorter sentences are spoken together with the next: a model needs context, a listener the first sound. */
  minCharacters?: number;
}

type Work = (SynthesisInput & { kind: "speak" }) | (Samples & { kind: "transcribe" | "embed" });

interface Running {
  child: ChildProcess;
  ready: Promise<boolean>;
}

const graceMs = 10_000;
/** After models could not be opened. Loading them takes seconds of a core. */
const restartPauseMs = 5_000;

/** A process with loaded models that starts on demand, restarts after a crash and handles one request at a time. */
export function createSherpaProcess(options: SherpaProcessOptions): SherpaProcess {
  let running: Running | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let lastId = 0;
  /** Resolves when the current request has ended in the process. */
  let idle: Promise<unknown> = Promise.resolve();

  function start(): Running {
    const { path, nodeArguments, env } = resolveProgram("./speech/engines/sherpa", "sherpa-child");
    const child = fork(path, [JSON.stringify(options)], {
      execArgv: nodeArguments,
      serialization: "advanced",
      env,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
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

  /** Loading models takes seconds. */
  async function opened(): Promise<ChildProcess> {
    if (performance.now() - failedAt >= restartPauseMs) {
      const { child, ready } = current();
      if (await ready) return child;
      failedAt = performance.now();
    }
    throw new SpeechError("engine", "sherpa-onnx could not open the models");
  }

  async function* run(work: Work, signal: AbortSignal) {
    const before = idle;
    let finish = () => {};
    idle = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const child = await rejectOnAbort(before.then(opened), signal).catch((error) => {
      void before.then(finish);
      throw error;
    });
    const id = ++lastId;
    const answers = readReplies(child, id, signal);
    child.send({ id, ...work } satisfies SherpaRequest);
    void answers.ended.then(finish);
    try {
      for (;;) {
        const answer = await answers.next();
        if (answer.kind === "end") return;
        if (answer.kind === "fault") throw new SpeechError("engine", answer.message);
        yield answer;
      }
    } finally {
      cancelRequest(child, { id, ended: answers.ended });
    }
  }

  return {
    async *speak(input, signal) {
      for await (const answer of run({ kind: "speak", ...input }, signal)) if (answer.kind === "part") yield answer;
    },
    async transcribe(recording, signal = never) {
      for await (const answer of run({ kind: "transcribe", ...recording }, signal))
        if (answer.kind === "text") return answer.transcript;
      throw new SpeechError("engine", "sherpa-onnx returned no transcript");
    },
    async embed(recording, signal = never) {
      for await (const answer of run({ kind: "embed", ...recording }, signal))
        if (answer.kind === "embedding") return answer.embedding;
      throw new SpeechError("engine", "sherpa-onnx returned no embedding");
    },
    isReady: () => current().ready,
    processId: () => running?.child.pid,
    close() {
      running?.child.kill("SIGKILL");
      running = undefined;
    },
  };
}

/** Cancels a request, which ends after the current sentence; kills the process after a grace period. */
function cancelRequest(child: ChildProcess, { id, ended }: { id: number; ended: Promise<void> }) {
  if (child.connected) child.send({ kind: "cancel", id } satisfies SherpaRequest, () => {});
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  timer.unref();
  void ended.then(() => clearTimeout(timer));
}

const never = new AbortController().signal;

type Reply = Exclude<SherpaAnswer, { kind: "ready" }>;

/** Replies to one request; `ended` resolves even if they are no longer read. */
function readReplies(child: ChildProcess, id: number, signal: AbortSignal) {
  const queue: Reply[] = [];
  let wake = () => {};
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const enqueue = (part: Reply) => {
    queue.push(part);
    if (part.kind === "end" || part.kind === "fault") {
      finish();
      child.off("message", receive);
      child.off("exit", handleExit);
      signal.removeEventListener("abort", handleAbort);
    }
    wake();
  };
  const receive = (answer: SherpaAnswer) => {
    if (answer.kind !== "ready" && answer.id === id) enqueue(answer);
  };
  const handleExit = () => enqueue({ kind: "fault", id, message: "The sherpa-onnx process ended" });
  child.on("message", receive);
  child.on("exit", handleExit);
  const handleAbort = () => wake();
  signal.addEventListener("abort", handleAbort, { once: true });
  return {
    ended,
    async next(): Promise<Reply> {
      for (;;) {
        if (signal.aborted) throw new SpeechError("cancelled", "The caller cancelled");
        const part = queue.shift();
        if (part) return part;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
