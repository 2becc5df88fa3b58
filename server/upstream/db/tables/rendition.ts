import type { Generated } from "kysely";

/** Text as a voice spoke it: the file to listen to, the marked ones to keep, and what sounds when. */
export interface RenditionTable {
  id: Generated<string>;
  /** `account:<id>` or `visitor:<id>`; null is everybody's. */
  owner: string | null;
  /** File id within `play_url`. */
  play_id: string;
  play_url: string;
  mp3_url: string | null;
  wav_url: string | null;
  timeline_url: string | null;
  duration_ms: number;
  /** `engine@version` of all that spoke it; null before that was written down. */
  spoken_by: string | null;
  created_at: Generated<Date>;
}
