import { sql } from "kysely";
import { monthEnd, monthOf, toSeconds } from "../calendar";
import type { Db } from "../db/database";
import { type Membership, readMembership, type Tier, tierAt } from "./membership";

/** In characters; what running tasks hold counts as used. total = used + left. */
interface BucketState {
  total: number;
  used: number;
  left: number;
}

export interface Quota extends Record<Bucket, BucketState> {
  /** Unix seconds: when the month's characters are reset. */
  resetAt: number;
}

/** Only the running tier has a month: the other one's begins with its time. Packs stay until their month is over. */
function toState(bucket: Bucket, row: BucketRow | undefined, running: Tier | null): BucketState {
  const used = row ? row.used + row.reserved : 0;
  if (bucket === "pack") return { total: row?.total ?? 0, used, left: (row?.total ?? 0) - used };
  if (bucket !== running) return { total: used, used, left: 0 };
  const total = row?.total ?? monthly[bucket];
  return { total, used, left: total - used };
}

function toQuota(rows: BucketRow[], membership: Membership, now: Date): Quota {
  const running = tierAt(membership, toSeconds(now));
  const stateOf = (bucket: Bucket) =>
    toState(
      bucket,
      rows.find((row) => row.bucket === bucket),
      running,
    );
  return { svip: stateOf("svip"), vip: stateOf("vip"), pack: stateOf("pack"), resetAt: toSeconds(monthEnd(now)) };
}

export async function readQuota(db: Db, accountId: string, now: Date): Promise<Quota> {
  const rows = await readBuckets(db, accountId, monthOf(now));
  return toQuota(rows, await readMembership(db, accountId, now), now);
}

export const leftOf = ({ svip, vip, pack }: Quota): PerBucket => ({
  svip: svip.left,
  vip: vip.left,
  pack: pack.left,
});

export const usedOf = ({ svip, vip, pack }: Quota): number => svip.used + vip.used + pack.used;

/** In order of use: a tier's month, then add-on packs. Only one of the tiers has a month at a time. */
export const buckets = ["svip", "vip", "pack"] as const;
export type Bucket = (typeof buckets)[number];
export type PerBucket = Record<Bucket, number>;

/** Characters a tier gives in a calendar month. */
export const monthly: Record<"vip" | "svip", number> = { vip: 50_000, svip: 100_000 };
/** Characters of one add-on pack, by the tier of who buys it. */
export const packCharacters: Record<"vip" | "svip", number> = { vip: 60_000, svip: 110_000 };

export const sum = (of: PerBucket): number => of.svip + of.vip + of.pack;

/** Takes `need` from what is left, bucket by bucket; null when all buckets together have too little. */
export function split(need: number, left: PerBucket): PerBucket | null {
  const taken: PerBucket = { svip: 0, vip: 0, pack: 0 };
  let missing = need;
  for (const bucket of buckets) {
    taken[bucket] = Math.min(missing, left[bucket]);
    missing -= taken[bucket];
  }
  return missing === 0 ? taken : null;
}

interface BucketRow {
  bucket: Bucket;
  total: number;
  used: number;
  reserved: number;
}

export const readBuckets = (db: Db, accountId: string, month: string): Promise<BucketRow[]> =>
  db
    .selectFrom("quota_bucket")
    .select(["bucket", "total", "used", "reserved"])
    .where("account_id", "=", accountId)
    .where("month", "=", month)
    .execute();

export interface Which {
  accountId: string;
  month: string;
  bucket: Bucket;
}

export async function changeBucket(
  trx: Db,
  { accountId, month, bucket }: Which,
  by: { total?: number; used?: number; reserved?: number },
) {
  await sql`update quota_bucket set total = total + ${by.total ?? 0}::int, used = used + ${by.used ?? 0}::int,
    reserved = reserved + ${by.reserved ?? 0}::int
    where account_id = ${accountId} and month = ${month} and bucket = ${bucket}`.execute(trx);
}
