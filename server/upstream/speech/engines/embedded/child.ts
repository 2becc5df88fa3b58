import { type ChildProcess, fork } from "node:child_process";
import { findProgram } from "../../program";
import type { Answer, CancelMessage, TaskMessage } from "./tasks";

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
  const { path, nodeArguments, env } = findProgram("./engines/embedded", "speech-child");
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
