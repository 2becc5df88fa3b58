import type { ColumnType, Generated, GeneratedAlways } from "kysely";

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
