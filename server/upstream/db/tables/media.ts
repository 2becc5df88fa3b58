import type { Generated } from "kysely";

/** A file people can be answered with: whose it is, what it is, where its bytes lie. */
export interface MediaFileTable {
  /** Random and opaque; part of the file's URL. */
  id: string;
  /** `account:<id>` or `visitor:<id>`; null is everybody's. */
  owner: string | null;
  is_public: boolean;
  kind: "recording" | "speech" | "image" | "timeline";
  mime: string;
  bytes: number;
  storage_key: string;
  /** Extension without a dot. */
  format: string;
  /** Of the AI-content label; null for what was not generated. */
  produce_id: string | null;
  label_time: Date | null;
  created_at: Generated<Date>;
  expires_at: Date | null;
}
