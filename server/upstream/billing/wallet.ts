import type { Db } from "../db/database";

/**
 * Takes the account's wallet until the transaction ends: whatever changes its orders, time or characters waits here,
 * whichever server it runs on. Take it before anything else, so that nobody waits in a circle. Rows that only refer to
 * the wallet do not wait for it.
 */
export async function lockWallet(trx: Db, accountId: string): Promise<void> {
  await trx
    .insertInto("wallet")
    .values({ account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx.selectFrom("wallet").select("account_id").where("account_id", "=", accountId).forNoKeyUpdate().execute();
}
