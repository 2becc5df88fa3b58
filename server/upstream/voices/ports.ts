import type { CallData } from "~server/contract/calls/table";
import type { RecordingQuality } from "~server/contract/recording/quality";
import type { Db } from "../db/database";
import type { MediaFiles } from "../media/files";
import type { PreparedText, SpeechChunk, SpeechEngine, Timeline, VoiceProfile } from "../speech/engine";

/** Who a file or a task belongs to: `account:<id>` or `visitor:<id>`; null is everybody's. */
export type Owner = `account:${string}` | `visitor:${string}`;

/** A voice to speak with. */
export interface Voice {
  profile: VoiceProfile;
  /** What it was learned from: nothing of it outlives that. Null for one made from numbers. */
  recordingId: string | null;
}

export interface Inspection {
  samples: Float32Array;
  sampleRate: number;
  quality: RecordingQuality;
  format: string;
}

export interface Mastered {
  pcm: Int16Array;
  sampleRate: number;
  /** Absent where the engine gives none. */
  timeline?: Timeline;
  /** `engine@version` of all that spoke it, separated by commas. */
  spokenBy?: string;
}

/** A sound that lies in a file: 16-bit mono samples without a header. */
export interface MixedSound {
  path: string;
  samples: number;
  sampleRate: number;
  /** JSON in pieces; null where there is none. */
  timeline: readonly string[] | null;
  spokenBy?: string;
}

/** What the domains need of speech; services.ts puts it together. */
export interface SpeechParts {
  engine(): Promise<SpeechEngine>;
  /** Decodes and judges an upload apart from this process. Throws SpeechError. */
  inspect(bytes: Uint8Array, signal?: AbortSignal): Promise<Inspection>;
  encode(
    sound: { pcm: Int16Array; sampleRate: number; format: "mp3" | "wav"; explicitMark?: boolean },
    signal?: AbortSignal,
  ): Promise<Uint8Array>;
  /** The same from file to file in constant memory. Answers the bytes written to `to`, where nothing may be yet. */
  encodeFile(
    request: {
      source: Pick<MixedSound, "path" | "samples" | "sampleRate">;
      format: "mp3" | "wav";
      explicitMark: boolean;
      to: string;
    },
    signal?: AbortSignal,
  ): Promise<number>;
  /** What samples in a file are known again by; nothing where they last longer than a file to be verified may. */
  printFile(source: Pick<MixedSound, "path" | "samples" | "sampleRate">, signal?: AbortSignal): Promise<SoundPrint>;
  /** What a sound, or an audio file, is known again by. */
  print(sound: { pcm: Int16Array; sampleRate: number } | Uint8Array, signal?: AbortSignal): Promise<SoundPrint>;
  /** What a file is looked up by; throws SpeechError 'reference' for what cannot be decoded or is too long. */
  hear(bytes: Uint8Array, signal?: AbortSignal): Promise<HeardPrint>;
  /** The same as it may have been before somebody made it faster, slower, higher or lower. */
  hearAltered(bytes: Uint8Array, signal?: AbortSignal): Promise<HeardPrint[]>;
  prepareText(content: string, options?: { dictionary?: readonly DictionaryEntry[] }): Promise<PreparedText>;
  /** For each text whether anything of it can be spoken, and in how many segments. */
  examineTexts(
    contents: readonly string[],
    options?: { dictionary?: readonly DictionaryEntry[] },
  ): Promise<Array<{ isSpoken: boolean; segments: number }>>;
  splitSegments(content: string): Promise<Array<{ text: string; offset: number }>>;
  /** The characters of a text that can be read in more than one way. */
  findPolyphones(
    content: string,
    options?: { dictionary?: readonly DictionaryEntry[] },
  ): Promise<CallData<"readings">["list"]>;
  master(chunks: SpeechChunk[], options: { volumeDb: number }): Promise<Mastered>;
}

/** What is kept of a sound: words of 24 bits every 32 ms, the highest bit set where something sounds, and the words to find it by. */
export interface SoundPrint {
  words: Uint32Array;
  keys: Int32Array;
  /** Of the keys among the words. */
  places: Int32Array;
}

/** The same of a sound that may be any part of a kept one, in steps of 8 ms. */
export interface HeardPrint {
  phases: Uint32Array[];
  keys: Int32Array;
  places: Int32Array;
}

/** A word of an account's own dictionary; syllables with tone digits, separated by spaces. */
export interface DictionaryEntry {
  word: string;
  pinyin: string;
}

/** The words of one account, for everything it has spoken. */
export type DictionaryOf = (accountId: string) => Promise<DictionaryEntry[]>;

/** What an account may generate now. `left`: characters of the month, or trials where there is no tier. */
export interface Allowance {
  tier: "vip" | "svip" | null;
  /** Characters per generation. */
  limit: number;
  left: number;
}

interface SpendRequest {
  accountId: string;
  taskId: string;
  /** The account's, as `allowanceOf` told before the transaction. */
  tier: "vip" | "svip" | null;
  /** What is to be paid for; 0 takes nothing. */
  characters: number;
}

/**
 * What a generation takes: characters of a member, one of three trials of anybody else. Reserved when the task is made,
 * settled or released in the transaction that ends it; each ends a task once and is harmless the second time.
 */
export interface Spending {
  allowanceOf(accountId: string): Promise<Allowance>;
  /** Throws entitlement `{reason: "quota" | "trial", need?, left, limit?}`; nothing is taken then. */
  reserve(trx: Db, request: SpendRequest): Promise<void>;
  settle(trx: Db, taskId: string): Promise<void>;
  release(trx: Db, taskId: string): Promise<void>;
}

export interface TaskProgress {
  kind: "clone" | "dub" | "trial" | "role";
  taskId: string;
  /** 1 running, 2 done, 3 failed. */
  status: 1 | 2 | 3;
  /** 0-1. */
  progress: number;
  segDone: number;
  segTotal: number;
  queuePos: number;
  /** ErrorCode of a failed one, else "". */
  msg: string;
}

/** Tells the owner's pages of a task; in a transaction it is told when that commits. */
export type TellTask = (trx: Db, owner: Owner, progress: TaskProgress) => Promise<void>;

/** A noun whose tasks people may stop and start again. */
export interface Stoppable {
  /** Stops what waits or runs and gives back what was reserved; false when the task is not one of its own. */
  cancel(owner: Owner, taskId: string): Promise<boolean>;
  /** Runs a failed one again, reserving anew; false when the task is not one of its own. Throws entitlement. */
  retry(owner: Owner, taskId: string): Promise<boolean>;
}

/** What was made with roles, of one noun. */
export interface RoleOutputs {
  /** Stops and forgets what this owner made with the role; other people's stays theirs. */
  forgetRole(trx: Db, owner: Owner, roleId: string): Promise<void>;
  /** How many this owner made with each of the roles; those with none may be left out. */
  countByRole(owner: Owner, roleIds: string[]): Promise<Map<string, number>>;
}

/** Files by id, as the domains use them. */
export type Files = Pick<
  MediaFiles,
  "keep" | "read" | "remove" | "give" | "isOwn" | "show" | "expire" | "removeExpired"
>;
