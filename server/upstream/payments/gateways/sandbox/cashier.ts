import type { Db } from "../../../db/database";
import { AppError } from "../../../errors";
import type { Queue } from "../../../jobs/queue";
import type { Platform } from "../../gateway";
import { changeTrade, isOpen, lockTrade, newTransactionId, type Trade, toPayment, writeNotification } from "./book";

/**
 * Simulated outcomes: paid · declined by the payer's bank · paid, but visible only after the trade was closed or expired ·
 * paid with three notifications · one fen paid, with a forged notification of the full price · paid twice: by another QR
 * code of the order where there is one, else by the same one.
 */
export type Lever = "pay" | "fail" | "late" | "duplicate" | "tamper" | "double";

export interface CashierView {
  id: string;
  subject: string;
  amountFen: number;
  platform: Platform;
  state: "open" | "paid" | "closed" | "refunded";
  expiresAt: Date;
}

/** The sandbox gateway's page for payers, by the id in its links. Anyone with the link may pay. */
export type Cashier = ReturnType<typeof createCashier>;

/** A job of the gateway that delivers a notification. `forged`: signed with another key. */
export interface NotifyPayload {
  body: string;
  forged?: boolean;
}
export const notifyKind = "sandbox-notify";
const notifyAttempts = 15;
/** A late payment becomes visible this long after an unclosed trade has expired. */
const lateMs = 3_600_000;

const isId = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
const noTrade = () => new AppError("not-found", "no such payment");

export function createCashier({ db, queue, now }: { db: Db; queue: Queue; now(): Date }) {
  const find = async (trx: Db, id: string) => {
    if (!isId(id)) throw noTrade();
    const trade = await trx.selectFrom("sandbox_trade").selectAll().where("id", "=", id).executeTakeFirst();
    if (!trade) throw noTrade();
    return trade;
  };
  return {
    async show(id: string): Promise<CashierView> {
      return toView(await find(db, id), now());
    },
    /** Throws bad-request for a trade that has ended. */
    async pull(id: string, lever: Lever): Promise<CashierView> {
      const view = await db.transaction().execute(async (trx) => {
        const trade = await lockTrade(trx, (await find(trx, id)).out_trade_no);
        if (!isOpen(trade, now())) throw new AppError("bad-request", "this payment is over");
        await plays[lever]({ trx, queue, trade, now: now() });
        return toView(await find(trx, id), now());
      });
      queue.wake();
      return view;
    },
  };
}

function toView(trade: Trade, now: Date): CashierView {
  const over = trade.state === "open" && trade.expires_at <= now ? "closed" : trade.state;
  return {
    id: trade.id,
    subject: trade.subject,
    amountFen: trade.amount_fen,
    platform: trade.platform,
    // Hidden payments are hidden from merchants, not from the payer.
    state: over !== "refunded" && trade.paid_fen !== null ? "paid" : over,
    expiresAt: trade.expires_at,
  };
}

interface Play {
  trx: Db;
  queue: Queue;
  trade: Trade;
  now: Date;
}

const plays: Record<Lever, (play: Play) => Promise<void>> = {
  fail: async () => {},
  pay: async (play) => announce(play, await payTrade(play, { fen: play.trade.amount_fen })),
  duplicate: async (play) => announce(play, await payTrade(play, { fen: play.trade.amount_fen }), 3),
  async late(play) {
    const hiddenUntil = new Date(play.trade.expires_at.getTime() + lateMs);
    const paid = await payTrade(play, { fen: play.trade.amount_fen, hiddenUntil });
    await announceLater(play, paid);
  },
  async tamper(play) {
    const paid = await payTrade(play, { fen: 1 });
    const body = writeNotification({ ...toPayment(paid), amountFen: play.trade.amount_fen });
    await enqueue(play, { body, forged: true });
    await announce(play, paid);
  },
  async double(play) {
    await announce(play, await payTrade(play, { fen: play.trade.amount_fen }));
    const sibling = await findSibling(play);
    if (sibling) {
      const second = { ...play, trade: sibling };
      return announce(second, await payTrade(second, { fen: sibling.amount_fen }));
    }
    const second = { ...play.trade, paid_fen: play.trade.amount_fen, paid_at: play.now };
    const transactionId = newTransactionId();
    await changeTrade(play.trx, play.trade, { second_transaction_id: transactionId, second_paid_fen: second.paid_fen });
    await announce(play, { ...second, transaction_id: transactionId });
  },
};

async function payTrade({ trx, trade, now }: Play, { fen, hiddenUntil }: { fen: number; hiddenUntil?: Date }) {
  const paid = {
    paid_fen: fen,
    transaction_id: newTransactionId(),
    paid_at: now,
    hidden_until: hiddenUntil ?? null,
    ...(hiddenUntil ? {} : { state: "paid" as const }),
  };
  await changeTrade(trx, trade, paid);
  return { ...trade, ...paid };
}

async function findSibling({ trx, trade, now }: Play): Promise<Trade | undefined> {
  const others = await trx
    .selectFrom("sandbox_trade")
    .selectAll()
    .where("attached", "=", trade.attached)
    .where("id", "<>", trade.id)
    .forUpdate()
    .execute();
  return others.find((other) => isOpen(other, now));
}

const enqueue = ({ trx, queue }: Play, payload: NotifyPayload, delaySeconds = 0) =>
  queue.enqueue(trx, { kind: notifyKind, payload, maxAttempts: notifyAttempts, delaySeconds });

async function announce(play: Play, paid: Trade, times = 1) {
  for (let i = 0; i < times; i++) await enqueue(play, { body: writeNotification(toPayment(paid)) });
}

/** Sends the notification when the hidden payment becomes visible. */
export async function announceLater(play: Play, paid: Trade) {
  const seconds = ((paid.hidden_until ?? play.now).getTime() - play.now.getTime()) / 1000;
  await enqueue(play, { body: writeNotification(toPayment(paid)) }, Math.max(0, seconds));
}
