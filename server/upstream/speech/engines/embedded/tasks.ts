import type { Aligned, AlignRequest } from "../../alignment";
import type { PreparedText, SpeechChunk, SpeechFault, SpeechRequest } from "../../engine";
import type { HeardPrint, SoundPrint } from "../../fingerprint/fingerprint";
import type { InspectedRecording } from "../../workshop";
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
  align: { ask: AlignRequest; part: never; result: Aligned };
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
