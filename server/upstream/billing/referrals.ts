import { randomInt } from "node:crypto";
import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import { dayBounds, dayOf } from "../calendar";
import type { Db } from "../db/database";
import { changeBucket, grantPack } from "./buckets";
import { isClosed, lockWallet, writeLedger } from "./ledger";
import type { BillingParts, ReferralTerms } from "./parts";
import type { Order } from "./rows";

/** Without letters and digits that look alike. */
const letters = "23456789abcdefghjkmnpqrstuvwxyz";
const codeLength = 8;
const makeCode = () => Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join("");

export function createReferrals({ db, now, referral: terms }: BillingParts) {
  return {
    /** Without referrals all is empty. */
    async show(accountId: string): Promise<CallData<"referral">> {
      if (terms.characters === 0) return { code: "", ...terms, rewarded: 0 };
      const given = db.selectFrom("referral_code").select("code").where("account_id", "=", accountId);
      const code = (await given.executeTakeFirst())?.code ?? "";
      return { code, ...terms, rewarded: await countRewarded(db, accountId, now()) };
    },
    /** In the login's transaction: gives the account its code, once, also while there are no referrals. */
    async giveCode(trx: Db, accountId: string) {
      await trx
        .insertInto("referral_code")
        .values({ account_id: accountId, code: makeCode() })
        .onConflict((conflict) => conflict.column("account_id").doNothing())
        .execute();
    },
    /** In the login's transaction: a new account came by this code. Ignores unknown codes, and phones referred before. */
    async bind(trx: Db, { accountId, phoneHash, code }: { accountId: string; phoneHash: string; code: string }) {
      if (terms.characters === 0) return;
      const owner = trx.selectFrom("referral_code").select("account_id").where("code", "=", code.toLowerCase());
      const referrer = (await owner.executeTakeFirst())?.account_id;
      if (!referrer || referrer === accountId) return;
      await trx
        .insertInto("referral")
        .values({ referred: accountId, referrer, phone_hash: phoneHash, created_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}

/** Referrals of the running month, in Shanghai, that brought the referrer something. */
async function countRewarded(db: Db, referrer: string, at: Date): Promise<number> {
  const { from } = dayBounds(`${dayOf(at).slice(0, 7)}-01`);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from referral
    where referrer = ${referrer} and has_paid_referrer and rewarded_at >= ${from}`.execute(db);
  return rows[0]?.count ?? 0;
}

const refOf = (orderId: string) => `referral:${orderId}`;

interface Reward {
  order: Pick<Order, "id" | "account_id">;
  at: Date;
}

/**
 * Grants both their characters for the referred account's first payment, once, in the payment's transaction and with the
 * payer's wallet locked. The older account's wallet is locked second, always, as a referral leads from newer to older.
 */
export async function rewardReferral(trx: Db, { order, at }: Reward, terms: ReferralTerms): Promise<void> {
  if (terms.characters === 0) return;
  const first = await trx
    .updateTable("referral")
    .set({ order_id: order.id, rewarded_at: at })
    .where("referred", "=", order.account_id)
    .where("order_id", "is", null)
    .returning("referrer")
    .executeTakeFirst();
  if (!first) return;
  const pack = { orderId: null, characters: terms.characters, ref: refOf(order.id), at };
  await grantPack(trx, { ...pack, accountId: order.account_id });
  await lockWallet(trx, first.referrer);
  const isOver = (await countRewarded(trx, first.referrer, at)) >= terms.monthMax;
  if (isOver || (await isClosed(trx, first.referrer))) return;
  await grantPack(trx, { ...pack, accountId: first.referrer });
  const paid = trx.updateTable("referral").set({ has_paid_referrer: true });
  await paid.where("referred", "=", order.account_id).execute();
}

/** The order was refunded as a whole: takes the characters of both back as far as they are unused. */
export const takeBackReferral = (trx: Db, reward: Reward) =>
  changeRewards(trx, reward, ({ granted, left }) => -Math.min(granted, left));

/** The refund was cancelled: gives back what it took. */
export const restoreReferral = (trx: Db, reward: Reward) => changeRewards(trx, reward, ({ taken }) => taken);

interface RewardState {
  granted: number;
  left: number;
  /** By refunds that were not cancelled. */
  taken: number;
}

async function changeRewards(trx: Db, { order, at }: Reward, changeOf: (state: RewardState) => number): Promise<void> {
  const ref = refOf(order.id);
  const referral = trx.selectFrom("referral").select("referrer").where("order_id", "=", order.id);
  const found = await referral.executeTakeFirst();
  if (!found) return;
  for (const accountId of [order.account_id, found.referrer]) {
    await lockWallet(trx, accountId);
    const { rows } = await sql<RewardState & { period: string }>`
      select grants.period, grants.characters as granted, bucket.total - bucket.used - bucket.reserved as left,
        (select -coalesce(sum(characters), 0)::int from ledger
          where account_id = ${accountId} and ref = ${ref} and kind <> 'grant') as taken
      from ledger grants join quota_bucket bucket using (account_id, period, bucket)
      where grants.account_id = ${accountId} and grants.ref = ${ref} and grants.kind = 'grant'`.execute(trx);
    const [state] = rows;
    const characters = state ? changeOf(state) : 0;
    if (!state || characters === 0) continue;
    const key = { accountId, bucket: "pack" as const, period: state.period };
    await changeBucket(trx, key, { total: characters });
    await writeLedger(trx, { ...key, kind: characters < 0 ? "refund" : "release", characters, ref, at });
  }
}
