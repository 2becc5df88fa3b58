import { sql } from "kysely";
import type { Db } from "../db/database";
import type { BillingTables } from "../db/tables/billing";
import { writeLedger } from "./ledger";
import { stepSeconds, type Tier } from "./replay";
import type { CharacterStep } from "./steps";

export type Bucket = BillingTables["quota_bucket"]["bucket"];

/** Some characters of a bucket. */
export interface BucketShare {
  bucket: Bucket;
  period: string;
  characters: number;
}

/** Takes `need` from the buckets one after the other; null when all together have too little. */
export function split(need: number, from: ReadonlyArray<HeldBucket>): BucketShare[] | null {
  let missing = need;
  const taken = from.map(({ bucket, period, left }) => {
    const characters = Math.min(missing, left);
    missing -= characters;
    return { bucket, period, characters };
  });
  return missing === 0 ? taken.filter(({ characters }) => characters > 0) : null;
}

/** A stored bucket. Unix seconds; null: as its step. */
export interface BucketRow {
  bucket: Bucket;
  period: string;
  total: number;
  used: number;
  reserved: number;
  endsAt: number | null;
}

/** Characters with their time, in Unix seconds; reserved ones count as used. total = used + left. */
export interface HeldBucket {
  bucket: Bucket;
  period: string;
  total: number;
  used: number;
  left: number;
  startsAt: number;
  endsAt: number;
}

const toHeld = ({ bucket, period, total, used, reserved }: BucketRow, time: { startsAt: number; endsAt: number }) => ({
  ...{ bucket, period, total, ...time },
  used: used + reserved,
  left: total - used - reserved,
});

/**
 * The buckets that have begun or were started early and are not over, in order of use: steps, then packs, the one that
 * ends first before the others.
 */
export function toBuckets(rows: BucketRow[], steps: CharacterStep[], now: number): HeldBucket[] {
  const ofSteps = steps.flatMap(({ period, tier, characters, startsAt, endsAt }) => {
    const row = rows.find((one) => one.period === period);
    if (endsAt <= now || (startsAt > now && !row)) return [];
    const unused = { bucket: tier, period, total: characters, used: 0, reserved: 0, endsAt: null };
    return [toHeld(row ?? unused, { startsAt, endsAt })];
  });
  const others = rows.flatMap((row) => (row.endsAt ? [toHeld(row, { startsAt: 0, endsAt: row.endsAt })] : []));
  return [...ofSteps, ...others.filter(({ endsAt }) => endsAt > now)].sort(
    (a, b) => Number(a.bucket === "pack") - Number(b.bucket === "pack") || a.endsAt - b.endsAt,
  );
}

/** Characters of a tier count while it runs, and not while it waits for the other one. */
export const isUsable = ({ bucket }: HeldBucket, running: Tier | null) => bucket === "pack" || bucket === running;

interface BucketKey {
  accountId: string;
  bucket: Bucket;
  period: string;
}

export async function changeBucket(
  trx: Db,
  { accountId, period, bucket }: BucketKey,
  by: { total?: number; used?: number; reserved?: number },
) {
  await sql`update quota_bucket set total = total + ${by.total ?? 0}::int, used = used + ${by.used ?? 0}::int,
    reserved = reserved + ${by.reserved ?? 0}::int
    where account_id = ${accountId} and period = ${period} and bucket = ${bucket}`.execute(trx);
}

/** Stores a step's characters and grants them in the ledger, once; call with the wallet locked. */
export async function openStep(trx: Db, step: BucketKey & { total: number; at: Date }): Promise<void> {
  const { accountId, bucket, period, total, at } = step;
  const opened = await trx
    .insertInto("quota_bucket")
    .values({ account_id: accountId, period, bucket, total, ends_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning("bucket")
    .executeTakeFirst();
  if (opened) await writeLedger(trx, { accountId, kind: "grant", bucket, period, characters: total, ref: period, at });
}

/** Adds a pack, which lives 30 days; call with the wallet locked. */
export async function grantPack(
  trx: Db,
  pack: { accountId: string; orderId: string | null; characters: number; ref: string; at: Date },
): Promise<void> {
  const { accountId, orderId, characters, ref, at } = pack;
  const endsAt = new Date(at.getTime() + stepSeconds * 1000);
  const { period } = await trx
    .insertInto("quota_bucket")
    .values({
      account_id: accountId,
      period: orderId ?? sql<string>`gen_random_uuid()::text`,
      bucket: "pack",
      total: characters,
      ends_at: endsAt,
    })
    .returning("period")
    .executeTakeFirstOrThrow();
  await writeLedger(trx, { accountId, kind: "grant", bucket: "pack", period, characters, orderId, ref, at });
}

interface OrderedPack {
  kind: "refund" | "release";
  accountId: string;
  orderId: string;
  characters: number;
  ref: string;
  at: Date;
}

/** The period of the pack that an order granted; packs of before there were steps share one. */
async function packPeriod(trx: Db, orderId: string): Promise<string> {
  const granted = trx.selectFrom("ledger").select("period").where("order_id", "=", orderId).where("kind", "=", "grant");
  return (await granted.where("bucket", "=", "pack").executeTakeFirstOrThrow()).period;
}

/** What is left of a pack that an order granted. */
export async function readPackLeft(trx: Db, { orderId, accountId }: Pick<OrderedPack, "orderId" | "accountId">) {
  const { rows } = await sql<{ left: number }>`select total - used - reserved as left from quota_bucket
    where account_id = ${accountId} and period = ${await packPeriod(trx, orderId)} and bucket = 'pack'`.execute(trx);
  return rows[0]?.left ?? 0;
}

/** Takes back what is left of an order's pack (negative), or what a cancelled refund took; call with the wallet locked. */
export async function changePack(trx: Db, { orderId, ...pack }: OrderedPack): Promise<void> {
  const { accountId, characters } = pack;
  const key = { accountId, bucket: "pack" as const, period: await packPeriod(trx, orderId) };
  await changeBucket(trx, key, { total: characters });
  await writeLedger(trx, { ...pack, ...key, orderId });
}
