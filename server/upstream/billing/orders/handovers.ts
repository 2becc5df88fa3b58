import { createHash, randomBytes } from "node:crypto";
import type { CallData } from "~server/contract/calls/table";
import { toSeconds } from "../../calendar";
import { AppError } from "../../errors";
import type { Platform, TradeType } from "../../payments/gateway";
import { lockWallet } from "../ledger";
import type { BillingParts } from "../parts";
import type { Snapshot } from "../products";
import { getOrder, type Order } from "../rows";
import { subjectOf } from "../subject";
import { linkOf, toCreated } from "./link";
import { hasTimeToPay, placeAttempt } from "./orders";
import { getOwnOrder, toStatus } from "./status";

const linkSeconds = 15 * 60;
/** Long enough to pay and to see the outcome; the order's own time still ends its payment. */
const passSeconds = 2 * 3600;

interface HandoverPayment {
  pass: string;
  platform: Platform;
  tradeType: TradeType;
  clientAddress: string;
}

/**
 * Links that hand one order over to another browser. A link is opened once, within 15 minutes, and becomes a pass that pays
 * and shows that order and nothing else. Stored are hashes only.
 */
export function createHandovers(parts: BillingParts) {
  const { db, queue, gateways, now } = parts;
  const later = (seconds: number) => new Date(now().getTime() + seconds * 1000);

  async function orderOf(pass: string): Promise<Order> {
    const row = await db
      .selectFrom("pay_handover")
      .select("order_id")
      .where("hash", "=", hashOf(pass))
      .where("opened_at", "is not", null)
      .where("expires_at", ">", now())
      .executeTakeFirst();
    if (!row) throw missing();
    return getOrder(db, row.order_id);
  }

  return {
    /** Throws not-found for another account's order, bad-request for one that cannot be paid any more. */
    async create(accountId: string, orderId: string): Promise<CallData<"handoverCreate">> {
      const order = await getOwnOrder(parts, accountId, orderId);
      if (!isPayableOrder(order, now())) throw isOver();
      const [token, expires_at] = [makeSecret(), later(linkSeconds)];
      const row = { hash: hashOf(token), order_id: order.id, opened_at: null, expires_at };
      await db.insertInto("pay_handover").values(row).execute();
      return { token, expireAt: toSeconds(expires_at) };
    },
    /** Throws not-found for a link that is used, over or unknown. */
    async open(token: string): Promise<CallData<"handoverOpen">> {
      const pass = makeSecret();
      const { numUpdatedRows } = await db
        .updateTable("pay_handover")
        .set({ hash: hashOf(pass), opened_at: now(), expires_at: later(passSeconds) })
        .where("hash", "=", hashOf(token))
        .where("opened_at", "is", null)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw missing();
      return { pass };
    },
    /** Throws not-found without a pass, bad-request for an order that cannot be paid any more. */
    async pay({ pass, platform, tradeType, clientAddress }: HandoverPayment): Promise<ReturnType<typeof toCreated>> {
      const { id, account_id } = await orderOf(pass);
      const gateway = gateways[platform];
      if (!gateway) throw new AppError("failure", "no gateway for this method");
      const attempt = await db.transaction().execute(async (trx) => {
        await lockWallet(trx, account_id);
        const order = await getOrder(trx, id);
        if (!isPayableOrder(order, now())) throw isOver();
        const method = { gateway: gateway.name, platform, tradeType };
        return placeAttempt({ trx, queue, at: now() }, order, method);
      });
      queue.wake();
      return toCreated(await linkOf(parts, attempt.id, clientAddress));
    },
    /** As it is known here; the scheduled queries find a payment without its notification. */
    async show(pass: string): Promise<CallData<"handoverShow">> {
      const order = await orderOf(pass);
      const name = subjectOf(order.snapshot as Snapshot);
      const status = await toStatus(parts, order);
      return { status, name, price: order.amount_fen, expireAt: toSeconds(order.expires_at) };
    },
    /** Deletes links and passes that are over. */
    async sweep() {
      await db.deleteFrom("pay_handover").where("expires_at", "<", now()).execute();
    },
  };
}

const isPayableOrder = (order: Order, at: Date) => order.state === "OPEN" && hasTimeToPay(order, at);

const makeSecret = () => randomBytes(32).toString("base64url");
const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

const missing = () => new AppError("not-found", "no such link", { status: 404 });
const isOver = () => new AppError("bad-request", "the order cannot be paid any more");
