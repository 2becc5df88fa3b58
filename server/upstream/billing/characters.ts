import { monthOf } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { lockWallet, writeLedger } from "./ledger";
import {
  type Bucket,
  buckets,
  changeBucket,
  leftOf,
  type PerBucket,
  type Quota,
  readBuckets,
  readQuota,
  split,
  sum,
  type Which,
} from "./quota";

/** Reserves characters while a task runs and settles them when it is done, in the caller's transaction. */
export interface Characters {
  /** Throws entitlement `{reason: "quota", need, left}` where the month has too few; nothing is held then. */
  reserveCharacters(trx: Db, task: { accountId: string; characters: number; taskId: string }): Promise<void>;
  /** The task is done. False without a reservation. */
  settle(trx: Db, taskId: string): Promise<boolean>;
  /** The task failed, was cancelled or died: its characters go back to the month they came from. */
  release(trx: Db, taskId: string): Promise<boolean>;
  findQuota(db: Db, accountId: string): Promise<Quota>;
}

export function createCharacters(now: () => Date = () => new Date()): Characters {
  return {
    findQuota: (db, accountId) => readQuota(db, accountId, now()),
    async reserveCharacters(trx, { accountId, characters, taskId }) {
      if (characters === 0) return;
      await lockWallet(trx, accountId);
      const at = now();
      const quota = await readQuota(trx, accountId, at);
      const left = leftOf(quota);
      const parts = split(characters, left);
      if (!parts) {
        const data = { reason: "quota", need: characters, left: sum(left) };
        throw new AppError("entitlement", "not enough characters this month", { data });
      }
      const holding = { accountId, taskId, month: monthOf(at), parts };
      await hold(trx, holding, { quota, at });
    },
    settle: (trx, taskId) => end(trx, { taskId, state: "settled", at: now() }),
    release: (trx, taskId) => end(trx, { taskId, state: "released", at: now() }),
  };
}

interface Holding {
  accountId: string;
  taskId: string;
  month: string;
  parts: PerBucket;
}

const touched = (parts: PerBucket): Bucket[] => buckets.filter((bucket) => parts[bucket] > 0);

async function hold(trx: Db, { accountId, taskId, month, parts }: Holding, { quota, at }: { quota: Quota; at: Date }) {
  await trx
    .insertInto("quota_reservation")
    .values({ account_id: accountId, task_id: taskId, month, ...parts, created_at: at })
    .execute();
  for (const bucket of touched(parts)) {
    const characters = parts[bucket];
    await openBucket(trx, { accountId, month, bucket, total: quota[bucket].total, at });
    await changeBucket(trx, { accountId, month, bucket }, { reserved: characters });
    await writeLedger(trx, { accountId, kind: "reserve", bucket, month, characters: -characters, ref: taskId, at });
  }
}

/** Grants a tier's monthly characters in the ledger on first use. */
async function openBucket(trx: Db, row: Which & { total: number; at: Date }) {
  const { accountId, month, bucket, total, at } = row;
  const opened = await trx
    .insertInto("quota_bucket")
    .values({ account_id: accountId, month, bucket, total })
    .onConflict((conflict) => conflict.doNothing())
    .returning("bucket")
    .executeTakeFirst();
  if (opened) await writeLedger(trx, { accountId, kind: "grant", bucket, month, characters: total, ref: month, at });
}

async function end(trx: Db, { taskId, state, at }: { taskId: string; state: "settled" | "released"; at: Date }) {
  const held = await trx
    .updateTable("quota_reservation")
    .set({ state })
    .where("task_id", "=", taskId)
    .where("state", "=", "reserved")
    .returningAll()
    .executeTakeFirst();
  if (!held) return false;
  const { account_id: accountId, month } = held;
  const isUsed = state === "settled";
  for (const bucket of touched(held)) {
    const amount = held[bucket];
    await changeBucket(trx, { accountId, month, bucket }, { reserved: -amount, used: isUsed ? amount : 0 });
    const line = { accountId, bucket, month, ref: taskId, at };
    await writeLedger(trx, { ...line, kind: isUsed ? "settle" : "release", characters: isUsed ? 0 : amount });
  }
  return true;
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

/**
 * Takes back characters of a pack that an order granted; call with the wallet locked. False, and nothing is taken, when
 * that many are not left of its month.
 */
export async function shortenPack(
  trx: Db,
  pack: { accountId: string; orderId: string; month: string; characters: number; ref: string; at: Date },
): Promise<boolean> {
  const { accountId, orderId, month, characters, ref, at } = pack;
  const row = (await readBuckets(trx, accountId, month)).find(({ bucket }) => bucket === "pack");
  if (!row || row.total - row.used - row.reserved < characters) return false;
  await changeBucket(trx, { accountId, month, bucket: "pack" }, { total: -characters });
  await writeLedger(trx, {
    accountId,
    kind: "refund",
    bucket: "pack",
    month,
    characters: -characters,
    orderId,
    ref,
    at,
  });
  return true;
}

/** Gives back characters that a cancelled refund had taken of a pack; call with the wallet locked. */
export async function restorePack(
  trx: Db,
  pack: { accountId: string; orderId: string; month: string; characters: number; ref: string; at: Date },
): Promise<void> {
  const { accountId, orderId, month, characters, ref, at } = pack;
  await changeBucket(trx, { accountId, month, bucket: "pack" }, { total: characters });
  await writeLedger(trx, { accountId, kind: "release", bucket: "pack", month, characters, orderId, ref, at });
}
