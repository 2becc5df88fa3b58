import { randomUUID } from "node:crypto";
import { toSeconds } from "../../calendar";
import type { Db } from "../../db/database";
import type { Queue } from "../../jobs/queue";
import type { GatewayName, Platform, TradeType } from "../../payments/gateway";
import { scheduleJob } from "../jobs/schedule";
import { lockWallet } from "../ledger";
import { readMembership, tierAt } from "../membership";
import { getProduct, type Snapshot, toSnapshot } from "../products";
import { type Attempt, getOrder, type Order, payableStates } from "../rows";

const orderSeconds = 30 * 60;
/** With less time left an order gets no attempt any more: the payer could not finish it. */
const lastAttemptSeconds = 2 * 60;

export interface Method {
  gateway: GatewayName;
  platform: Platform;
  tradeType: TradeType;
  /** The gateway's own name of the payer, for jsapi. */
  payer?: string;
}

interface NewOrder {
  accountId: string;
  productCode: string;
  method: Method;
}

interface OrderPlace {
  trx: Db;
  queue: Queue;
  at: Date;
}

/**
 * Finds or creates the attempt. Idempotent while the order is open at the same terms; another method adds an attempt to
 * the same order. Does not call the gateway.
 */
export async function placeOrder(place: OrderPlace, { accountId, productCode, method }: NewOrder): Promise<Attempt> {
  const { trx, at } = place;
  await lockWallet(trx, accountId);
  const product = await getProduct(trx, productCode);
  const tier = tierAt(await readMembership(trx, accountId, at), toSeconds(at));
  const snapshot = toSnapshot(product, tier);
  const open = await trx
    .selectFrom("pay_order")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("product_code", "=", productCode)
    .where("state", "=", "OPEN")
    .executeTakeFirst();
  if (open && hasTimeToPay(open, at) && isSame(open.snapshot as Snapshot, snapshot)) {
    return placeAttempt(place, open, method);
  }
  // A late payment of it is still granted.
  if (open) await closeOrder(place, open);
  return addAttempt(place, await insertOrder(place, { accountId, snapshot }), method);
}

/** The order's attempt by this method, or a new one; call with the wallet locked, for an open order. */
export async function placeAttempt(place: OrderPlace, order: Order, method: Method): Promise<Attempt> {
  const same = { payer: "", ...method, trade_type: method.tradeType };
  return (await findLiveAttempt(place.trx, order, same)) ?? addAttempt(place, order, method);
}

export const hasTimeToPay = ({ expires_at }: Order, at: Date) =>
  expires_at.getTime() - at.getTime() >= lastAttemptSeconds * 1000;

const isSame = (a: Snapshot, b: Snapshot) =>
  a.priceFen === b.priceFen && a.days === b.days && a.characters === b.characters && a.monthly === b.monthly;

async function insertOrder(place: OrderPlace, { accountId, snapshot }: { accountId: string; snapshot: Snapshot }) {
  const { trx, at } = place;
  const order = await trx
    .insertInto("pay_order")
    .values({
      account_id: accountId,
      product_code: snapshot.code,
      snapshot: JSON.stringify(snapshot),
      amount_fen: snapshot.priceFen,
      expires_at: new Date(at.getTime() + orderSeconds * 1000),
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await scheduleJob(place, "pay-expire", { of: order.id }, orderSeconds);
  return order;
}

/** The order's attempt by this method that may still be paid. */
export const findLiveAttempt = (
  db: Db,
  order: Order,
  method: Pick<Attempt, "gateway" | "platform" | "trade_type" | "payer">,
): Promise<Attempt | undefined> =>
  db
    .selectFrom("pay_attempt")
    .selectAll()
    .where("order_id", "=", order.id)
    .where("gateway", "=", method.gateway)
    .where("platform", "=", method.platform)
    .where("trade_type", "=", method.trade_type)
    .where("payer", "=", method.payer)
    .where("state", "in", payableStates)
    .executeTakeFirst();

async function addAttempt(place: OrderPlace, order: Order, method: Method): Promise<Attempt> {
  const { tradeType, payer = "", ...terms } = method;
  const { trx, at } = place;
  const id = randomUUID();
  const attempt = await trx
    .insertInto("pay_attempt")
    .values({
      id,
      order_id: order.id,
      ...terms,
      payer,
      trade_type: tradeType,
      out_trade_no: id.replaceAll("-", ""),
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await scheduleJob(place, "pay-query", { of: id }, 5);
  return attempt;
}

/** Closes the order and schedules the closing of its attempts at their gateways. */
export async function closeOrder(place: OrderPlace, order: Order): Promise<void> {
  const { trx, at } = place;
  await trx
    .updateTable("pay_order")
    .set({ state: "CLOSED", closed_at: at })
    .where("id", "=", order.id)
    .where("state", "=", "OPEN")
    .execute();
  const attempts = await trx
    .selectFrom("pay_attempt")
    .select("id")
    .where("order_id", "=", order.id)
    .where("state", "in", payableStates)
    .execute();
  for (const attempt of attempts) await scheduleJob(place, "pay-close", { of: attempt.id });
}

/** Replaces an attempt whose number the gateway refused, while its order is open and has time left. */
export async function replaceAttempt(place: OrderPlace, refused: Attempt, accountId: string): Promise<void> {
  const { trx } = place;
  await lockWallet(trx, accountId);
  const { numUpdatedRows } = await trx
    .updateTable("pay_attempt")
    .set({ state: "CLOSED" })
    .where("id", "=", refused.id)
    .where("state", "in", payableStates)
    .executeTakeFirst();
  const order = await getOrder(trx, refused.order_id);
  if (numUpdatedRows !== 1n || order.state !== "OPEN" || !hasTimeToPay(order, place.at)) return;
  const { gateway, trade_type: tradeType, platform, payer } = refused;
  const method = { gateway: gateway as GatewayName, platform, tradeType, payer };
  await addAttempt(place, order, method);
}

const accountPrefix = "account:";

/** Billing's part of account deletion. The ledger stays. */
export function createClosing({ queue, now }: { queue: Queue; now(): Date }) {
  return {
    /** In the deletion's transaction: closes open orders; money that arrives later is refunded. */
    async forget(trx: Db, owner: string) {
      if (!owner.startsWith(accountPrefix)) return;
      const accountId = owner.slice(accountPrefix.length);
      await lockWallet(trx, accountId);
      const at = now();
      await trx.deleteFrom("referral_code").where("account_id", "=", accountId).execute();
      // Issued invoices stay with their orders, as tax law wants, without the address that they were sent to.
      await trx.deleteFrom("pay_invoice").where("account_id", "=", accountId).where("state", "!=", "ISSUED").execute();
      await trx.updateTable("pay_invoice").set({ email: "" }).where("account_id", "=", accountId).execute();
      await trx
        .updateTable("wallet")
        .set({ closed_at: at })
        .where("account_id", "=", accountId)
        .where("closed_at", "is", null)
        .execute();
      const open = trx.selectFrom("pay_order").selectAll().where("account_id", "=", accountId);
      for (const order of await open.where("state", "=", "OPEN").execute()) {
        await closeOrder({ trx, queue, at }, order);
      }
      const orders = trx.selectFrom("pay_order").select("id").where("account_id", "=", accountId);
      await trx.deleteFrom("pay_handover").where("order_id", "in", orders).execute();
    },
  };
}
