import { type RawBuilder, sql } from "kysely";
import { charactersSvip, charactersVip } from "../../contract/limits";
import { toSeconds } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import {
  type Bucket,
  type BucketRow,
  type BucketShare,
  changeBucket,
  type HeldBucket,
  isUsable,
  openStep,
  split,
  toBuckets,
} from "./buckets";
import { lockWallet, writeLedger } from "./ledger";
import { type GrantRow, grantsOf, type Membership, tierAt, toGrants, toMembership } from "./membership";
import type { Tier } from "./replay";
import { type CharacterStep, toSteps } from "./steps";

/** Reserves characters while a task runs and settles them when it is done, in the caller's transaction. */
export function createCharacters(now: () => Date = () => new Date()) {
  return {
    findQuota: (db: Db, accountId: string): Promise<Quota> => readQuota(db, accountId, now()),
    /** Throws entitlement `{reason: "quota", need, left}` where too few are left; nothing is held then. */
    async reserveCharacters(
      trx: Db,
      { accountId, characters, taskId }: { accountId: string; characters: number; taskId: string },
    ) {
      if (characters === 0) return;
      await lockWallet(trx, accountId);
      const at = now();
      const { usable } = await readQuota(trx, accountId, at);
      const shares = split(characters, usable);
      if (!shares) {
        const data = { reason: "quota", need: characters, left: sumLeft(usable) };
        throw new AppError("entitlement", "not enough characters left", { data });
      }
      for (const [part, share] of shares.entries()) {
        const total =
          usable.find(({ bucket, period }) => bucket === share.bucket && period === share.period)?.total ?? 0;
        await hold(trx, { ...share, accountId, taskId, part, total, at });
      }
    },
    /** The task is done. False without a reservation. */
    settle: (trx: Db, taskId: string): Promise<boolean> => end(trx, { taskId, state: "settled", at: now() }),
    /** The task failed, was cancelled or died: its characters go back to the buckets they came from. */
    release: (trx: Db, taskId: string): Promise<boolean> => end(trx, { taskId, state: "released", at: now() }),
  };
}

interface Hold extends BucketShare {
  accountId: string;
  taskId: string;
  /** Number of the share in its task, which reserves once. */
  part: number;
  /** The bucket's total. */
  total: number;
  at: Date;
}

async function hold(trx: Db, { accountId, taskId, part, total, characters, bucket, period, at }: Hold) {
  await trx
    .insertInto("quota_reservation")
    .values({ account_id: accountId, task_id: taskId, part, bucket, period, characters, created_at: at })
    .execute();
  const key = { accountId, bucket, period };
  await openStep(trx, { ...key, total, at });
  await changeBucket(trx, key, { reserved: characters });
  await writeLedger(trx, { ...key, kind: "reserve", characters: -characters, ref: taskId, at });
}

async function end(trx: Db, { taskId, state, at }: { taskId: string; state: "settled" | "released"; at: Date }) {
  const held = await trx
    .updateTable("quota_reservation")
    .set({ state })
    .where("task_id", "=", taskId)
    .where("state", "=", "reserved")
    .returningAll()
    .execute();
  const isUsed = state === "settled";
  for (const { account_id: accountId, bucket, period, characters } of held) {
    const key = { accountId, bucket, period };
    await changeBucket(trx, key, { reserved: -characters, used: isUsed ? characters : 0 });
    const line = { ...key, ref: taskId, at };
    await writeLedger(trx, { ...line, kind: isUsed ? "settle" : "release", characters: isUsed ? 0 : characters });
  }
  return held.length > 0;
}

/** In characters; reserved ones count as used. total = used + left. */
interface BucketSum {
  total: number;
  used: number;
  left: number;
}

export interface Quota extends Record<Bucket, BucketSum> {
  /** What can be used now, in order of use. */
  usable: HeldBucket[];
  /** The running tier's next step that has not begun, if there is one. */
  next: CharacterStep | null;
}

const sumLeft = (buckets: ReadonlyArray<HeldBucket>) => buckets.reduce((sum, { left }) => sum + left, 0);

/** A waiting tier has used characters and none left. */
function sumUp(held: HeldBucket[], running: Tier | null): BucketSum {
  const used = held.reduce((sum, one) => sum + one.used, 0);
  const left = sumLeft(held.filter((one) => isUsable(one, running)));
  return { total: used + left, used, left };
}

function toQuota(
  rows: BucketRow[],
  { grants, membership }: { grants: GrantRow[]; membership: Membership },
  now: number,
) {
  const running = tierAt(membership, now);
  const steps = toSteps(toGrants(grants));
  const held = toBuckets(rows, steps, now);
  const sumOf = (bucket: Bucket) =>
    sumUp(
      held.filter((one) => one.bucket === bucket),
      running,
    );
  const isAhead = ({ period, tier, startsAt }: CharacterStep) =>
    tier === running && startsAt > now && !rows.some((row) => row.period === period);
  return {
    ...{ svip: sumOf("svip"), vip: sumOf("vip"), pack: sumOf("pack") },
    usable: held.filter((one) => isUsable(one, running)),
    next: steps.find(isAhead) ?? null,
  };
}

const generationMax = { vip: charactersVip, svip: charactersSvip };

/** A step may begin early when the running one has too few characters for a whole generation. */
export const canStartNext = ({ next, ...quota }: Quota): boolean =>
  next !== null && quota[next.tier].left < generationMax[next.tier];

/** Starts the running tier's next step early: its characters can be used at once, until the day they end anyway. */
export async function startNextStep(trx: Db, accountId: string, at: Date): Promise<void> {
  await lockWallet(trx, accountId);
  const quota = await readQuota(trx, accountId, at);
  if (!quota.next) throw new AppError("bad-request", "no step is ahead");
  if (!canStartNext(quota)) throw new AppError("bad-request", "the running step has characters left");
  const { period, tier, characters } = quota.next;
  await openStep(trx, { accountId, bucket: tier, period, total: characters, at });
}

export interface Standing extends Membership {
  quota: Quota;
}

/** An account's time and characters, from one query. */
export async function readStanding(db: Db, accountId: string, now: Date): Promise<Standing> {
  const { rows } = await sql<StandingRow>`select ${standingColumns(accountId, now)}`.execute(db);
  return toStanding(rows[0] ?? { grants: [], buckets: [] }, now);
}

/** The columns of `toStanding`, to be selected next to others. */
export const standingColumns = (
  accountId: string | RawBuilder<unknown>,
  now: Date,
) => sql`${grantsOf(accountId)} as grants, (
    select coalesce(json_agg(json_build_object('bucket', bucket, 'period', period, 'total', total, 'used', used,
      'reserved', reserved, 'endsAt', ceil(extract(epoch from ends_at))::bigint)), '[]')
    from quota_bucket where account_id = ${accountId} and coalesce(ends_at > ${now}, true)) as buckets`;

export function toStanding({ grants, buckets }: StandingRow, at: Date): Standing {
  const now = toSeconds(at);
  const membership = toMembership(toGrants(grants), now);
  return { ...membership, quota: toQuota(buckets, { grants, membership }, now) };
}

export interface StandingRow {
  grants: GrantRow[];
  buckets: BucketRow[];
}

export const readQuota = async (db: Db, accountId: string, now: Date): Promise<Quota> =>
  (await readStanding(db, accountId, now)).quota;

/** The times of a quota as user info tells them. */
export function toTimes({ usable, next, ...quota }: Quota) {
  const buckets = usable.map(({ period, ...bucket }) => bucket);
  const nextStep = next && {
    ...{ bucket: next.tier, characters: next.characters, startsAt: next.startsAt, endsAt: next.endsAt },
    canStart: canStartNext({ usable, next, ...quota }),
  };
  return { buckets, nextStep, resetAt: next?.startsAt ?? usable[0]?.endsAt ?? 0 };
}

export const usedOf = ({ svip, vip, pack }: Quota): number => svip.used + vip.used + pack.used;
