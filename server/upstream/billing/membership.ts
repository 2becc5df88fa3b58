import { type Insertable, type RawBuilder, sql } from "kysely";
import { toSeconds } from "../calendar";
import type { Db } from "../db/database";
import type { BillingTables } from "../db/tables/billing";
import { type Grant, type GrantChange, replay, type Tier } from "./replay";

export type { Grant, GrantChange, Tier };

export interface Membership {
  /** Unix seconds; 0 if the tier never ran. */
  vipExpire: number;
  svipExpire: number;
  /** The newest active grant came from a monthly package. */
  isMonthly: boolean;
}

/**
 * Time of the normal tier waits while the professional one runs, so that no paid second is lost. A refund takes back what
 * its own grant still gives and nothing else.
 */
export function toMembership(rows: ReadonlyArray<Grant | GrantChange>, now: number): Membership {
  const { clock, ranUntil, holdings } = replay(rows, now);
  const sumLeft = (tier: Tier) => holdings.reduce((sum, one) => sum + (one.tier === tier ? one.left : 0), 0);
  const left = { svip: sumLeft("svip"), vip: sumLeft("vip") };
  return {
    svipExpire: left.svip > 0 ? clock + left.svip : ranUntil.svip,
    vipExpire: left.vip > 0 ? clock + left.svip + left.vip : ranUntil.vip,
    isMonthly: holdings.findLast((holding) => holding.left > 0)?.monthly ?? false,
  };
}

/** The tier whose benefits hold now; null without one. */
export function tierAt({ vipExpire, svipExpire }: Membership, now: number): Tier | null {
  if (svipExpire > now) return "svip";
  return vipExpire > now ? "vip" : null;
}

/** The share of `whole` that a total refund of `refundedFen` out of `amountFen` takes back, rounded down. */
export function shareOf(whole: number, { refundedFen, amountFen }: { refundedFen: number; amountFen: number }): number {
  return Number((BigInt(whole) * BigInt(refundedFen)) / BigInt(amountFen));
}

/** The largest refund, after `refundedFen`, whose share of `whole` is at most `left`. */
export function largestRefund(
  whole: number,
  { refundedFen, amountFen, left }: { refundedFen: number; amountFen: number; left: number },
): number {
  const taken = shareOf(whole, { refundedFen, amountFen });
  const total = Number((BigInt(amountFen) * BigInt(taken + left + 1) - 1n) / BigInt(whole));
  return Math.min(total, amountFen) - refundedFen;
}

interface NewGrant {
  accountId: string;
  /** null: given, not bought. */
  orderId: string | null;
  tier: Tier;
  seconds: number;
  monthly: boolean;
  at: Date;
}

/** Adds time; call with the wallet locked. An order's time is granted once: the second one throws. */
export async function grantTime(trx: Db, { accountId, orderId, tier, seconds, monthly, at }: NewGrant): Promise<void> {
  const terms = { tier, seconds, monthly, granted_at: at, shortens: null };
  await addGrant(trx, { account_id: accountId, order_id: orderId, ...terms });
}

/** The end of the membership may be another one now. */
async function addGrant(trx: Db, grant: Insertable<BillingTables["membership_grant"]>): Promise<void> {
  await trx.insertInto("membership_grant").values(grant).execute();
  const wallet = trx.updateTable("wallet").where("account_id", "=", grant.account_id);
  await wallet.set({ expiry_check_at: grant.granted_at }).execute();
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
  await addGrant(trx, { account_id, order_id, tier, monthly, seconds: -seconds, shortens: seq, granted_at: at });
}

export interface GrantRow extends Omit<Grant, "id"> {
  seq: string;
  shortens: string | null;
}

/** An account's grants and their changes as JSON, to be selected next to others in one query. */
export const grantsOf = (accountId: string | RawBuilder<unknown>) => sql<GrantRow[]>`(
  select coalesce(json_agg(json_build_object('seq', seq::text, 'shortens', shortens::text, 'tier', tier,
    'seconds', seconds, 'monthly', monthly, 'at', floor(extract(epoch from granted_at))::bigint) order by seq), '[]')
  from membership_grant where account_id = ${accountId})`;

/** The ledger of grants of the rows that `grantsOf` selects. */
export const toGrants = (rows: GrantRow[]): Array<Grant | GrantChange> =>
  rows.map(({ seq, shortens, seconds, at, ...grant }) =>
    shortens === null ? { id: seq, seconds, at, ...grant } : { changes: shortens, seconds, at },
  );

export async function readGrants(db: Db, accountId: string): Promise<Array<Grant | GrantChange>> {
  const { rows } = await sql<{ grants: GrantRow[] }>`select ${grantsOf(accountId)} as grants`.execute(db);
  return toGrants(rows[0]?.grants ?? []);
}

export const readMembership = async (db: Db, accountId: string, now: Date): Promise<Membership> =>
  toMembership(await readGrants(db, accountId), toSeconds(now));
