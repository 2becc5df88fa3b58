import type { ColumnType, Generated } from "kysely";

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

/** The sandbox gateway's own key; there is one row. */
export interface SandboxKeyTable {
  id: number;
  secret: string;
}

/** The sandbox gateway's book of payments. The product reads it through the gateway alone. */
export interface SandboxTradeTable {
  id: Generated<string>;
  out_trade_no: string;
  /** Trades that pay the same thing share it. */
  attached: string;
  subject: string;
  amount_fen: number;
  platform: 1 | 2;
  state: Generated<"open" | "paid" | "closed" | "refunded">;
  paid_fen: number | null;
  transaction_id: string | null;
  paid_at: Date | null;
  /** Late money: the payment is not to be seen before the trade is closed or this time has come. */
  hidden_until: Date | null;
  expires_at: Date;
  /** A second payment of the same trade. */
  second_transaction_id: Generated<string | null>;
  second_paid_fen: Generated<number | null>;
}

export interface SandboxRefundTable {
  number: string;
  out_trade_no: string;
  amount_fen: number;
  /** Set where it refunds the trade's second payment. */
  transaction_id: Generated<string | null>;
  created_at: Date;
}

export interface PaymentTables {
  pay_order: PayOrderTable;
  pay_attempt: PayAttemptTable;
  pay_refund: PayRefundTable;
  pay_mistake: PayMistakeTable;
  pay_comparison: PayComparisonTable;
  notification_count: NotificationCountTable;
  sandbox_key: SandboxKeyTable;
  sandbox_trade: SandboxTradeTable;
  sandbox_refund: SandboxRefundTable;
}
