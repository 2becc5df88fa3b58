import { type RawBuilder, sql } from "kysely";
import { monthlyCharacters } from "../../contract/limits";
import { monthEnd, monthOf, toSeconds } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { type Bucket, type BucketRow, buckets, changeBucket, type PerBucket, split, sum, type Which } from "./buckets";
import { lockWallet, writeLedger } from "./ledger";
import { grantsOf, type Membership, membershipOf, type Tier, tierAt } from "./membership";

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

/** In characters; reserved ones count as used. total = used + left. */
interface BucketState {
  total: number;
  used: number;
  left: number;
}

export interface Quota extends Record<Bucket, BucketState> {
  /** Unix seconds: when the month's characters are reset. */
  resetAt: number;
}

/** Only the active tier gives monthly characters. Packs expire with their month. */
function toState(bucket: Bucket, row: BucketRow | undefined, running: Tier | null): BucketState {
  const used = row ? row.used + row.reserved : 0;
  if (bucket === "pack") return { total: row?.total ?? 0, used, left: (row?.total ?? 0) - used };
  if (bucket !== running) return { total: used, used, left: 0 };
  const total = row?.total ?? monthlyCharacters[bucket];
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

export interface Standing extends Membership {
  quota: Quota;
}

/** An account's time and characters, from one query. */
export async function readStanding(db: Db, accountId: string, now: Date): Promise<Standing> {
  const { rows } = await sql<StandingRow>`select ${standingColumns(accountId, now)}`.execute(db);
  return toStanding(rows[0] ?? { grants: [], month: [] }, now);
}

/** The columns of `toStanding`, to be selected next to others. */
export const standingColumns = (
  accountId: string | RawBuilder<unknown>,
  now: Date,
) => sql`${grantsOf(accountId)} as grants, (
    select coalesce(json_agg(json_build_object('bucket', bucket, 'total', total, 'used', used, 'reserved', reserved)), '[]')
    from quota_bucket where account_id = ${accountId} and month = ${monthOf(now)}) as month`;

export function toStanding({ grants, month }: StandingRow, now: Date): Standing {
  const membership = membershipOf(grants, now);
  return { ...membership, quota: toQuota(month, membership, now) };
}

export interface StandingRow {
  grants: Parameters<typeof membershipOf>[0];
  month: BucketRow[];
}

export const readQuota = async (db: Db, accountId: string, now: Date): Promise<Quota> =>
  (await readStanding(db, accountId, now)).quota;

export const leftOf = ({ svip, vip, pack }: Quota): PerBucket => ({
  svip: svip.left,
  vip: vip.left,
  pack: pack.left,
});

export const usedOf = ({ svip, vip, pack }: Quota): number => svip.used + vip.used + pack.used;
