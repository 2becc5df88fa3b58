import { type ChildProcess, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { passOnMessages, resolveProgram } from "../../../program";
import type {
  AlignRequest,
  AlignResult,
  HeardFile,
  HeardPrint,
  ProofMeasures,
  ProofRequest,
  SoundPrint,
} from "../../analysis";
import type { SpeechChunk, SpeechFault, SpeechRequest } from "../../engine";
import type { MonoSound } from "../../recogniser";
import type { InspectedRecording } from "../../recording/decode";
import type { ReadMusic } from "../../recording/music";
import type { RecordedPhrase } from "../../recording/phrases";
import type { Enrolled, Reference } from "./voice/enrolment";

/** Tasks of a speech process: input, streamed parts (synthesis only) and result. */
export interface Tasks {
  speak: { input: SpeechRequest; part: SpeechChunk; result: null };
  enrol: { input: Reference; part: never; result: Enrolled };
  inspect: { input: Uint8Array; part: never; result: InspectedRecording };
  describeVoice: { input: MonoSound; part: never; result: number[] | null };
  denoise: { input: Uint8Array; part: never; result: Uint8Array };
  music: { input: Uint8Array; part: never; result: ReadMusic };
  print: { input: Uint8Array; part: never; result: SoundPrint };
  hear: { input: Uint8Array; part: never; result: HeardFile };
  hearAltered: { input: MonoSound; part: never; result: HeardPrint[] };
  phrases: { input: Uint8Array; part: never; result: RecordedPhrase[] };
  align: { input: AlignRequest; part: never; result: AlignResult };
  prove: { input: ProofRequest; part: never; result: ProofMeasures };
}

export type TaskKind = keyof Tasks;

export interface TaskMessage<Kind extends TaskKind = TaskKind> {
  id: number;
  kind: Kind;
  input: Tasks[Kind]["input"];
}

export interface CancelMessage {
  id: number;
  kind: "cancel";
}

export type ChildAnswer =
  | { id: number; part: unknown }
  | { id: number; result: unknown; residentBytes: number }
  | { id: number; fault: SpeechFault; message: string; residentBytes: number };

export interface Child {
  send(message: TaskMessage | CancelMessage): void;
  kill(): void;
  /** A busy child keeps this process alive; an idle one does not. */
  setBusy(isBusy: boolean): void;
  readonly pid: number | undefined;
}

interface ChildEvents {
  onAnswer(answer: ChildAnswer): void;
  onEnd(reason: string): void;
}

/** Starts a speech process in its own process group, so that killing it also ends its eSpeak process. */
export function startChild(heapMb: number, { onAnswer, onEnd }: ChildEvents): Child {
  const { path, nodeArguments, env } = resolveProgram("./speech/engines/embedded", "speech-child");
  const running: ChildProcess = fork(path, {
    execArgv: [`--max-old-space-size=${heapMb}`, ...nodeArguments],
    serialization: "advanced",
    detached: true,
    env,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  passOnMessages(running, "A speech process");
  if (running.pid !== undefined) yieldToPages(running.pid);
  let ended = false;
  const end = (reason: string) => {
    if (ended) return;
    ended = true;
    onEnd(reason);
  };
  running.on("message", (answer) => onAnswer(answer as ChildAnswer));
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

  function setBusy(isBusy: boolean) {
    if (isBusy) {
      running.ref();
      running.channel?.ref();
    } else {
      running.unref();
      running.channel?.unref();
    }
  }

  return { send: (message) => running.send(message, () => {}), kill, setBusy, pid: running.pid };
}

/**
 * Lowers the priority of a process and its later children: two speech processes leave two cores to the server whenever
 * it needs them. The process leads a session, which Linux schedules as one group: the group's priority counts too.
 */
function yieldToPages(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform === "linux") writeFileSync(`/proc/${pid}/autogroup`, "10");
  } catch {
    // Not permitted, or a kernel without such groups.
  }
}
