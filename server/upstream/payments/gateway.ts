import type { PayMethod } from "~server/contract/checkout";

/**
 * The payment port: what billing needs of a gateway, whichever it is. Money is integer fen, times are Dates.
 * Every call may be repeated with the same numbers and must then have the same result. Calls throw GatewayError and nothing else.
 */
export interface Gateway {
  readonly name: GatewayName;
  /** Our identity at this gateway; payments to another merchant are refused. */
  readonly merchantId: string;
  readonly appId: string;
  /** What to answer a notification with, in the gateway's own dialect; `refused` makes it try again later. */
  readonly dialect: Record<"accepted" | "refused", NotificationAnswer>;
  /** Seconds for which a link of this kind can be opened; absent where it lives as long as its order. */
  readonly linkSeconds?: Partial<Record<TradeType, number>>;
  createPayment(request: PaymentRequest, signal?: AbortSignal): Promise<{ url: string }>;
  query(outTradeNo: string, signal?: AbortSignal): Promise<TradeStatus>;
  /** After `closed` it cannot be paid. Closing an unknown trade succeeds. */
  close(outTradeNo: string, signal?: AbortSignal): Promise<"closed" | "paid">;
  /** Idempotent by refund number. */
  refund(request: RefundRequest, signal?: AbortSignal): Promise<RefundStatus>;
  queryRefund(
    request: Pick<RefundRequest, "outTradeNo" | "transactionId" | "number">,
    signal?: AbortSignal,
  ): Promise<RefundStatus>;
  /** Verifies before it reads. Throws NotificationError for what is forged, too old or unreadable. */
  parseNotification(message: NotificationMessage): Promise<Notification>;
  /** All that moved on one day of Asia/Shanghai, `YYYY-MM-DD`. */
  bill(day: string, signal?: AbortSignal): Promise<BillLine[]>;
  /**
   * Asks a question that changes nothing: which of its settings the answer has proven, and false for those it could not.
   * Absent where nothing is set. Throws GatewayError for what is wrong.
   */
  examine?(signal?: AbortSignal): Promise<Record<string, boolean>>;
}

export const gatewayNames = ["sandbox", "wechat", "alipay"] as const;
export type GatewayName = (typeof gatewayNames)[number];

export type Platform = PayMethod;
export type TradeType = "native" | "h5";

export interface PaymentRequest {
  /** At most 32 letters and digits. */
  outTradeNo: string;
  orderId: string;
  /** What the payer reads. */
  subject: string;
  amountFen: number;
  platform: Platform;
  tradeType: TradeType;
  expiresAt: Date;
  /** Network address of the payer; h5 payments need it. */
  clientAddress: string;
}

/** Money that arrived. */
export interface Payment {
  outTradeNo: string;
  /** The gateway's own number. */
  transactionId: string;
  amountFen: number;
  /** ISO 4217 */
  currency: string;
  merchantId: string;
  appId: string;
  paidAt: Date;
}

/**
 * `refunded`: paid and refunded. `unpaid` includes codes that were not scanned. `confirming`:
 * the payer has paid and the gateway has not confirmed the money.
 */
export type TradeStatus =
  | { state: "paid"; payment: Payment }
  | { state: "unpaid" | "confirming" | "closed" | "refunded" };

export interface RefundRequest {
  outTradeNo: string;
  /** Names the payment where it is not the only one of its out-trade number. */
  transactionId?: string | undefined;
  number: string;
  refundFen: number;
  /** What was paid. */
  totalFen: number;
}

/** `failed`: final, an operator must act. `unknown`: the gateway has no such refund. */
export type RefundStatus = "done" | "processing" | "failed" | "unknown";

export interface NotificationMessage {
  headers: Headers;
  body: string;
}

export type Notification =
  | { kind: "payment"; payment: Payment }
  | { kind: "refund"; outTradeNo: string }
  /** Genuine, and nothing to act on. */
  | { kind: "other" };

export interface NotificationAnswer {
  status: 200 | 401 | 500;
  contentType: string;
  body: string;
}

export interface BillLine {
  kind: "payment" | "refund";
  outTradeNo: string;
  transactionId: string;
  amountFen: number;
  /** Of a refund. */
  refundNumber?: string;
}

/** `refused`: rejected by the gateway. `timeout`: outcome unknown. `unreachable`: not sent. */
export type GatewayFault = "refused" | "timeout" | "unreachable";

export class GatewayError extends Error {
  /** When asking again makes sense, where that is known. */
  readonly retryAfterSeconds: number | undefined;
  constructor(
    readonly fault: GatewayFault,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.name = "GatewayError";
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export class NotificationError extends Error {
  constructor(
    readonly reason: "forged" | "stale" | "unreadable",
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "NotificationError";
  }
}
