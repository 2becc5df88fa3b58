import type { Db } from "../../db/database";
import { toSeconds } from "../month";
import { type Membership, shareOf, type Tier, toMembership } from "./membership";

export interface NewGrant {
  accountId: string;
  /** null: given, not bought. */
  orderId: string | null;
  tier: Tier;
  seconds: number;
  monthly: boolean;
  at: Date;
}

/** Adds time; call with the wallet taken. An order's time is granted once: the second one throws. */
export async function grantTime(trx: Db, { accountId, orderId, tier, seconds, monthly, at }: NewGrant): Promise<void> {
  await trx
    .insertInto("membership_grant")
    .values({ account_id: accountId, order_id: orderId, tier, seconds, monthly, granted_at: at, shortens: null })
    .execute();
}

/**
 * Books the refund's share of what an order granted; `refundedFen` is all that was refunded of it so far. Of that share
 * `readMembership` takes back what is not used yet.
 */
export async function shortenTime(
  trx: Db,
  { orderId, refundedFen, amountFen, at }: { orderId: string; refundedFen: number; amountFen: number; at: Date },
): Promise<void> {
  const rows = await trx.selectFrom("membership_grant").selectAll().where("order_id", "=", orderId).execute();
  const grant = rows.find((row) => row.shortens === null);
  if (!grant) return;
  const taken = rows.reduce((sum, row) => sum - (row.shortens === null ? 0 : row.seconds), 0);
  const seconds = shareOf(grant.seconds, { refundedFen, amountFen }) - taken;
  if (seconds === 0) return;
  const { account_id, order_id, tier, monthly, seq } = grant;
  await trx
    .insertInto("membership_grant")
    .values({ account_id, order_id, tier, monthly, seconds: -seconds, shortens: seq, granted_at: at })
    .execute();
}

export async function readMembership(db: Db, accountId: string, now: Date): Promise<Membership> {
  const rows = await db
    .selectFrom("membership_grant")
    .select(["seq", "tier", "seconds", "monthly", "shortens", "granted_at"])
    .where("account_id", "=", accountId)
    .orderBy("seq")
    .execute();
  const history = rows.map((row) => {
    const at = toSeconds(row.granted_at);
    if (row.shortens !== null) return { changes: row.shortens, seconds: row.seconds, at };
    return { id: row.seq, tier: row.tier, seconds: row.seconds, monthly: row.monthly, at };
  });
  return toMembership(history, toSeconds(now));
}
