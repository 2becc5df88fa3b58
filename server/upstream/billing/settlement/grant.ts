import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { changePack, grantPack, readPackLeft } from "../buckets";
import { writeLedger } from "../ledger";
import { grantTime, largestRefund, shareOf, shortenTime } from "../membership";
import type { ReferralTerms } from "../parts";
import { type Snapshot, tierOf } from "../products";
import { restoreReferral, rewardReferral, takeBackReferral } from "../referrals";
import { restoreSteps, shortenSteps } from "../refunded-steps";
import type { Order } from "../rows";

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
