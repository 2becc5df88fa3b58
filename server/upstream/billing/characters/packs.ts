import type { Db } from "../../db/database";
import { writeLedger } from "../ledger";
import { monthOf } from "../month";
import { changeBucket, readBuckets } from "./buckets";

/** Adds a pack to its month; call with the wallet taken. */
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
 * Takes back characters of a pack that an order granted; call with the wallet taken. False, and nothing is taken, when
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

/** Gives back characters that a cancelled refund had taken of a pack; call with the wallet taken. */
export async function restorePack(
  trx: Db,
  pack: { accountId: string; orderId: string; month: string; characters: number; ref: string; at: Date },
): Promise<void> {
  const { accountId, orderId, month, characters, ref, at } = pack;
  await changeBucket(trx, { accountId, month, bucket: "pack" }, { total: characters });
  await writeLedger(trx, { accountId, kind: "release", bucket: "pack", month, characters, orderId, ref, at });
}
