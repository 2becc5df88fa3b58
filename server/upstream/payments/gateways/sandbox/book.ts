import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Db } from "../../../db/database";
import type { SandboxTradeTable } from "../../../db/tables/payments";
import { GatewayError, type Payment, type TradeStatus } from "../../gateway";

export type Trade = Selectable<SandboxTradeTable>;

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
