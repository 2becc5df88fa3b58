import type { Db } from "../db/database";
import { changeBucket } from "./buckets";
import { writeLedger } from "./ledger";
import { readGrants } from "./membership";
import type { Tier } from "./replay";
import { toSteps } from "./steps";

interface StepRefund {
  accountId: string;
  orderId: string;
  /** The refund's. */
  number: string;
  at: Date;
}

/**
 * Takes back the characters of steps in use that the order's shortened time no longer grants, as far as they are left;
 * call after the time was shortened, with the wallet locked. Steps that are not in use follow the time by themselves.
 */
export async function shortenSteps(trx: Db, { accountId, orderId, number, at }: StepRefund): Promise<void> {
  const ofOrder = trx.selectFrom("membership_grant").select("seq").where("order_id", "=", orderId);
  const grant = await ofOrder.where("shortens", "is", null).executeTakeFirst();
  if (!grant) return;
  const steps = toSteps(await readGrants(trx, accountId));
  const inUse = await trx
    .selectFrom("quota_bucket")
    .select(["bucket", "period", "total", "used", "reserved"])
    .where("account_id", "=", accountId)
    .where("period", "like", `${grant.seq}/%`)
    .execute();
  for (const { bucket, period, total, used, reserved } of inUse) {
    const granted = steps.find((step) => step.period === period)?.characters ?? 0;
    const taken = total - Math.max(used + reserved, Math.min(total, granted));
    if (taken === 0) continue;
    const key = { accountId, bucket, period };
    await changeBucket(trx, key, { total: -taken });
    await writeLedger(trx, { ...key, orderId, at, kind: "refund", ref: refOf(number, period), characters: -taken });
  }
}

/** Gives back what a cancelled refund had taken of steps; call with the wallet locked. */
export async function restoreSteps(trx: Db, { accountId, orderId, number, at }: StepRefund): Promise<void> {
  const taken = await trx
    .selectFrom("ledger")
    .select(["bucket", "period", "characters", "ref"])
    .where("order_id", "=", orderId)
    .where("kind", "=", "refund")
    .where("ref", "like", `${number}/%`)
    .execute();
  for (const { bucket, period, characters, ref } of taken) {
    if (!isStep(bucket)) continue;
    const key = { accountId, bucket, period };
    await changeBucket(trx, key, { total: -characters });
    await writeLedger(trx, { ...key, orderId, at, kind: "release", ref, characters: -characters });
  }
}

const isStep = (bucket: string): bucket is Tier => bucket === "vip" || bucket === "svip";

/** A refund has one line for each step. */
const refOf = (number: string, period: string) => `${number}/${period.split("/").at(-1)}`;
