import { type ChildProcess, fork } from "node:child_process";
import type { AlignRequest, AlignResult, PreparedText, SpeechChunk, SpeechFault, SpeechRequest } from "../../engine";
import { resolveProgram } from "../../program";
import type { InspectedRecording } from "../../recording/decode";
import type { HeardPrint, SoundPrint } from "../../recording/fingerprint/fingerprint";
import type { Enrolled } from "./voice/enrolment";

/** What a child process can be asked, and what it answers. Speaking answers in chunks, the rest in one result. */
export interface Tasks {
  speak: { ask: SpeechRequest; part: SpeechChunk; result: null };
  enrol: {
    ask: { samples: Float32Array; sampleRate: number; transcript?: PreparedText };
    part: never;
    result: Enrolled;
  };
  inspect: { ask: Uint8Array; part: never; result: InspectedRecording };
  print: { ask: Uint8Array; part: never; result: SoundPrint };
  hear: { ask: Uint8Array; part: never; result: HeardPrint };
  hearAltered: { ask: Uint8Array; part: never; result: HeardPrint[] };
  align: { ask: AlignRequest; part: never; result: AlignResult };
  warm: { ask: null; part: never; result: null };
}

export type TaskKind = keyof Tasks;

export interface TaskMessage<Kind extends TaskKind = TaskKind> {
  id: number;
  kind: Kind;
  ask: Tasks[Kind]["ask"];
}

export interface CancelMessage {
  id: number;
  kind: "cancel";
}

export type Answer =
  | { id: number; part: unknown }
  | { id: number; result: unknown; residentBytes: number }
  | { id: number; fault: SpeechFault; message: string; residentBytes: number };

export interface Child {
  send(message: TaskMessage | CancelMessage): void;
  kill(): void;
  /** While it works the child keeps this process alive; idle it does not. */
  hold(busy: boolean): void;
  readonly pid: number | undefined;
}

interface ChildEvents {
  onAnswer(answer: Answer): void;
  onEnd(reason: string): void;
}

/** A speech process in a process group of its own, so that killing it takes its eSpeak along. */
export function startChild(heapMb: number, { onAnswer, onEnd }: ChildEvents): Child {
  const { path, nodeArguments, env } = resolveProgram("./engines/embedded", "speech-child");
  const running: ChildProcess = fork(path, {
    execArgv: [`--max-old-space-size=${heapMb}`, ...nodeArguments],
    serialization: "advanced",
    detached: true,
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let ended = false;
  const end = (reason: string) => {
    if (ended) return;
    ended = true;
    onEnd(reason);
  };
  running.on("message", (answer) => onAnswer(answer as Answer));
  running.on("error", (error) => end(error.message));
  running.on("exit", (code, signal) => end(`The speech process ended (${signal ?? code})`));

  function kill() {
    end("The speech process was stopped");
    if (running.pid === undefined) return;
    try {
      process.kill(-running.pid, "SIGKILL");
    } catch {
      running.kill("SIGKILL");
    }
  }

  function hold(busy: boolean) {
    if (busy) {
      running.ref();
      running.channel?.ref();
    } else {
      running.unref();
      running.channel?.unref();
    }
  }

  return { send: (message) => running.send(message, () => {}), kill, hold, pid: running.pid };
}
