import type { ColumnType, Generated } from "kysely";

/** A file with the audible mark, for download. */
export interface Download {
  format: string;
  url: string;
}

/** Text as a voice spoke it: the file to play, the downloads, and the timeline. */
export interface RenditionTable {
  id: Generated<string>;
  /** `account:<id>` or `visitor:<id>`; null for everyone. */
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
