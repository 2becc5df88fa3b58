import type { ColumnType, Generated } from "kysely";

export type LedgerKind = "grant" | "reserve" | "settle" | "release" | "payment" | "refund";

export interface BillingTables {
  /** One row per account with money or characters. Its lock serialises all changes of both. */
  wallet: {
    account_id: string;
    created_at: Generated<Date>;
    /** When its account was deleted. */
    closed_at: Generated<Date | null>;
    /** When the end of its membership is to be looked at; null where no message about it is due. */
    expiry_check_at: Generated<Date | null>;
  };

  product: {
    code: string;
    /** The list's order, and `pCount` of the contract. */
    number: number;
    /** 1 member · 2 professional · 3 add-on characters. */
    package_type: 1 | 2 | 3;
    name: string;
    description: string;
    badge: string;
    price_fen: number;
    /** The price of the same time bought by the month; null without a discount. */
    original_fen: number | null;
    days: number;
    monthly: boolean;
    withdrawn_at: Date | null;
  };

  /** Granted and revoked membership time; append-only. */
  membership_grant: {
    seq: Generated<string>;
    account_id: string;
    order_id: string | null;
    tier: "vip" | "svip";
    /** With `shortens`: negative for refunded time, positive for time that a cancelled refund returns. */
    seconds: number;
    monthly: boolean;
    shortens: string | null;
    granted_at: Date;
  };

  /** All movements of characters and money; append-only. */
  ledger: {
    id: Generated<string>;
    account_id: string;
    kind: LedgerKind;
    /** `svip` | `vip` | `pack`; "" for money alone. */
    bucket: Generated<string>;
    /** The bucket's period, "" for money and time. */
    period: Generated<string>;
    characters: Generated<number>;
    amount_fen: Generated<number>;
    order_id: string | null;
    /** The task, the out-trade number, the refund number. */
    ref: string;
    created_at: Date;
  };

  /** Characters that end together; total − used − reserved are left. */
  quota_bucket: {
    account_id: string;
    /** A step as `GRANT/NUMBER`, a pack as its order, `YYYY-MM` for characters of before there were steps. */
    period: string;
    bucket: "svip" | "vip" | "pack";
    total: number;
    used: Generated<number>;
    reserved: Generated<number>;
    /** Null for a step, whose end follows from the account's grants. */
    ends_at: Date | null;
  };

  /** Characters that a task has reserved of one bucket. */
  quota_reservation: {
    id: Generated<string>;
    account_id: string;
    task_id: string;
    /** Number of the share in its task. */
    part: number;
    bucket: BillingTables["quota_bucket"]["bucket"];
    period: string;
    characters: number;
    state: Generated<"reserved" | "settled" | "released">;
    created_at: Date;
  };

  /** Operators' acts. */
  audit: {
    id: Generated<string>;
    operator: string;
    action: string;
    target: string;
    detail: ColumnType<unknown, string, never>;
    created_at: Generated<Date>;
  };

  referral_code: {
    account_id: string;
    code: string;
  };

  /** An account that came by another one's code. */
  referral: {
    referred: string;
    referrer: string;
    /** Keyed hash of the referred account's phone. */
    phone_hash: string;
    /** The first payment, which brought both their characters; null before it. */
    order_id: Generated<string | null>;
    rewarded_at: Generated<Date | null>;
    /** False beyond the month's ceiling. */
    has_paid_referrer: Generated<boolean>;
    created_at: Date;
  };

  /** Redeem codes of one gift: time of a tier, or characters. */
  redeem_batch: {
    id: Generated<string>;
    tier: "vip" | "svip" | null;
    days: number | null;
    characters: number | null;
    codes: number;
    note: string;
    expires_at: Date;
    withdrawn_at: Generated<Date | null>;
    created_at: Generated<Date>;
  };

  redeem_code: {
    hash: string;
    batch_id: string;
    account_id: string | null;
    redeemed_at: Date | null;
  };
}

export type LedgerTable = BillingTables["ledger"];
export type QuotaBucketTable = BillingTables["quota_bucket"];
