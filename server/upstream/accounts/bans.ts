import { sql } from "kysely";
import type { Db } from "../db/database";
import { AppError } from "../errors";

/** Operators' acts on accounts. Each writes an audit row in its own transaction. */
export interface AccountActs {
  /** Refuses the account's calls and logins from now on; its data stay. Throws not-found, or bad-request if it is banned. */
  ban(accountId: string): Promise<void>;
  /** Its logins of before the ban have ended. Throws not-found, or bad-request if it is not banned. */
  unban(accountId: string): Promise<void>;
  /** Ends all logins; returns their number. Throws not-found. */
  logOutEverywhere(accountId: string): Promise<number>;
}

export function createAccountActs(db: Db, { operator, reason }: { operator: string; reason: string }): AccountActs {
  const audited = <T extends object>(action: string, target: string, work: (trx: Db) => Promise<T>) =>
    db.transaction().execute(async (trx) => {
      const account = trx.selectFrom("account").select("banned_at").where("id", "=", target).forUpdate();
      if (!(await account.executeTakeFirst())) throw new AppError("not-found", "no account has this id");
      const facts = await work(trx);
      const detail = JSON.stringify({ ...facts, ...(reason && { reason }) });
      await trx.insertInto("audit").values({ operator, action, target, detail }).execute();
      return facts;
    });
  /** Tokens of a banned account are kept, so that their calls learn why they are refused. */
  const setBan = async (accountId: string, isBanned: boolean) => {
    await audited(isBanned ? "ban" : "unban", accountId, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("account")
        .set({ banned_at: isBanned ? sql<Date>`now()` : null })
        .where("id", "=", accountId)
        .where("banned_at", isBanned ? "is" : "is not", null)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new AppError("bad-request", `the account is ${isBanned ? "" : "not "}banned`);
      if (!isBanned) await endLogins(trx, accountId);
      return {};
    });
  };
  return {
    ban: (accountId) => setBan(accountId, true),
    unban: (accountId) => setBan(accountId, false),
    logOutEverywhere: async (accountId) =>
      (await audited("log-out-everywhere", accountId, async (trx) => ({ logins: await endLogins(trx, accountId) })))
        .logins,
  };
}

async function endLogins(trx: Db, accountId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom("login_token").where("account_id", "=", accountId).executeTakeFirst();
  return Number(numDeletedRows);
}
