import type { SpeechRequest } from "../../engine";
import type { ReferenceLimits, RemoteVoice } from "./reference";
import type { WriteUnit } from "./runs";
import type { PcmSound } from "./samples";

/** Input of a backend. */
export interface RemoteSpeech {
  text: string;
  voice: RemoteVoice;
  /** Within `speeds`; the remainder is applied to the audio. */
  speed: number;
  emotion: SpeechRequest["emotion"];
  /** Whether the vendor's one-time charge per voice is accepted, see `SpeechRequest`. */
  mayPay: boolean;
}

/** A synthesiser outside this process. */
export interface Backend {
  id: string;
  /** Version of the protocol, and of the model if serverSpeed. */
  version: string;
  maxChars: number;
  languages: readonly string[];
  reference: ReferenceLimits;
  /** Supported speeds; null if fixed. */
  speeds: readonly [number, number] | null;
  /** Notation of readings; absent if the server reads characters. */
  write?: WriteUnit;
  /** Creates a voice at the vendor under this name, where recordings do not travel with requests; returns its id there. */
  createVoice?(reference: RemoteVoice, name: string, signal: AbortSignal): Promise<string>;
  /** Deletes the voice of this name; succeeds if there is none. */
  deleteVoice?(name: string, signal: AbortSignal): Promise<void>;
  /** Ends soon after an abort. */
  say(speech: RemoteSpeech, signal: AbortSignal): AsyncIterable<PcmSound>;
  probe(): Promise<boolean>;
  close?(): void;
}
