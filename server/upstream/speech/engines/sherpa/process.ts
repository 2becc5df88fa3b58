import { type ChildProcess, fork } from "node:child_process";
import { rejectOnAbort } from "../../abort";
import { SpeechError } from "../../engine";
import { findProgram } from "../../program";

/** What the server asks of the child that runs sherpa-onnx, and what it answers. */
export type SherpaAsk =
  | {
      kind: "speak";
      id: number;
      text: string;
      speed: number;
      voice: { samples: Float32Array; sampleRate: number; text: string } | null;
    }
  | { kind: "cancel"; id: number };

export type SherpaAnswer =
  | { kind: "ready"; sampleRate: number }
  | { kind: "part"; id: number; samples: Float32Array; sampleRate: number }
  | { kind: "end"; id: number }
  | { kind: "fault"; id: number; message: string };

export interface SherpaProcess {
  /** Parts as they come; ends soon after the signal. Throws SpeechError. */
  speak(ask: SpeakAsk, signal: AbortSignal): AsyncGenerator<{ samples: Float32Array; sampleRate: number }>;
  /** Whether the models could be opened; starts the process where none runs. */
  isReady(): Promise<boolean>;
  processId(): number | undefined;
  close(): void;
}

type SpeakAsk = Omit<Extract<SherpaAsk, { kind: "speak" }>, "kind" | "id">;

interface Running {
  child: ChildProcess;
  ready: Promise<boolean>;
}

const graceMs = 10_000;

/** One process that has the models open, started when first needed and again after it died; it does one thing at a time. */
export function createSherpaProcess(folder: string): SherpaProcess {
  let running: Running | undefined;
  let lastId = 0;
  /** The end of what the process does now, whoever still listens. */
  let idle: Promise<unknown> = Promise.resolve();

  function start(): Running {
    const { path, nodeArguments, env } = findProgram("./engines/sherpa", "sherpa-child");
    const child = fork(path, [folder], {
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
    // It must not keep the server alive.
    child.unref();
    child.channel?.unref();
    return started;
  }

  const current = () => {
    running ??= start();
    return running;
  };

  /** Opening models takes seconds. */
  async function opened(): Promise<ChildProcess> {
    const { child, ready } = current();
    if (await ready) return child;
    throw new SpeechError("engine", "sherpa-onnx could not open the models");
  }

  async function* speak(ask: SpeakAsk, signal: AbortSignal) {
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
    const answers = listen(child, id, signal);
    child.send({ kind: "speak", id, ...ask } satisfies SherpaAsk);
    void answers.ended.then(finish);
    try {
      for (;;) {
        const answer = await answers.next();
        if (answer.kind === "end") return;
        if (answer.kind === "fault") throw new SpeechError("engine", answer.message);
        yield { samples: answer.samples, sampleRate: answer.sampleRate };
      }
    } finally {
      leave(child, { id, ended: answers.ended });
    }
  }

  return {
    speak,
    isReady: () => current().ready,
    processId: () => running?.child.pid,
    close() {
      running?.child.kill("SIGKILL");
      running = undefined;
    },
  };
}

/** It stops after its sentence; one that does not is ended, and the next request starts another. */
function leave(child: ChildProcess, { id, ended }: { id: number; ended: Promise<void> }) {
  if (child.connected) child.send({ kind: "cancel", id } satisfies SherpaAsk, () => {});
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  timer.unref();
  void ended.then(() => clearTimeout(timer));
}

type Part = Extract<SherpaAnswer, { kind: "part" | "end" | "fault" }>;

/** The answers to one request, as they come, and its end even when nobody asks for them any more. */
function listen(child: ChildProcess, id: number, signal: AbortSignal) {
  const waiting: Part[] = [];
  let wake = () => {};
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const take = (part: Part) => {
    waiting.push(part);
    if (part.kind !== "part") {
      finish();
      child.off("message", hear);
      child.off("exit", gone);
    }
    wake();
  };
  const hear = (answer: SherpaAnswer) => {
    if (answer.kind !== "ready" && answer.id === id) take(answer);
  };
  const gone = () => take({ kind: "fault", id, message: "The sherpa-onnx process ended" });
  child.on("message", hear);
  child.on("exit", gone);
  signal.addEventListener("abort", () => wake(), { once: true });
  return {
    ended,
    async next(): Promise<Part> {
      for (;;) {
        if (signal.aborted) throw new SpeechError("cancelled", "The caller cancelled");
        const part = waiting.shift();
        if (part) return part;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
