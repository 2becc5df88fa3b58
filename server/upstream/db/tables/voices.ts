import type { ColumnType, Generated, GeneratedAlways } from "kysely";

/** A file people can be answered with: whose it is, what it is, where its bytes lie. */
export interface MediaFileTable {
  /** Random and opaque; part of the file's URL. */
  id: string;
  /** `account:<id>` or `visitor:<id>`; null is everybody's. */
  owner: string | null;
  is_public: boolean;
  kind: "recording" | "speech" | "image" | "timeline";
  mime: string;
  bytes: number;
  storage_key: string;
  /** Extension without a dot. */
  format: string;
  /** Of the AI-content label; null for what was not generated. */
  produce_id: string | null;
  label_time: Date | null;
  created_at: Generated<Date>;
  expires_at: Date | null;
}

/** A reference recording: somebody's voice as they sent it. */
export interface RecordingTable {
  id: Generated<string>;
  /** The media file that holds the bytes; part of its URL. */
  file_id: string;
  /** `account:<id>` or `visitor:<id>`. */
  owner: string;
  name: string;
  url: string;
  duration_ms: number;
  quality: ColumnType<unknown, string, string>;
  /** What the engine learned from it, and from which transcript by which engine. */
  profile: ColumnType<unknown, string | null, string | null>;
  profile_key: string | null;
  /** To be gone once nothing that runs needs it; nobody can find it any more. */
  erase_asked: Generated<boolean>;
  created_at: Generated<Date>;
}

/** A file with the audible mark, for download. */
export interface Download {
  format: string;
  url: string;
}

/** Text as a voice spoke it: the file to play, the downloads, and the timeline. */
export interface RenditionTable {
  id: Generated<string>;
  /** `account:<id>` or `visitor:<id>`; null is everybody's. */
  owner: string | null;
  /** File id within `play_url`. */
  play_id: string;
  play_url: string;
  downloads: ColumnType<Download[], string, string>;
  timeline_url: string | null;
  duration_ms: number;
  /** `engine@version`, separated by commas; null before it was recorded. */
  spoken_by: string | null;
  created_at: Generated<Date>;
}

/** Synthesised pieces of text, kept for the retry and for the same words again. */
export interface SegmentTable {
  fingerprint: string;
  /** Key of the raw samples in the media store. */
  key: string;
  chunks: ColumnType<unknown, string, string>;
  /** Hash of the voice that speaks: with a voice all it ever said can be forgotten. */
  voice: string | null;
  /** The same of the voice whose tone it has. */
  tone: string | null;
  /** Its bytes are being stored since then; null once they are there. */
  keeping_since: Date | null;
  used_at: Generated<Date>;
}

/** A voice digital human. */
export interface RoleTable {
  id: string;
  /** `account:<id>`; null for the seeded ones, which belong to everybody. */
  owner: string | null;
  name: string;
  describe: string;
  gender: "male" | "female" | "unknown";
  category: string;
  tags: string[];
  language: string;
  /** The address of the picture as older versions read it; "" where the portrait is drawn. */
  avatar: Generated<string>;
  /** The picture's file, out of `avatar`. */
  avatar_id: GeneratedAlways<string | null>;
  /** Parameters of a drawn portrait. */
  portrait: ColumnType<unknown, string | null, string | null>;
  /** A voice made from numbers; null where a recording gave it. */
  design: ColumnType<unknown, string | null, string | null>;
  /** The recording that gave the voice, and what it says. */
  recording_id: string | null;
  transcript: string | null;
  /** 1 the voice is being learned, 2 ready, 3 could not be learned. */
  status: Generated<1 | 2 | 3>;
  /** ErrorCode of one that could not. */
  reason: string | null;
  /** What was measured of the voice. */
  measured: ColumnType<unknown, string | null, string | null>;
  preview_text: string;
  preview_id: string | null;
  /** Which sentence, voice and engine the preview was made from. */
  preview_key: string | null;
  is_public: Generated<boolean>;
  /** `open`: reported and hidden · `kept`: looked at and left · `withdrawn`: off the square for good; null never reported. */
  review: "open" | "kept" | "withdrawn" | null;
  /** On the square: public, and no review says otherwise. */
  is_shown: GeneratedAlways<boolean>;
  job_id: string | null;
  use_num: Generated<number>;
  /** Place on the home page; null keeps it off. */
  home_rank: number | null;
  created_at: Generated<Date>;
}

/** That a voice's owner agreed: to which words, when and from where; read aloud where there is a recording. */
export interface RoleConsentTable {
  role_id: string;
  account_id: string;
  statement_id: string;
  statement_version: number;
  statement_sha256: string;
  agreed_at: Generated<Date>;
  address: string;
  recording_id: string | null;
}

/** What somebody found wrong with a role on the square; one row per role and reporter. */
export interface RoleReportTable {
  id: Generated<string>;
  role_id: string;
  /** `account:<id>` or `visitor:<id>`; `gone:<id>` once that account is. */
  reporter: string;
  address: string;
  reason: string;
  created_at: Generated<Date>;
  /** Null while nobody has looked. */
  reviewed_at: Date | null;
}

/** What a spoken sound is known again by. It belongs to nobody and outlives its files: see docs/decisions/0014-verify.md. */
export interface FingerprintTable {
  id: Generated<number>;
  /** Of the words: the same sound made twice is one row. */
  digest: string;
  /** Words of 32 bits, little-endian. */
  words: Buffer;
  created_at: Generated<Date>;
}

/** Where the clear words of fingerprints stand. */
export interface FingerprintKeyTable {
  key: number;
  fingerprint_id: number;
  /** Frame within the fingerprint. */
  place: number;
}

/** Every number given out in an AI-content label, and the sound it was given to. */
export interface ContentTable {
  /** The label's ProduceID. */
  content_id: string;
  /** Null where the sound could not be remembered when it was made. */
  fingerprint_id: number | null;
  created_at: Generated<Date>;
}

export interface VoiceTables {
  media_file: MediaFileTable;
  recording: RecordingTable;
  rendition: RenditionTable;
  segment: SegmentTable;
  role: RoleTable;
  role_consent: RoleConsentTable;
  role_report: RoleReportTable;
  fingerprint: FingerprintTable;
  fingerprint_key: FingerprintKeyTable;
  content: ContentTable;
}
