import type { Db } from "../db/database";
import { closeOrder } from "./orders/place";
import type { BillingParts } from "./parts";
import { lockWallet } from "./wallet";

/** What becomes of money when an account goes. The books stay; see design/money.md. */
export interface Closing {
  /** Visitors have none. */
  handOver(): Promise<void>;
  /** In the deletion's transaction: open orders are closed at their gateways, and what arrives later goes back. */
  forget(trx: Db, owner: string): Promise<void>;
}

const accountPrefix = "account:";

export function createClosing({ queue, now }: Pick<BillingParts, "queue" | "now">): Closing {
  return {
    async handOver() {},
    async forget(trx, owner) {
      if (!owner.startsWith(accountPrefix)) return;
      const accountId = owner.slice(accountPrefix.length);
      await lockWallet(trx, accountId);
      const at = now();
      await trx
        .updateTable("wallet")
        .set({ closed_at: at })
        .where("account_id", "=", accountId)
        .where("closed_at", "is", null)
        .execute();
      const open = trx.selectFrom("pay_order").selectAll().where("account_id", "=", accountId);
      for (const order of await open.where("state", "=", "OPEN").execute()) {
        await closeOrder({ trx, queue, at }, order);
      }
    },
  };
}

/** With the wallet taken: whether its account is gone. */
export async function isClosed(trx: Db, accountId: string): Promise<boolean> {
  const wallet = trx.selectFrom("wallet").select("closed_at").where("account_id", "=", accountId);
  return ((await wallet.executeTakeFirst())?.closed_at ?? null) !== null;
}
