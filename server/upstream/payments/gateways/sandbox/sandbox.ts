import { randomBytes } from "node:crypto";
import { dayBounds } from "../../../calendar";
import type { Db } from "../../../db/database";
import type { JobHandler } from "../../../jobs/handler";
import type { Queue } from "../../../jobs/queue";
import {
  type BillLine,
  type Gateway,
  GatewayError,
  type NotificationAnswer,
  type NotificationMessage,
} from "../../gateway";
import {
  alreadyRefunded,
  changeTrade,
  findTrade,
  isPaid,
  lockTrade,
  merchant,
  readNotification,
  sign,
  toStatus,
  verify,
} from "./book";
import { announceLater, createCashier, type NotifyPayload, notifyKind } from "./cashier";

interface SandboxParts {
  db: Db;
  queue: Queue;
  mode: "demo" | "production";
  /** The address of the cashier's page for the payer's phone. */
  cashierUrl(id: string): string;
  now?: () => Date;
}

export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

/**
 * A simulated gateway for demos and tests: it has its own tables, and its signed notifications are verified like those of
 * a real gateway. Throws in production mode.
 */
export async function createSandbox(parts: SandboxParts) {
  if (parts.mode === "production") throw new Error("the sandbox gateway does not exist in production mode");
  const { db, queue, now = () => new Date() } = parts;
  const secret = await keptSecret(db);
  return {
    gateway: createGateway({ ...parts, now, secret }),
    cashier: createCashier({ db, queue, now }),
    /** The gateway's jobs: they deliver notifications until they are accepted. */
    createHandlers: (
      deliver: (message: NotificationMessage) => Promise<NotificationAnswer>,
    ): Record<string, JobHandler> => ({
      [notifyKind]: {
        async run(payload) {
          const { body, forged } = payload as NotifyPayload;
          const answer = await deliver(sign(forged ? "another key" : secret, body, now()));
          if (!forged && answer.status !== 200) throw new Error(`notification answered with ${answer.status}`);
          return undefined;
        },
      },
    }),
  };
}

/** One key for all servers on this database. */
async function keptSecret(db: Db): Promise<string> {
  const secret = randomBytes(32).toString("hex");
  await db
    .insertInto("sandbox_key")
    .values({ id: 1, secret })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await db.selectFrom("sandbox_key").select("secret").executeTakeFirstOrThrow()).secret;
}

type GatewayParts = Required<SandboxParts> & { secret: string };

function createGateway({ db, queue, cashierUrl, now, secret }: GatewayParts): Gateway {
  return {
    name: "sandbox",
    merchantId: merchant.merchantId,
    appId: merchant.appId,
    dialect: {
      accepted: { status: 200, contentType: "text/plain", body: "success" },
      refused: { status: 401, contentType: "text/plain", body: "fail" },
    },
    async createPayment({ outTradeNo, orderId, subject, amountFen, platform, expiresAt }) {
      await db
        .insertInto("sandbox_trade")
        .values({
          out_trade_no: outTradeNo,
          attached: orderId,
          subject,
          amount_fen: amountFen,
          platform,
          expires_at: expiresAt,
        })
        .onConflict((conflict) => conflict.column("out_trade_no").doNothing())
        .execute();
      const trade = await findTrade(db, outTradeNo);
      if (!trade || trade.amount_fen !== amountFen || trade.state !== "open") {
        throw new GatewayError("refused", "this number was used before");
      }
      return { url: cashierUrl(trade.id) };
    },
    async query(outTradeNo) {
      const trade = await findTrade(db, outTradeNo);
      return trade ? toStatus(trade, now()) : { state: "unpaid" };
    },
    close: (outTradeNo) => closeTrade({ db, queue, now: now() }, outTradeNo),
    refund: (request) => refundTrade(db, request, now()),
    async queryRefund({ number }) {
      const refund = await db.selectFrom("sandbox_refund").select("number").where("number", "=", number).execute();
      return refund.length > 0 ? "done" : "unknown";
    },
    async parseNotification(message) {
      verify(secret, message, now());
      return readNotification(message.body);
    },
    bill: (day) => readBill(db, day, now()),
  };
}

function closeTrade({ db, queue, now }: { db: Db; queue: Queue; now: Date }, outTradeNo: string) {
  return db.transaction().execute(async (trx): Promise<"closed" | "paid"> => {
    if (!(await findTrade(trx, outTradeNo))) return "closed";
    const trade = await lockTrade(trx, outTradeNo);
    if (isPaid(trade, now)) return "paid";
    if (trade.state !== "open") return "closed";
    const closed = { ...trade, state: "closed" as const, hidden_until: now };
    await changeTrade(trx, trade, { state: "closed", hidden_until: now });
    if (closed.paid_fen !== null) await announceLater({ trx, queue, trade, now }, closed);
    return "closed";
  });
}

function refundTrade(db: Db, request: Parameters<Gateway["refund"]>[0], now: Date) {
  const { outTradeNo, number, refundFen } = request;
  return db.transaction().execute(async (trx) => {
    const trade = await lockTrade(trx, outTradeNo);
    const known = await trx.selectFrom("sandbox_refund").select("number").where("number", "=", number).execute();
    if (known.length > 0) return "done" as const;
    const isSecond = request.transactionId !== undefined && request.transactionId === trade.second_transaction_id;
    const transactionId = isSecond ? trade.second_transaction_id : null;
    const paidFen = (isSecond ? trade.second_paid_fen : trade.paid_fen) ?? 0;
    const refunded = (await alreadyRefunded(trx, outTradeNo, transactionId)) + refundFen;
    if (!isPaid(trade, now) || refunded > paidFen) throw new GatewayError("refused", "more than was paid");
    const row = { number, out_trade_no: outTradeNo, amount_fen: refundFen, created_at: now };
    await trx
      .insertInto("sandbox_refund")
      .values({ ...row, transaction_id: transactionId })
      .execute();
    if (!isSecond && refunded === paidFen) await changeTrade(trx, trade, { state: "refunded" });
    return "done" as const;
  });
}

async function readBill(db: Db, day: string, now: Date): Promise<BillLine[]> {
  const { from, to } = dayBounds(day);
  const trades = await db
    .selectFrom("sandbox_trade")
    .selectAll()
    .where("paid_at", ">=", from)
    .where("paid_at", "<", to)
    .execute();
  const refunds = await db
    .selectFrom("sandbox_refund as refund")
    .innerJoin("sandbox_trade as trade", "trade.out_trade_no", "refund.out_trade_no")
    .select(["refund.number", "refund.amount_fen", "refund.out_trade_no", "trade.transaction_id"])
    .where("refund.created_at", ">=", from)
    .where("refund.created_at", "<", to)
    .execute();
  return [
    ...trades
      .filter((trade) => isPaid(trade, now))
      .map((trade) => ({
        kind: "payment" as const,
        outTradeNo: trade.out_trade_no,
        transactionId: trade.transaction_id ?? "",
        amountFen: trade.paid_fen ?? 0,
      })),
    ...refunds.map((refund) => ({
      kind: "refund" as const,
      outTradeNo: refund.out_trade_no,
      transactionId: refund.transaction_id ?? "",
      amountFen: refund.amount_fen,
      refundNumber: refund.number,
    })),
  ];
}
