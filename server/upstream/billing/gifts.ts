import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { grantPack } from "./buckets";
import { lockWallet, writeLedger } from "./ledger";
import { grantTime, type Tier } from "./membership";

export type Gift = { tier: Tier; days: number } | { characters: number };

interface GrantRequest {
  accountId: string;
  gift: Gift;
  /** Who or what gives it, for the ledger. */
  ref: string;
  at: Date;
}

const daySeconds = 86_400;

/** Grants time or characters that were not bought; locks the wallet. */
export async function give(trx: Db, { accountId, gift, ref, at }: GrantRequest): Promise<void> {
  await lockWallet(trx, accountId);
  if ("characters" in gift) {
    await grantPack(trx, { accountId, orderId: null, characters: gift.characters, ref, at });
    return;
  }
  const { tier, days } = gift;
  await grantTime(trx, { accountId, orderId: null, tier, seconds: days * daySeconds, monthly: false, at });
  await writeLedger(trx, { accountId, kind: "grant", bucket: tier, ref, at });
}

/** Crockford's 32 symbols: none is mistaken for another. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 80 random bits as XXXX-XXXX-XXXX-XXXX. */
const createCode = () =>
  Array.from(randomBytes(16), (byte) => alphabet[byte & 31])
    .join("")
    .replace(/(.{4})(?=.)/g, "$1-");

/** Codes as people type them: lower case, without hyphens, O for 0, I or L for 1. */
function hashCode(code: string): string {
  const plain = code.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return createHash("sha256").update(plain).digest("base64url");
}

/** Stores a batch. Returns its codes, which cannot be read again. */
export async function createCodes(
  trx: Db,
  { gift, count, note, expiresAt }: { gift: Gift; count: number; note: string; expiresAt: Date },
): Promise<{ batchId: string; codes: string[] }> {
  const { id } = await trx
    .insertInto("redeem_batch")
    .values({ ...{ tier: null, days: null, characters: null }, ...gift, codes: count, note, expires_at: expiresAt })
    .returning("id")
    .executeTakeFirstOrThrow();
  const codes = Array.from({ length: count }, createCode);
  await sql`insert into redeem_code (hash, batch_id)
    select hash, ${id}::uuid from unnest(${codes.map(hashCode)}::text[]) hash`.execute(trx);
  return { batchId: id, codes };
}

/** What a batch's codes give. */
export const toGift = (batch: { tier: Tier | null; days: number | null; characters: number | null }): Gift =>
  batch.tier === null ? { characters: batch.characters ?? 0 } : { tier: batch.tier, days: batch.days ?? 0 };

/**
 * Redeems a code; the same code of the same account answers again what it gave. Throws redeem-wrong for an unknown code or
 * a withdrawn batch, redeem-expired, redeem-used for another account's code, redeem-repeated for a second code of a batch.
 */
export function redeemCode(
  db: Db,
  { accountId, code, at }: { accountId: string; code: string; at: Date },
): Promise<CallData<"redeem">> {
  return db.transaction().execute(async (trx) => {
    await lockWallet(trx, accountId);
    const hash = hashCode(code);
    const found = await trx
      .selectFrom("redeem_code")
      .innerJoin("redeem_batch as batch", "batch.id", "redeem_code.batch_id")
      .select(["batch.id", "tier", "days", "characters", "account_id", "expires_at", "withdrawn_at"])
      .where("hash", "=", hash)
      // Waits for another redemption of the code, and lets no withdrawal pass.
      .forUpdate("redeem_code")
      .forShare("batch")
      .executeTakeFirst();
    if (!found) throw new AppError("redeem-wrong", "no such code");
    const gift = toGift(found);
    const redeemed = { tier: "" as const, days: 0, characters: 0, ...gift };
    if (found.account_id === accountId) return redeemed;
    if (found.account_id !== null) throw new AppError("redeem-used", "another account has redeemed the code");
    if (found.withdrawn_at !== null) throw new AppError("redeem-wrong", "the batch is withdrawn");
    if (found.expires_at <= at) throw new AppError("redeem-expired", "the code has expired");
    const ofBatch = trx.selectFrom("redeem_code").select("hash").where("batch_id", "=", found.id);
    if (await ofBatch.where("account_id", "=", accountId).executeTakeFirst())
      throw new AppError("redeem-repeated", "the account has redeemed a code of this batch");
    const spent = { account_id: accountId, redeemed_at: at };
    await trx.updateTable("redeem_code").set(spent).where("hash", "=", hash).execute();
    await give(trx, { accountId, gift, ref: `code:${found.id}`, at });
    return redeemed;
  });
}
