import type { Generated } from "kysely";

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
