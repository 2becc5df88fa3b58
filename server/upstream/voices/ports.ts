import type { RawBuilder } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import type { RecordingQuality } from "~server/contract/recording/quality";
import type { PreparedText, SpeechChunk, SpeechEngine, VoiceProfile } from "../../speech/engine";
import type {
  createSpeechThreads,
  EmbeddedEngine,
  Likeness,
  LikenessRequest,
  MeasureProof,
  MonoSound,
  Recogniser,
  SoundPrint,
  SpeakerVerifier,
  Transcription,
  VoiceDesigns,
} from "../../speech/index";
import type { Db } from "../db/database";
import type { MediaFiles } from "../media/files";
import type { Owner } from "../owner";

export interface Voice {
  profile: VoiceProfile;
  /** The recording it was learned from, which ends the voice when it is deleted; null for a designed voice. */
  recordingId: string | null;
  /** Its owner accepted what a vendor bills once per voice. */
  isFeeAccepted?: boolean;
  /** For a voice that its vendor lost: learned again from its recording. Throws as `Profiles.ofRecording` does. */
  learnAgain?(signal: AbortSignal): Promise<Voice>;
}

export interface Inspection {
  samples: Float32Array;
  sampleRate: number;
  quality: RecordingQuality;
  format: string;
}

/** A spoken text; `spokenBy` names all engines used, separated by commas. */
export type Mastered = Omit<SpeechChunk, "silence">;

/** A file of 16-bit mono samples without a header. */
export interface MixedSound {
  path: string;
  samples: number;
  sampleRate: number;
  /** JSON in pieces; null without a timeline. */
  timeline: readonly string[] | null;
  spokenBy?: string;
  /** The speech without the uploaded file that was mixed into it; absent if it is all speech or was made here. */
  speech?: MixedSound;
}

/** Tells voices apart, for the list of blocked voices. */
export interface Voiceprints {
  /** Voiceprints of different models cannot be compared. */
  readonly model: string;
  /** Null for less than two seconds of speech. Throws SpeechError. */
  describe(sound: MonoSound, signal?: AbortSignal): Promise<number[] | null>;
  isSameVoice(one: readonly number[], other: readonly number[]): boolean;
}

type Threads = ReturnType<typeof createSpeechThreads>;

/** Speech functions of the domains; built in compose/speech.ts. They throw SpeechError. */
export interface SpeechParts
  extends Pick<Threads, "encode" | "encodeFile" | "mixMusic" | "printFile">,
    Pick<Threads, "prepareText" | "examineTexts" | "splitSegments" | "findPolyphones">,
    Pick<EmbeddedEngine, "denoise" | "readMusic" | "hear" | "hearAltered"> {
  /** The engine that speaks now. All calls with the signal of one job get the same, so that it ends as it began. */
  engine(job?: AbortSignal): Promise<SpeechEngine>;
  /** Decodes and judges an upload in another process. */
  inspect(bytes: Uint8Array, signal?: AbortSignal): Promise<Inspection>;
  voiceprints: Voiceprints;
  /** The fingerprint of a sound or an audio file. */
  print(sound: { pcm: Int16Array; sampleRate: number } | Uint8Array, signal?: AbortSignal): Promise<SoundPrint>;
  /** Measures in another process whether a recording proves the consent of the reference's speaker. */
  measureProof: MeasureProof;
  /** Absent without an installed recogniser, as is `transcribe`. */
  recogniser?: Recogniser;
  /** Finds places where a recogniser hears something other than the text; absent without one, or if turned off. */
  checkSpeech?(
    chunks: readonly SpeechChunk[],
    text: PreparedText,
    signal: AbortSignal,
  ): Promise<NonNullable<Mastered["doubts"]>>;
  /** Writes down an audio file of up to 5 minutes. */
  transcribe?(bytes: Uint8Array, signal?: AbortSignal): Promise<Transcription>;
  /** Absent without an installed speaker model, as is `measureLikeness`. */
  speakerVerifier?: SpeakerVerifier;
  /** Likeness of a voice to its recording. */
  measureLikeness?(request: LikenessRequest): Promise<Likeness | null>;
  /** Voices of no real person, by descriptions in words. */
  designs: VoiceDesigns;
  master(chunks: SpeechChunk[], options: { volumeDb: number }): Promise<Mastered>;
}

/** A word of an account's dictionary; syllables with tone digits, separated by spaces. */
export interface DictionaryEntry {
  word: string;
  pinyin: string;
}

export type DictionaryOf = (accountId: string) => Promise<DictionaryEntry[]>;

/** Generations that an account can pay for now. `left` counts characters of the month, or trials without a tier. */
export type Allowance = CallData<"allowance">;

interface SpendRequest {
  accountId: string;
  taskId: string;
  /** From `allowanceOf`, before the transaction. */
  tier: "vip" | "svip" | null;
  /** To pay; 0 reserves nothing. */
  characters: number;
  /** The key that asked for it, whose limit of the month counts it too. */
  apiKeyId?: string | undefined;
}

/**
 * The price of a generation: characters of a member, one trial of any other account. Reserved when the task is created,
 * settled or released in the transaction that ends it; both are idempotent.
 */
export interface Spending {
  allowanceOf(accountId: string): Promise<Allowance>;
  /** Throws entitlement `{reason: "quota" | "trial", need?, left, limit?}`; nothing is reserved then. */
  reserve(trx: Db, request: SpendRequest): Promise<void>;
  settle(trx: Db, taskId: string): Promise<void>;
  release(trx: Db, taskId: string): Promise<void>;
}

/** Generations of one kind, by role. */
export interface RoleOutputs {
  /** Stops and deletes the owner's generations with the role; other owners' stay. */
  forgetRole(trx: Db, owner: Owner, roleId: string): Promise<void>;
  /** Stops and deletes every owner's generations with these roles and recordings. Returns their number. */
  forgetVoice(trx: Db, voice: { roleIds: string[]; recordingIds: string[] }): Promise<number>;
  /** Selects `task_id`, `owner` and `role_id`: the roles that each task speaks with. */
  roles: RawBuilder<unknown>;
}

export type Files = Pick<
  MediaFiles,
  "keep" | "read" | "remove" | "give" | "isOwn" | "show" | "expire" | "removeExpired"
>;
