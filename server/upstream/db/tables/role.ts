import type { ColumnType, Generated } from "kysely";

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
  avatar: Generated<string>;
  /** Parameters of a drawn portrait. */
  portrait: ColumnType<unknown, string | null, string | null>;
  /** A voice made from numbers; null where a recording gave it. */
  design: ColumnType<unknown, string | null, string | null>;
  preview_text: string;
  preview_id: string | null;
  /** Which sentence, voice and engine the preview was made from. */
  preview_key: string | null;
  is_public: Generated<boolean>;
  use_num: Generated<number>;
  /** Place on the home page; null keeps it off. */
  home_rank: number | null;
  created_at: Generated<Date>;
}
