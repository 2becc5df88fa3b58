import type { Generated } from "kysely";

/** A word an account has read its own way. */
export interface DictionaryWordTable {
  account_id: string;
  word: string;
  /** Syllables with tone digits, separated by spaces. */
  pinyin: string;
  created_at: Generated<Date>;
}

/** A few characters somebody listened to while writing. */
export interface ScriptSampleTable {
  rendition_id: string;
  expires_at: Date;
}
