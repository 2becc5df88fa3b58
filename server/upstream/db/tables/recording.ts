import type { ColumnType, Generated } from "kysely";

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
