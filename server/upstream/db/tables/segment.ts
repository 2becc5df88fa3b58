import type { ColumnType, Generated } from "kysely";

/** Synthesised pieces of text, kept for the retry and for the same words again. */
export interface SegmentTable {
  fingerprint: string;
  /** Key of the raw samples in the media store. */
  key: string;
  chunks: ColumnType<unknown, string, string>;
  used_at: Generated<Date>;
}
