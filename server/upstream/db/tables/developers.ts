import type { Generated } from "kysely";

/** A key that acts for its account. Deleted when it is revoked. */
export interface ApiKeyTable {
  id: Generated<string>;
  account_id: string;
  name: string;
  hash: string;
  hint: string;
  /** Characters per calendar month; null without a limit. */
  month_limit: number | null;
  created_at: Generated<Date>;
  used_at: Date | null;
}

/** Characters of a task that a key has asked for; deleted when the task fails. */
export interface ApiKeyUseTable {
  task_id: string;
  key_id: string;
  characters: number;
  created_at: Generated<Date>;
}

/** Where an account's finished work is told. */
export interface WebhookTable {
  account_id: string;
  url: string;
  /** Seed of the signing secret; useless without the server's key. */
  nonce: string;
  created_at: Generated<Date>;
}

/** An event on its way to an account's server. */
export interface WebhookDeliveryTable {
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
}

export interface DeveloperTables {
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  api_key: ApiKeyTable;
  api_key_use: ApiKeyUseTable;
}
