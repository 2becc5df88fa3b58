import { type RawBuilder, sql } from "kysely";
import { toSeconds } from "../calendar";
import type { Db } from "../db/database";

/** `svip` is the professional tier; it runs first where both are active. */
export type Tier = "vip" | "svip";

/** Time that was granted. Times are Unix seconds. */
export interface Grant {
  id: string;
  tier: Tier;
  seconds: number;
  monthly: boolean;
  at: number;
}

/** A refund of a grant (negative seconds), or the return of refunded time (positive). */
export interface GrantChange {
  changes: string;
  seconds: number;
  at: number;
}

export interface Membership {
  /** Unix seconds; 0 if the tier never ran. */
  vipExpire: number;
  svipExpire: number;
  /** The newest active grant came from a monthly package. */
  isMonthly: boolean;
}

/** Remaining seconds of a grant. `missing`: refunded seconds that were used already. */
interface Holding extends Pick<Grant, "tier" | "monthly"> {
  left: number;
  missing: number;
}

/** The professional tier runs first, the older grant of a tier before the newer one. */
const runningOrder: readonly Tier[] = ["svip", "vip"];

/**
 * Replays the ledger of grants in the order of its rows. Time of the normal tier waits while the professional one runs,
 * so that no paid second is lost. A refund takes back what its own grant still gives and nothing else.
 */
export function toMembership(rows: ReadonlyArray<Grant | GrantChange>, now: number): Membership {
  const holdings = new Map<string, Holding>();
  const ranUntil: Record<Tier, number> = { vip: 0, svip: 0 };
  let clock = 0;
  const runUntil = (until: number) => {
    for (const tier of runningOrder) {
      for (const holding of ofTier(holdings, tier)) {
        const used = Math.min(holding.left, Math.max(0, until - clock));
        holding.left -= used;
        clock += used;
        if (used > 0) ranUntil[tier] = clock;
      }
    }
    clock = Math.max(clock, until);
  };
  for (const row of rows) {
    runUntil(row.at);
    if ("changes" in row) changeHolding(holdings.get(row.changes), row.seconds);
    else holdings.set(row.id, { tier: row.tier, monthly: row.monthly, left: row.seconds, missing: 0 });
  }
  runUntil(now);
  const left = { svip: sumLeft(holdings, "svip"), vip: sumLeft(holdings, "vip") };
  return {
    svipExpire: left.svip > 0 ? clock + left.svip : ranUntil.svip,
    vipExpire: left.vip > 0 ? clock + left.svip + left.vip : ranUntil.vip,
    isMonthly: [...holdings.values()].findLast((holding) => holding.left > 0)?.monthly ?? false,
  };
}

const ofTier = (holdings: ReadonlyMap<string, Holding>, tier: Tier): Holding[] =>
  [...holdings.values()].filter((holding) => holding.tier === tier);

const sumLeft = (holdings: ReadonlyMap<string, Holding>, tier: Tier): number =>
  ofTier(holdings, tier).reduce((sum, { left }) => sum + left, 0);

/** Restored time first covers what an earlier refund could not take back. */
function changeHolding(holding: Holding | undefined, seconds: number) {
  if (!holding) return;
  const left = holding.left - holding.missing + seconds;
  holding.left = Math.max(0, left);
  holding.missing = Math.max(0, -left);
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

interface GrantRow extends Omit<Grant, "id"> {
  seq: string;
  shortens: string | null;
}

/** An account's grants and their changes as JSON, to be selected next to others in one query. */
export const grantsOf = (accountId: string | RawBuilder<unknown>) => sql<GrantRow[]>`(
  select coalesce(json_agg(json_build_object('seq', seq::text, 'shortens', shortens::text, 'tier', tier,
    'seconds', seconds, 'monthly', monthly, 'at', floor(extract(epoch from granted_at))::bigint) order by seq), '[]')
  from membership_grant where account_id = ${accountId})`;

/** The membership of the rows that `grantsOf` selects. */
export const membershipOf = (rows: GrantRow[], now: Date): Membership =>
  toMembership(
    rows.map(({ seq, shortens, seconds, at, ...grant }) =>
      shortens === null ? { id: seq, seconds, at, ...grant } : { changes: shortens, seconds, at },
    ),
    toSeconds(now),
  );

export async function readMembership(db: Db, accountId: string, now: Date): Promise<Membership> {
  const { rows } = await sql<{ grants: GrantRow[] }>`select ${grantsOf(accountId)} as grants`.execute(db);
  return membershipOf(rows[0]?.grants ?? [], now);
}
