import type { ColumnType, Generated } from "kysely";

export interface AccountTables {
  account: {
    id: Generated<string>;
    /** Keyed hash of the phone, for look-ups. */
    phone_hash: string;
    /** The phone, encrypted. */
    phone_sealed: string;
    created_at: Generated<Date>;
    /** Its calls and logins are refused while it is set. */
    banned_at: Generated<Date | null>;
    /** Since when its owner wants no messages about payments and memberships; null for one who gets them. */
    messages_off_at: Generated<Date | null>;
  };

  /** An account that may use the console. */
  operator: {
    id: Generated<string>;
    account_id: string;
    /** How the audit names it. */
    name: string;
    role: "owner" | "support" | "finance" | "moderator";
    /** Secret of the authenticator, encrypted; null before the first login. */
    totp_sealed: string | null;
    /** Period of the newest code that was used, so that no code is used twice. */
    totp_counter: Generated<string>;
    /** The authenticator has given a right code. */
    is_enrolled: Generated<boolean>;
    /** Hashes of the recovery codes that are left. */
    recovery_hashes: Generated<string[]>;
    created_at: Generated<Date>;
  };

  /** A login of the console. */
  operator_login: {
    hash: string;
    operator_id: string;
    seen_at: Generated<Date>;
    /** When the authenticator's code was last given; null before. */
    fresh_at: Date | null;
  };

  /** An act that waits for a second operator. */
  operator_request: {
    id: Generated<string>;
    operation: string;
    input: ColumnType<Record<string, string>, string, never>;
    reason: string;
    asked_by: string;
    created_at: Generated<Date>;
  };

  /** One login of one device. */
  login_token: {
    hash: string;
    account_id: string;
    expires_at: Date;
    created_at: Generated<Date>;
  };

  /** The newest code of a phone. Kept after its use, to limit when the next may be sent. */
  login_code: {
    phone_hash: string;
    code_hash: string;
    wrong_tries: Generated<number>;
    sent_at: Generated<Date>;
    expires_at: Date;
    /** Hashed idempotency key of the login that used the code; "" without a key. */
    used_key: string | null;
    /** Seed of that login's token; useless without the server's key and the caller's. */
    nonce: string | null;
  };

  /** Receipt of a deleted account. */
  account_deletion: {
    id: Generated<string>;
    /** Hash of the request's token and idempotency key, so that a repeated call gets the same receipt. */
    asked_by: string;
    removed: ColumnType<unknown, string, never>;
    deleted_at: Generated<Date>;
  };

  /** A member's agreement to download without the audible mark. Kept for six months after its end. */
  mark_agreement: {
    id: Generated<string>;
    /** Null after the account's deletion. */
    account_id: string | null;
    /** Keyed hash of the account's phone. */
    owner_hash: string;
    text_version: number;
    text_sha256: string;
    agreed_at: Generated<Date>;
    address: string;
    /** Null while it holds. */
    ended_at: Date | null;
    /** Null where it ended with the account. */
    ended_address: string | null;
  };

  idempotency: {
    owner: string;
    call: string;
    key: string;
    /** Hash of the request, so that a key cannot be used for two requests. */
    request: string;
    answer: ColumnType<unknown, string | null, string | null>;
    created_at: Generated<Date>;
  };

  rate: {
    key: string;
    /** Start of the window in Unix seconds. */
    window_start: string;
    hits: number;
    expires_at: Date;
  };
}
