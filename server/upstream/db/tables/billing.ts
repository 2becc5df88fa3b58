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

export type OrderState = "OPEN" | "PAID" | "CLOSED" | "REFUNDED";

/** What a payer owes. */
export interface PayOrderTable {
  id: Generated<string>;
  account_id: string;
  product_code: string;
  /** The package as it was when it was ordered. */
  snapshot: ColumnType<unknown, string, never>;
  amount_fen: number;
  state: Generated<OrderState>;
  /** The attempt that paid it; set once. */
  paid_by: string | null;
  paid_at: Date | null;
  /** Decided refunds, sent or not. */
  refunded_fen: Generated<number>;
  expires_at: Date;
  closed_at: Date | null;
  created_at: Date;
}

export type AttemptState =
  | "INIT"
  | "PENDING"
  | "PAID"
  | "CLOSED"
  | "REFUND_DUE"
  | "REFUNDING"
  | "REFUNDED"
  | "SUSPENSE";

/** One try to pay an order at one gateway. */
export interface PayAttemptTable {
  id: Generated<string>;
  order_id: string;
  gateway: string;
  /** 1 WeChat · 2 Alipay. */
  platform: 1 | 2;
  trade_type: "native" | "h5";
  out_trade_no: string;
  state: Generated<AttemptState>;
  /** What the QR code holds, or the link; null until the gateway accepted. */
  url: string | null;
  /** When the gateway gave `url`. */
  url_at: Date | null;
  transaction_id: string | null;
  paid_fen: number | null;
  /** As the gateway says. */
  paid_at: Date | null;
  /** Until then one server is asking the gateway to accept it. */
  asking_until: Date | null;
  /** When the gateway was last asked whether it is paid. */
  asked_at: Date | null;
  /** By its last answer the gateway has accepted the payment and not confirmed it. */
  is_confirming: Generated<boolean>;
  created_at: Date;
}

/** `STUCK`: the gateway gave it up. `CANCELLED`: an operator ended it before any money moved. */
export type RefundState = "DUE" | "SENT" | "DONE" | "STUCK" | "CANCELLED";

/**
 * `double`: a second payment of a paid order · `ops`: an operator's decision · `account-gone`: the buyer's account is
 * deleted · `suspense`: a payment of another amount · `conflict`: a second transaction of one attempt · `console`: made
 * in the gateway's console, found by reconciliation.
 */
export type RefundReason = "double" | "ops" | "account-gone" | "suspense" | "conflict" | "console";

export interface PayRefundTable {
  /** Derived from the out-trade number: the gateway knows a repeated one. */
  number: string;
  attempt_id: string;
  amount_fen: number;
  reason: RefundReason;
  state: Generated<RefundState>;
  /** The refunded transaction, where it is not the attempt's own. */
  transaction_id: Generated<string | null>;
  /** A server may be asking the gateway to send it until then. */
  sending_until: Generated<Date | null>;
  /** Why the gateway refused it or gave it up; null once it is accepted. */
  fault: Generated<string | null>;
  created_at: Date;
  /** When it was done or cancelled. */
  done_at: Date | null;
}

/** What people must look at. */
export interface PayMistakeTable {
  id: Generated<string>;
  kind: string;
  gateway: string;
  /** With `kind` what makes it one mistake however often it is met. */
  ref: string;
  order_id: string | null;
  detail: ColumnType<unknown, string, never>;
  created_at: Date;
  resolved_at: Generated<Date | null>;
  /** The operator, or the refund that settled it. */
  resolved_by: Generated<string | null>;
  resolution: Generated<string | null>;
}

/** How far each gateway's bills are compared with our books. */
export interface PayComparisonTable {
  gateway: string;
  /** The last compared day of Asia/Shanghai, `YYYY-MM-DD`. */
  day: string;
}

/** Notifications by what became of them. */
export interface NotificationCountTable {
  gateway: string;
  outcome: string;
  /** In Asia/Shanghai, `YYYY-MM-DD`. */
  day: string;
  hits: number;
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
