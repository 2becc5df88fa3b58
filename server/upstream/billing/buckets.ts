import { sql } from "kysely";
import { monthOf } from "../calendar";
import type { Db } from "../db/database";
import type { QuotaBucketTable } from "../db/tables/billing";
import { writeLedger } from "./ledger";

/** In order of use: a tier's month, then add-on packs. Only one of the tiers has a month at a time. */
export const buckets: readonly Bucket[] = ["svip", "vip", "pack"];
export type Bucket = QuotaBucketTable["bucket"];
export type PerBucket = Record<Bucket, number>;

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

export interface BucketRow {
  bucket: Bucket;
  total: number;
  used: number;
  reserved: number;
}

const readBuckets = (db: Db, accountId: string, month: string): Promise<BucketRow[]> =>
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

/** Adds a pack to its month; call with the wallet locked. */
export async function grantPack(
  trx: Db,
  pack: { accountId: string; orderId: string | null; characters: number; ref: string; at: Date },
): Promise<void> {
  const { accountId, orderId, characters, ref, at } = pack;
  const which = { accountId, month: monthOf(at), bucket: "pack" as const };
  await trx
    .insertInto("quota_bucket")
    .values({ account_id: accountId, month: which.month, bucket: "pack", total: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await changeBucket(trx, which, { total: characters });
  await writeLedger(trx, { ...which, kind: "grant", characters, orderId, ref, at });
}

interface OrderedPack {
  accountId: string;
  orderId: string;
  month: string;
  characters: number;
  ref: string;
  at: Date;
}

/**
 * Takes back characters of a pack that an order granted; call with the wallet locked. False, and nothing is taken, when
 * that many are not left of its month.
 */
export async function shortenPack(trx: Db, pack: OrderedPack): Promise<boolean> {
  const { accountId, month, characters } = pack;
  const row = (await readBuckets(trx, accountId, month)).find(({ bucket }) => bucket === "pack");
  if (!row || row.total - row.used - row.reserved < characters) return false;
  await changeBucket(trx, { accountId, month, bucket: "pack" }, { total: -characters });
  await writeLedger(trx, { ...pack, kind: "refund", bucket: "pack", characters: -characters });
  return true;
}

/** Gives back characters that a cancelled refund had taken of a pack; call with the wallet locked. */
export async function restorePack(trx: Db, pack: OrderedPack): Promise<void> {
  const { accountId, month, characters } = pack;
  await changeBucket(trx, { accountId, month, bucket: "pack" }, { total: characters });
  await writeLedger(trx, { ...pack, kind: "release", bucket: "pack" });
}
