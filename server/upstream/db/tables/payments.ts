import type { ColumnType, Generated } from "kysely";
import type { PayMethod } from "~server/contract/checkout";

export type OrderState = "OPEN" | "PAID" | "CLOSED" | "REFUNDED";

export type AttemptState =
  | "INIT"
  | "PENDING"
  | "PAID"
  | "CLOSED"
  | "REFUND_DUE"
  | "REFUNDING"
  | "REFUNDED"
  | "SUSPENSE";

export type InvoiceState = "ASKED" | "ISSUED" | "DECLINED";

/** `STUCK`: the gateway has failed it. `CANCELLED`: an operator ended it before any money moved. */
export type RefundState = "DUE" | "SENT" | "DONE" | "STUCK" | "CANCELLED";

/**
 * `double`: a second payment of a paid order · `ops`: an operator's decision · `account-gone`: the buyer's account is
 * deleted · `suspense`: a payment of another amount · `conflict`: a second transaction of one attempt · `console`: made
 * in the gateway's console, found by reconciliation.
 */
export type RefundReason = "double" | "ops" | "account-gone" | "suspense" | "conflict" | "console";

export interface PaymentTables {
  /** An order of a package. */
  pay_order: {
    id: Generated<string>;
    account_id: string;
    product_code: string;
    /** The package at the time of the order. */
    snapshot: ColumnType<unknown, string, never>;
    amount_fen: number;
    state: Generated<OrderState>;
    /** The attempt that paid the order; set once. */
    paid_by: string | null;
    paid_at: Date | null;
    /** Sum of all decided refunds, sent or not. */
    refunded_fen: Generated<number>;
    /** When the payer asked for a refund that is not decided yet. */
    refund_asked_at: Generated<Date | null>;
    /** Why the last request for a refund was declined, for the payer; null once another one or a refund followed. */
    refund_declined: Generated<string | null>;
    expires_at: Date;
    closed_at: Date | null;
    created_at: Date;
  };

  /** An attempt to pay an order at one gateway. */
  pay_attempt: {
    id: Generated<string>;
    order_id: string;
    gateway: string;
    /** As the contract's table of pay methods has them. */
    platform: PayMethod;
    trade_type: "native" | "h5" | "jsapi";
    out_trade_no: string;
    /** The WeChat user that a jsapi attempt is for; "" for the others. */
    payer: Generated<string>;
    state: Generated<AttemptState>;
    /** The content of the QR code, or the link; null until the gateway has accepted the attempt. */
    url: string | null;
    /** When the gateway returned `url`. */
    url_at: Date | null;
    transaction_id: string | null;
    paid_fen: number | null;
    /** The gateway's time. */
    paid_at: Date | null;
    /** Before this time one server may be sending the attempt to the gateway. */
    asking_until: Date | null;
    /** When the gateway was last queried. */
    asked_at: Date | null;
    /** The gateway has accepted the payment and not yet confirmed it. */
    is_confirming: Generated<boolean>;
    created_at: Date;
  };

  /** The invoice that a payer asked for; operators issue it in their own tax system. */
  pay_invoice: {
    id: Generated<string>;
    order_id: string;
    account_id: string;
    buyer: "person" | "company";
    title: string;
    /** "" for a person. */
    tax_number: string;
    email: string;
    state: Generated<InvoiceState>;
    /** Of the issued invoice; "" before. */
    number: Generated<string>;
    /** When it was asked for last. */
    created_at: Date;
    decided_at: Date | null;
  };

  pay_refund: {
    /** Derived from the out-trade number; the gateway recognises a repetition by it. */
    number: string;
    attempt_id: string;
    amount_fen: number;
    reason: RefundReason;
    state: Generated<RefundState>;
    /** The refunded transaction, where it is not the attempt's own. */
    transaction_id: Generated<string | null>;
    /** Before this time one server may be sending the refund to the gateway. */
    sending_until: Generated<Date | null>;
    /** Reason why the gateway refused or failed it; null once it is accepted. */
    fault: Generated<string | null>;
    created_at: Date;
    /** When it was completed or cancelled. */
    done_at: Date | null;
  };

  /** A payment anomaly that an operator must resolve. */
  pay_anomaly: {
    id: Generated<string>;
    kind: string;
    gateway: string;
    /** Unique with `kind`, so that a repeated anomaly is recorded once. */
    ref: string;
    order_id: string | null;
    detail: ColumnType<unknown, string, never>;
    created_at: Date;
    resolved_at: Generated<Date | null>;
    /** The operator, or the refund that settled it. */
    resolved_by: Generated<string | null>;
    resolution: Generated<string | null>;
  };

  /** The progress of reconciliation, per gateway. */
  pay_comparison: {
    gateway: string;
    /** The last compared day of Asia/Shanghai, `YYYY-MM-DD`. */
    day: string;
  };

  /** Notifications per day, by outcome. */
  notification_count: {
    gateway: string;
    outcome: string;
    /** In Asia/Shanghai, `YYYY-MM-DD`. */
    day: string;
    hits: number;
  };

  /** The sandbox gateway's key; one row. */
  sandbox_key: {
    id: number;
    secret: string;
  };

  /** The sandbox gateway's trades. Only the gateway reads them. */
  sandbox_trade: {
    id: Generated<string>;
    out_trade_no: string;
    /** Shared by the trades of one order. */
    attached: string;
    subject: string;
    amount_fen: number;
    platform: PayMethod;
    state: Generated<"open" | "paid" | "closed" | "refunded">;
    paid_fen: number | null;
    transaction_id: string | null;
    paid_at: Date | null;
    /** A late payment: hidden until the trade is closed or this time has come. */
    hidden_until: Date | null;
    expires_at: Date;
    /** A second payment of the same trade. */
    second_transaction_id: Generated<string | null>;
    second_paid_fen: Generated<number | null>;
  };

  sandbox_refund: {
    number: string;
    out_trade_no: string;
    amount_fen: number;
    /** Set for a refund of the trade's second payment. */
    transaction_id: Generated<string | null>;
    created_at: Date;
  };

  /** A link that pays one order without a login. */
  pay_handover: {
    /** Of the link's token, and once it was opened of the pass that replaced it. */
    hash: string;
    order_id: string;
    opened_at: Date | null;
    expires_at: Date;
  };
}
