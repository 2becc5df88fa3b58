import { lockWallet } from "~server/upstream/billing/ledger";
import type { Tier } from "~server/upstream/billing/membership";
import { grantTime } from "~server/upstream/billing/membership";
import { logIn, type Member } from "./account";
import type { TestUpstream } from "./upstream";

const monthSeconds = 30 * 86_400;

export interface TieredMember extends Member {
  accountId: string;
}

/** Creates an account with or without a month of a tier. Not safe for concurrent use. */
export async function createMember(upstream: TestUpstream, tier: Tier | null = null): Promise<TieredMember> {
  const member = await logIn(upstream.services);
  const accounts = upstream.database().selectFrom("account").select("id").orderBy("created_at", "desc");
  const { id: accountId } = await accounts.executeTakeFirstOrThrow();
  if (tier) await join(upstream, { accountId, tier, seconds: monthSeconds });
  return { ...member, accountId };
}

/** Grants time of a tier or, if negative, removes it. */
export async function join(upstream: TestUpstream, grant: { accountId: string; tier: Tier; seconds: number }) {
  await upstream
    .database()
    .transaction()
    .execute(async (trx) => {
      await lockWallet(trx, grant.accountId);
      await grantTime(trx, { ...grant, orderId: null, monthly: false, at: new Date() });
    });
}
