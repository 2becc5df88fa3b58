import type { ColumnType, Generated } from "kysely";

export interface AccountTable {
  id: Generated<string>;
  /** Keyed hash of the phone, to find the account by. */
  phone_hash: string;
  /** The phone, encrypted. */
  phone_sealed: string;
  created_at: Generated<Date>;
}

/** One login of one device. */
export interface LoginTokenTable {
  hash: string;
  account_id: string;
  expires_at: Date;
  created_at: Generated<Date>;
}

/** The newest code of a phone. Kept after its use: it tells when another may be sent. */
export interface LoginCodeTable {
  phone_hash: string;
  code_hash: string;
  wrong_tries: Generated<number>;
  sent_at: Generated<Date>;
  expires_at: Date;
  /** Idempotency key, hashed, of the login that used it; "" for one without a key. */
  used_key: string | null;
  /** What that login's token was made from; worth nothing without the server's key and the caller's. */
  nonce: string | null;
}

/** Receipt of a deleted account. */
export interface AccountDeletionTable {
  id: Generated<string>;
  /** Hash of the token and idempotency key that asked, so that a repeated call gets the same receipt. */
  asked_by: string;
  removed: ColumnType<unknown, string, never>;
  deleted_at: Generated<Date>;
}

export interface IdempotencyTable {
  owner: string;
  call: string;
  key: string;
  /** Hash of what was asked, so that one key cannot stand for two requests. */
  request: string;
  answer: ColumnType<unknown, string | null, string | null>;
  created_at: Generated<Date>;
}

export interface RateTable {
  key: string;
  /** Start of the window, whole seconds since 1970. */
  window_start: string;
  hits: number;
  expires_at: Date;
}

export interface AccountTables {
  account: AccountTable;
  login_token: LoginTokenTable;
  login_code: LoginCodeTable;
  account_deletion: AccountDeletionTable;
  idempotency: IdempotencyTable;
  rate: RateTable;
}
