import type { ColumnType, Generated } from "kysely";

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
