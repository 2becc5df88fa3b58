import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import { z } from "zod/v4";
import type { Db } from "../../../db/database";
import type { PaymentTables } from "../../../db/tables/payments";
import {
  GatewayError,
  type Notification,
  NotificationError,
  type NotificationMessage,
  type Payment,
  type TradeStatus,
} from "../../gateway";

export type Trade = Selectable<PaymentTables["sandbox_trade"]>;

export const merchant = { merchantId: "sandbox-merchant", appId: "sandbox-app", currency: "CNY" } as const;

/** The state that merchants see: without hidden payments. */
export const isPaid = (trade: Trade, now: Date): boolean =>
  trade.paid_fen !== null && (trade.hidden_until === null || trade.hidden_until <= now);

export const isOpen = (trade: Trade, now: Date): boolean =>
  trade.state === "open" && trade.paid_fen === null && trade.expires_at > now;

export function toPayment(trade: Trade): Payment {
  if (trade.paid_fen === null || trade.transaction_id === null || trade.paid_at === null) {
    throw new TypeError("a payment of an unpaid trade");
  }
  return {
    outTradeNo: trade.out_trade_no,
    transactionId: trade.transaction_id,
    amountFen: trade.paid_fen,
    paidAt: trade.paid_at,
    ...merchant,
  };
}

export function toStatus(trade: Trade, now: Date): TradeStatus {
  if (trade.state === "refunded") return { state: "refunded" };
  if (isPaid(trade, now)) return { state: "paid", payment: toPayment(trade) };
  if (trade.state === "closed") return { state: "closed" };
  return { state: trade.paid_fen === null ? "unpaid" : "confirming" };
}

export const newTransactionId = () => `SB${randomUUID().replaceAll("-", "")}`;

export const findTrade = (db: Db, outTradeNo: string): Promise<Trade | undefined> =>
  db.selectFrom("sandbox_trade").selectAll().where("out_trade_no", "=", outTradeNo).executeTakeFirst();

/** Locks the trade until the transaction ends. Throws GatewayError for an unknown trade. */
export async function lockTrade(trx: Db, outTradeNo: string): Promise<Trade> {
  const trade = await trx
    .selectFrom("sandbox_trade")
    .selectAll()
    .where("out_trade_no", "=", outTradeNo)
    .forUpdate()
    .executeTakeFirst();
  if (!trade) throw new GatewayError("refused", "no such trade");
  return trade;
}

export const changeTrade = (trx: Db, trade: Trade, change: Partial<Trade>) =>
  trx.updateTable("sandbox_trade").set(change).where("id", "=", trade.id).execute();

/** Fen refunded of the trade's first payment, or of its second where `transactionId` is given. */
export const alreadyRefunded = async (db: Db, outTradeNo: string, transactionId: string | null): Promise<number> => {
  const rows = await db
    .selectFrom("sandbox_refund")
    .select("amount_fen")
    .where("out_trade_no", "=", outTradeNo)
    .where("transaction_id", "is not distinct from", transactionId)
    .execute();
  return rows.reduce((sum, row) => sum + row.amount_fen, 0);
};

const shape = z.object({
  event: z.literal("TRADE.PAID"),
  outTradeNo: z.string().min(1).max(64),
  transactionId: z.string().min(1).max(64),
  amountFen: z.number().int().positive(),
  currency: z.string(),
  merchantId: z.string(),
  appId: z.string(),
  paidAt: z.string().datetime(),
});

export function writeNotification(payment: Payment): string {
  return JSON.stringify({ event: "TRADE.PAID", ...payment, paidAt: payment.paidAt.toISOString() });
}

/** Parses a verified body. Throws NotificationError for any other form than the gateway's. */
export function readNotification(body: string): Notification {
  try {
    const { event: _, paidAt, ...payment } = shape.parse(JSON.parse(body));
    return { kind: "payment", payment: { ...payment, paidAt: new Date(paidAt) } };
  } catch (cause) {
    throw new NotificationError("unreadable", "not a notification", { cause });
  }
}

const maxAgeMs = 5 * 60_000;

const headerNames = {
  at: "x-sandbox-timestamp",
  nonce: "x-sandbox-nonce",
  signature: "x-sandbox-signature",
};

const signatureOf = (secret: string, { at, nonce, body }: Record<"at" | "nonce" | "body", string>) =>
  createHmac("sha256", secret).update(`${at}\n${nonce}\n${body}\n`).digest();

/** A notification with its signature. */
export function sign(secret: string, body: string, now: Date): NotificationMessage {
  const at = String(Math.floor(now.getTime() / 1000));
  const nonce = randomBytes(16).toString("hex");
  const headers = new Headers({
    "content-type": "application/json",
    [headerNames.at]: at,
    [headerNames.nonce]: nonce,
    [headerNames.signature]: signatureOf(secret, { at, nonce, body }).toString("base64"),
  });
  return { headers, body };
}

/** Throws NotificationError unless the gateway signed exactly this recently. */
export function verify(secret: string, { headers, body }: NotificationMessage, now: Date): void {
  const at = headers.get(headerNames.at) ?? "";
  const nonce = headers.get(headerNames.nonce) ?? "";
  const given = Buffer.from(headers.get(headerNames.signature) ?? "", "base64");
  const expected = signatureOf(secret, { at, nonce, body });
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new NotificationError("forged", "signature does not match");
  }
  if (!/^\d{1,12}$/.test(at) || Math.abs(now.getTime() - Number(at) * 1000) > maxAgeMs) {
    throw new NotificationError("stale", "signed too long ago");
  }
}
