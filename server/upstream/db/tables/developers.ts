import type { Generated } from "kysely";

/** What programs of an account use, and its projects. */
export interface DeveloperTables {
  /** A project of an account, by the id that its first device gave it. */
  project: {
    account_id: string;
    id: string;
    kind: string;
    title: string;
    excerpt: string;
    lines: number;
    characters: number;
    /** JSON as it was sent. */
    document: string;
    revision: number;
    /** In whole milliseconds, as the cursor of a list has it. */
    updated_at: Date;
    deleted_at: Date | null;
  };

  /** A key that acts for its account. Deleted when it is revoked. */
  api_key: {
    id: Generated<string>;
    account_id: string;
    name: string;
    hash: string;
    hint: string;
    /** Characters per calendar month; null without a limit. */
    month_limit: number | null;
    created_at: Generated<Date>;
    used_at: Date | null;
  };

  /** Characters of a task that a key has asked for; deleted when the task fails. */
  api_key_use: {
    task_id: string;
    key_id: string;
    characters: number;
    created_at: Generated<Date>;
  };

  /** Where an account's finished work is told. */
  webhook: {
    account_id: string;
    url: string;
    /** Seed of the signing secret; useless without the server's key. */
    nonce: string;
    created_at: Generated<Date>;
  };

  /** An event on its way to an account's server. */
  webhook_delivery: {
    id: Generated<string>;
    account_id: string;
    event: string;
    task_id: string;
    /** JSON as it is signed and sent. */
    body: string;
    state: Generated<"waiting" | "delivered" | "failed">;
    attempts: Generated<number>;
    outcome: Generated<string>;
    created_at: Generated<Date>;
  };
}
