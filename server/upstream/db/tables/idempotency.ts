import type { ColumnType, Generated } from "kysely";

export interface IdempotencyTable {
  owner: string;
  call: string;
  key: string;
  /** Hash of what was asked, so that one key cannot stand for two requests. */
  request: string;
  answer: ColumnType<unknown, string | null, string | null>;
  created_at: Generated<Date>;
}
