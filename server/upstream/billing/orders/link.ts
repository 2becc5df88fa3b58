import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { toSeconds } from "../../calendar";
import { AppError } from "../../errors";
import { GatewayError } from "../../payments/gateway";
import { type BillingParts, gatewayNamed } from "../parts";
import type { Snapshot } from "../products";
import { type Attempt, getAttempt, getOrder, isPayable, type Order } from "../rows";
import { subjectOf } from "../subject";
import { findLiveAttempt, replaceAttempt } from "./orders";

const gatewayMs = 8000;
const askingSeconds = 10;
/** Longer than a claim lives: a server that was killed while it asked must not fail the callers that wait for it. */
const waitMs = 12_000;
const pollMs = 100;

/** A link is renewed this long before it expires. */
const renewalSeconds = 60;

export interface Link {
  order: Order;
  url: string;
  /** When the link expires; null if it lives as long as the order. */
  urlExpiresAt: Date | null;
}

/**
 * The attempt's QR code or link. One server calls the gateway while concurrent callers wait. After a timeout, and for a
 * link that is about to expire, the next call repeats the request with the same number. Throws timeout or failure.
 */
export async function linkOf(parts: BillingParts, attemptId: string, clientAddress: string): Promise<Link> {
  const deadline = Date.now() + waitMs;
  let id = attemptId;
  let mayReplace = true;
  for (;;) {
    if (Date.now() > deadline) throw new AppError("timeout", "another caller still asks the gateway", { status: 504 });
    const attempt = await getAttempt(parts.db, id);
    const order = await getOrder(parts.db, attempt.order_id);
    const isOpen = order.state === "OPEN";
    const successor = isOpen && !isPayable(attempt) && (await findLiveAttempt(parts.db, order, attempt));
    if (successor) {
      id = successor.id;
      continue;
    }
    const urlExpiresAt = expiryOf(parts, attempt);
    const mayRenew = isOpen && isPayable(attempt);
    if (attempt.url && !(mayRenew && isOverSoon(parts, urlExpiresAt))) return { order, url: attempt.url, urlExpiresAt };
    if (!isPayable(attempt)) break;
    if (!(await claim(parts, attempt))) {
      await sleep(pollMs);
      continue;
    }
    try {
      await ask(parts, { attempt, order, clientAddress });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.fault !== "refused") throw new AppError("timeout", error.message, { status: 504, cause: error });
      if (!mayReplace) throw new AppError("failure", "the gateway refuses", { cause: error });
      mayReplace = false;
      const place = { queue: parts.queue, at: parts.now() };
      await parts.db.transaction().execute((trx) => replaceAttempt({ trx, ...place }, attempt, order.account_id));
    }
  }
  throw new AppError("failure", "this attempt leads nowhere");
}

/** An order with its link, as a new one is told. */
export function toCreated({ order, url, urlExpiresAt }: Link) {
  const urlExpireAt = urlExpiresAt && { urlExpireAt: toSeconds(urlExpiresAt) };
  return { orderId: order.id, url, expireAt: toSeconds(order.expires_at), ...urlExpireAt, price: order.amount_fen };
}

function expiryOf(parts: BillingParts, attempt: Attempt): Date | null {
  const seconds = gatewayNamed(parts, attempt.gateway)?.linkSeconds?.[attempt.trade_type];
  return seconds && attempt.url_at ? new Date(attempt.url_at.getTime() + seconds * 1000) : null;
}

const isOverSoon = ({ now }: BillingParts, expiresAt: Date | null) =>
  expiresAt !== null && expiresAt.getTime() - now().getTime() <= renewalSeconds * 1000;

async function claim({ db }: BillingParts, { id, url_at }: Attempt): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update pay_attempt set asking_until = now() + make_interval(secs => ${askingSeconds}::int)
    where id = ${id} and url_at is not distinct from ${url_at} and (asking_until is null or asking_until < now())`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

interface Ask {
  attempt: Attempt;
  order: Order;
  clientAddress: string;
}

/** Stores the link that the gateway gives. Throws GatewayError. */
async function ask(parts: BillingParts, { attempt, order, clientAddress }: Ask): Promise<void> {
  const { db } = parts;
  const gateway = gatewayNamed(parts, attempt.gateway);
  if (!gateway) throw new AppError("failure", `no gateway ${attempt.gateway}`);
  const request = {
    outTradeNo: attempt.out_trade_no,
    orderId: order.id,
    subject: subjectOf(order.snapshot as Snapshot),
    amountFen: order.amount_fen,
    platform: attempt.platform,
    tradeType: attempt.trade_type,
    expiresAt: order.expires_at,
    clientAddress,
    payer: attempt.payer,
  };
  try {
    const { url } = await gateway.createPayment(request, AbortSignal.timeout(gatewayMs));
    // It may be paid already: only a first step is a step to PENDING.
    await sql`update pay_attempt set url = ${url}, url_at = ${parts.now()}, asking_until = null,
      state = case state when 'INIT' then 'PENDING' else state end where id = ${attempt.id}`.execute(db);
  } catch (error) {
    await db.updateTable("pay_attempt").set({ asking_until: null }).where("id", "=", attempt.id).execute();
    throw error;
  }
}
