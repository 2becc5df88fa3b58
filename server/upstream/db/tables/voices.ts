import type { ColumnType, Generated, GeneratedAlways } from "kysely";

/** A file for download, with the audible mark unless its owner waived it. */
export interface Download {
  format: string;
  url: string;
  /** Absent for files from before it was noted. */
  bytes?: number;
  /** Absent for files from before it was noted; nearly all of them have it. */
  hasMark?: boolean;
}

export interface VoiceTables {
  /** A file that can be served; its bytes are in the media store. */
  media_file: {
    /** Random and opaque; part of the file's URL. */
    id: string;
    /** `account:<id>` or `visitor:<id>`; null: public. */
    owner: string | null;
    is_public: boolean;
    kind: "recording" | "speech" | "image" | "picture" | "timeline" | "music";
    mime: string;
    bytes: number;
    storage_key: string;
    /** Extension without a dot. */
    format: string;
    /** Id in the AI-content label; null for files that were not generated. */
    produce_id: string | null;
    label_time: Date | null;
    created_at: Generated<Date>;
    expires_at: Date | null;
  };

  /** An uploaded reference recording. */
  recording: {
    id: Generated<string>;
    /** The media file that holds the bytes; part of its URL. */
    file_id: string;
    /** `account:<id>` or `visitor:<id>`. */
    owner: string;
    name: string;
    url: string;
    duration_ms: number;
    quality: ColumnType<unknown, string, string>;
    /** The voice that the engine learned, as sealed JSON; see docs/decisions/0047-sealed-profiles.md. */
    profile_sealed: Buffer | null;
    /** Hash of the voice, by which its segments are found without opening the profile. */
    voice_hash: string | null;
    /** Engine version and transcript of the profile. */
    profile_key: string | null;
    /** When its owner accepted what a vendor bills once per voice. */
    fee_accepted_at: Date | null;
    /** Hidden, and deleted when no running task needs it. */
    erase_asked: Generated<boolean>;
    created_at: Generated<Date>;
  };

  /** A voice that a vendor keeps. */
  vendor_voice: {
    /** Name that we chose; part of the vendor's id. */
    name: string;
    engine: string;
    /** Null: to be deleted at the vendor. */
    recording_id: string | null;
    /** Failed deletions. */
    attempts: Generated<number>;
    /** When to delete it, if it has no recording: not while the vendor may still be creating it. */
    due_at: Generated<Date>;
  };

  /** Text as a voice spoke it: the file to play, the downloads, and the timeline. */
  rendition: {
    id: Generated<string>;
    /** `account:<id>` or `visitor:<id>`; null: public. */
    owner: string | null;
    /** File id within `play_url`. */
    play_id: string;
    play_url: string;
    downloads: ColumnType<Download[], string, string>;
    timeline_url: string | null;
    duration_ms: number;
    /** `engine@version`, separated by commas; null before it was recorded. */
    spoken_by: string | null;
    /** SpokenDoubt[]; null without any. */
    doubts: unknown;
    created_at: Generated<Date>;
  };

  /** Synthesised segments, cached for retries and equal texts. */
  segment: {
    fingerprint: string;
    /** Key of the raw samples in the media store. */
    key: string;
    chunks: ColumnType<unknown, string, string>;
    /** Hash of the speaking voice, to delete all segments of a voice. */
    voice: string | null;
    /** Hash of the tone's voice. */
    tone: string | null;
    /** When the storing of its bytes began; null once they are stored. */
    keeping_since: Date | null;
    used_at: Generated<Date>;
  };

  /** A role (digital human). */
  role: {
    id: string;
    /** `account:<id>`; null for the seeded roles, which are public. */
    owner: string | null;
    name: string;
    describe: string;
    gender: "male" | "female" | "unknown";
    category: string;
    tags: string[];
    language: string;
    /** The picture's address, for older versions; "" if the portrait is drawn. */
    avatar: Generated<string>;
    /** The file id in `avatar`. */
    avatar_id: GeneratedAlways<string | null>;
    /** Parameters of a drawn portrait. */
    portrait: ColumnType<unknown, string | null, string | null>;
    /** Parameters of a designed voice; null for a voice of a recording. */
    design: ColumnType<unknown, string | null, string | null>;
    /** The recording of the voice, and its text. */
    recording_id: string | null;
    transcript: string | null;
    /** 1 the voice is being enrolled, 2 ready, 3 failed. */
    status: Generated<1 | 2 | 3>;
    /** ErrorCode of a failed enrolment. */
    reason: string | null;
    /** Measurements of the voice. */
    measured: ColumnType<unknown, string | null, string | null>;
    preview_text: string;
    preview_id: string | null;
    /** Hash of the preview's text, voice and engine. */
    preview_key: string | null;
    is_public: Generated<boolean>;
    /** `open`: reported and hidden · `kept`: reviewed, shown · `withdrawn`: hidden for good; null: never reported. */
    review: "open" | "kept" | "withdrawn" | null;
    /** Listed on the square: public, and not hidden by a review. */
    is_shown: GeneratedAlways<boolean>;
    job_id: string | null;
    use_num: Generated<number>;
    /** Position on the home page; null: not there. */
    home_rank: number | null;
    created_at: Generated<Date>;
  };
}
