import type { PayMethod, payMethods } from "~server/contract/checkout";

/**
 * The payment port: what billing needs of any gateway. Money is integer fen, times are Dates. Every call is idempotent by
 * its numbers. Calls throw only GatewayError.
 */
export interface Gateway {
  readonly name: GatewayName;
  /** Our identity at this gateway; payments to another merchant are refused. */
  readonly merchantId: string;
  readonly appId: string;
  /** The answers to notifications in the gateway's format; after `refused` it repeats the notification. */
  readonly dialect: Record<"accepted" | "refused", NotificationAnswer>;
  /** Seconds for which a link of this type is valid; absent if it is valid as long as its order. */
  readonly linkSeconds?: Partial<Record<TradeType, number>>;
  createPayment(request: PaymentRequest, signal?: AbortSignal): Promise<{ url: string }>;
  /** Identifies payers inside the gateway's own app; absent if it cannot. */
  readonly payers?: PayerIdentity;
  query(outTradeNo: string, signal?: AbortSignal): Promise<TradeStatus>;
  /** After `closed` it cannot be paid. Closing an unknown trade succeeds. */
  close(outTradeNo: string, signal?: AbortSignal): Promise<"closed" | "paid">;
  /** Idempotent by refund number. */
  refund(request: RefundRequest, signal?: AbortSignal): Promise<RefundStatus>;
  queryRefund(
    request: Pick<RefundRequest, "outTradeNo" | "transactionId" | "number">,
    signal?: AbortSignal,
  ): Promise<RefundStatus>;
  /** Verifies, then parses. Throws NotificationError for a forged, stale or malformed notification. */
  parseNotification(message: NotificationMessage): Promise<Notification>;
  /** All payments and refunds of one day in Asia/Shanghai, `YYYY-MM-DD`. */
  bill(day: string, signal?: AbortSignal): Promise<BillLine[]>;
  /**
   * Checks the settings by a read-only call: true for each setting that the answer proves, false for the others. Absent
   * without settings. Throws GatewayError for wrong settings.
   */
  examine?(signal?: AbortSignal): Promise<Record<string, boolean>>;
}

export type GatewayName = "sandbox" | (typeof payMethods)[number]["name"];

export type Platform = PayMethod;
/** `jsapi`: inside the gateway's own app, for a payer that it has identified. */
export type TradeType = "native" | "h5" | "jsapi";

export interface PaymentRequest {
  /** At most 32 letters and digits. */
  outTradeNo: string;
  orderId: string;
  /** Shown to the payer. */
  subject: string;
  amountFen: number;
  platform: Platform;
  tradeType: TradeType;
  expiresAt: Date;
  /** Network address of the payer; h5 payments need it. */
  clientAddress: string;
  /** The gateway's own name of the payer; jsapi payments need it. */
  payer?: string;
}

export interface PayerIdentity {
  /** The page that identifies a payer and leads back to `returnTo` with a `code` and the `state`. */
  authorizeUrl(returnTo: string, state: string): string;
  /** The payer that a code names. Throws GatewayError `refused` for a used or forged code. */
  identify(code: string, signal?: AbortSignal): Promise<string>;
}

/** A received payment. */
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
  /** Identifies the payment where its out-trade number has several. */
  transactionId?: string | undefined;
  number: string;
  refundFen: number;
  /** The amount paid. */
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
  /** Genuine, without effect. */
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
  /** Number of a refund. */
  refundNumber?: string;
}

/** `refused`: rejected by the gateway. `timeout`: outcome unknown. `unreachable`: not sent. */
export type GatewayFault = "refused" | "timeout" | "unreachable";

export class GatewayError extends Error {
  /** When to retry, if that is known. */
  readonly retryAfterSeconds: number | undefined;
  /** Nothing was answered: the gateway, or the way to it, is down. */
  readonly isSilent: boolean;
  constructor(
    readonly fault: GatewayFault,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; isSilent?: boolean } = {},
  ) {
    super(message, options);
    this.name = "GatewayError";
    this.isSilent = options.isSilent ?? fault === "unreachable";
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

/** Fen of an amount in yuan such as "88.8" or "-0.01"; null for any other text. Without floating-point errors. */
export function parseYuan(text: string): number | null {
  const [, sign, yuan = "", fen = ""] = /^([+-]?)(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (yuan === "") return null;
  const amount = Number(yuan) * 100 + Number(fen.padEnd(2, "0"));
  return sign === "-" && amount !== 0 ? -amount : amount;
}

/** "88.80" */
export const formatYuan = (fen: number): string =>
  `${Math.trunc(fen / 100)}.${String(Math.abs(fen % 100)).padStart(2, "0")}`;
