import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { changeBucket, changePack, grantPack, readPackLeft } from "../buckets";
import { writeLedger } from "../ledger";
import { grantTime, largestRefund, readGrants, shareOf, shortenTime } from "../membership";
import type { ReferralTerms } from "../parts";
import { type Snapshot, tierOf } from "../products";
import { restoreReferral, rewardReferral, takeBackReferral } from "../referrals";
import type { Tier } from "../replay";
import type { Order } from "../rows";
import { toSteps } from "../steps";

const daySeconds = 86_400;

/** Grants what the order bought, starting now, and what it brings by a referral. Throws when it was granted before. */
export async function grantOrder(
  trx: Db,
  { order, at, referral }: { order: Order; at: Date; referral: ReferralTerms },
): Promise<void> {
  await rewardReferral(trx, { order, at }, referral);
  const { id: orderId, account_id: accountId } = order;
  const { packageType, days, monthly, characters } = order.snapshot as Snapshot;
  if (packageType === 3) {
    await grantPack(trx, { accountId, orderId, characters, ref: orderId, at });
    return;
  }
  const tier = tierOf[packageType];
  await grantTime(trx, { accountId, orderId, tier, seconds: days * daySeconds, monthly, at });
  await writeLedger(trx, { accountId, kind: "grant", bucket: tier, orderId, ref: orderId, at });
}

/**
 * Takes back the refund's share of what the order granted. False, and nothing is taken, when its pack has fewer characters
 * left.
 */
export async function shortenOrder(
  trx: Db,
  { order, refundFen, number, at }: { order: Order; refundFen: number; number: string; at: Date },
): Promise<boolean> {
  const { id: orderId, account_id: accountId, amount_fen: amountFen, refunded_fen: before } = order;
  const { packageType, characters } = order.snapshot as Snapshot;
  const refundedFen = before + refundFen;
  if (packageType !== 3) {
    await shortenTime(trx, { orderId, refundedFen, amountFen, at });
    await shortenSteps(trx, { accountId, orderId, number, at });
  } else {
    const taken = shareOf(characters, { refundedFen: before, amountFen });
    const share = shareOf(characters, { refundedFen, amountFen }) - taken;
    if ((await readPackLeft(trx, { accountId, orderId })) < share) return false;
    await changePack(trx, { kind: "refund", accountId, orderId, characters: -share, ref: number, at });
  }
  if (refundedFen === amountFen) await takeBackReferral(trx, { order, at });
  return true;
}

/** Why a refund of a pack is refused, with the largest one. */
export async function packRefusal(trx: Db, order: Order): Promise<AppError> {
  const { id: orderId, account_id: accountId, amount_fen: amountFen, refunded_fen: refundedFen } = order;
  const left = await readPackLeft(trx, { accountId, orderId });
  const mostFen = largestRefund((order.snapshot as Snapshot).characters, { refundedFen, amountFen, left });
  const most = `${(mostFen / 100).toFixed(2)} yuan`;
  return new AppError("bad-request", `the pack has ${left} characters left: at most ${most} can be refunded`);
}

/** Grants again what a refund took back that is cancelled; `order` is the row as it was before the cancellation. */
export async function restoreOrder(
  trx: Db,
  { order, refundFen, number, at }: { order: Order; refundFen: number; number: string; at: Date },
): Promise<void> {
  const { id: orderId, account_id: accountId, amount_fen: amountFen } = order;
  const { packageType, characters } = order.snapshot as Snapshot;
  const refundedFen = order.refunded_fen - refundFen;
  if (order.refunded_fen === amountFen) await restoreReferral(trx, { order, at });
  if (packageType !== 3) {
    await shortenTime(trx, { orderId, refundedFen, amountFen, at });
    await restoreSteps(trx, { accountId, orderId, number, at });
    return;
  }
  const taken = shareOf(characters, { refundedFen: order.refunded_fen, amountFen });
  const share = taken - shareOf(characters, { refundedFen, amountFen });
  await changePack(trx, { kind: "release", accountId, orderId, characters: share, ref: number, at });
}

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
async function shortenSteps(trx: Db, { accountId, orderId, number, at }: StepRefund): Promise<void> {
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
async function restoreSteps(trx: Db, { accountId, orderId, number, at }: StepRefund): Promise<void> {
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
