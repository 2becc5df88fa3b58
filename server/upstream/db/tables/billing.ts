import type { ColumnType, Generated } from "kysely";

/** One row per account that ever had to do with money or characters: locking it puts all that changes those in a row. */
export interface WalletTable {
  account_id: string;
  created_at: Generated<Date>;
  /** When its account was deleted. */
  closed_at: Generated<Date | null>;
}

export interface ProductTable {
  code: string;
  /** The list's order, and `pCount` of the contract. */
  number: number;
  /** 1 member · 2 professional · 3 add-on characters. */
  package_type: 1 | 2 | 3;
  name: string;
  description: string;
  badge: string;
  price_fen: number;
  /** What it would cost bought month by month; null without a saving. */
  original_fen: number | null;
  days: number;
  monthly: boolean;
  withdrawn_at: Date | null;
}

/** Membership time in and out; never changed. */
export interface MembershipGrantTable {
  seq: Generated<string>;
  account_id: string;
  order_id: string | null;
  tier: "vip" | "svip";
  /** With `shortens`: negative for refunded time, positive for time that a cancelled refund returns. */
  seconds: number;
  monthly: boolean;
  shortens: string | null;
  granted_at: Date;
}

export type LedgerKind = "grant" | "reserve" | "settle" | "release" | "payment" | "refund";

/** Every character and fen in and out; never changed. */
export interface LedgerTable {
  id: Generated<string>;
  account_id: string;
  kind: LedgerKind;
  /** `svip` | `vip` | `pack`; "" for money alone. */
  bucket: Generated<string>;
  /** `YYYY-MM` of the characters, "" for money and time. */
  month: Generated<string>;
  characters: Generated<number>;
  amount_fen: Generated<number>;
  order_id: string | null;
  /** The task, the out-trade number, the refund number. */
  ref: string;
  created_at: Date;
}

/** Characters of an account in one month; what is left is total − used − reserved. */
export interface QuotaBucketTable {
  account_id: string;
  month: string;
  bucket: "svip" | "vip" | "pack";
  total: number;
  used: Generated<number>;
  reserved: Generated<number>;
}

/** What a running task holds of each bucket of the month it began in. */
export interface QuotaReservationTable {
  id: Generated<string>;
  account_id: string;
  task_id: string;
  month: string;
  svip: number;
  vip: number;
  pack: number;
  state: Generated<"reserved" | "settled" | "released">;
  created_at: Date;
}

/** What operators did. */
export interface AuditTable {
  id: Generated<string>;
  operator: string;
  action: string;
  target: string;
  detail: ColumnType<unknown, string, never>;
  created_at: Generated<Date>;
}

export interface BillingTables {
  wallet: WalletTable;
  product: ProductTable;
  membership_grant: MembershipGrantTable;
  ledger: LedgerTable;
  quota_bucket: QuotaBucketTable;
  quota_reservation: QuotaReservationTable;
  audit: AuditTable;
}
