import type { Selectable } from "kysely";
import { type AccountKeys, maskPhone } from "../accounts/credentials";
import type { Db } from "../db/database";
import type { AccountTables } from "../db/tables/accounts";
import { AppError } from "../errors";
import { afterRow, toUuids } from "../sql-fragments";

export interface Person {
  id: string;
  /** 138****1234 */
  phone: string;
  since: Date;
  bannedAt: Date | null;
}

/** The forms in which the command line names an account. */
export type AccountSelector = { accountId: string } | { phone: string };

export type AccountDirectory = ReturnType<typeof createAccountDirectory>;

/** Accounts for operators. Phones are found by their keyed hash, which requires the data key they were stored under. */
export function createAccountDirectory({
  db,
  keys,
}: {
  db: Db;
  keys: Pick<AccountKeys, "hashPhone" | "openPhone" | "sealPhone">;
}) {
  const toPerson = ({ id, phone_sealed, created_at, banned_at }: Selectable<AccountTables["account"]>): Person => ({
    id,
    phone: maskPhone(keys.openPhone(phone_sealed)),
    since: created_at,
    bannedAt: banned_at,
  });
  const select = (selector: AccountSelector) => {
    const accounts = db.selectFrom("account").selectAll();
    return "phone" in selector
      ? accounts.where("phone_hash", "=", keys.hashPhone(selector.phone)).executeTakeFirst()
      : accounts.where("id", "=", selector.accountId).executeTakeFirst();
  };
  const get = async (selector: AccountSelector) => {
    const account = await select(selector);
    if (!account) throw new AppError("not-found", `no account has this ${"phone" in selector ? "phone" : "id"}`);
    return toPerson(account);
  };
  return {
    /** Throws not-found. */
    get,
    /** Adds an account for a phone that has none. */
    async getOrAdd(selector: AccountSelector): Promise<Person> {
      if ("phone" in selector) {
        const { phone } = selector;
        const row = { phone_hash: keys.hashPhone(phone), phone_sealed: keys.sealPhone(phone) };
        await db
          .insertInto("account")
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      return get(selector);
    },
    /** Newest first, those after the account `after`. */
    async list({ limit, after }: { limit: number; after?: string | undefined }): Promise<Person[]> {
      let accounts = db.selectFrom("account").selectAll().orderBy("created_at", "desc").orderBy("id").limit(limit);
      if (after !== undefined) accounts = accounts.where(afterRow("account", after));
      return (await accounts.execute()).map(toPerson);
    },
    /** By phone or id; null for any other number. */
    async find(number: string): Promise<Person | null> {
      const [plain] = toUuids([number]);
      const phone = /^1\d{10}$/.exec(number)?.[0];
      const account = phone ? await select({ phone }) : plain && (await select({ accountId: plain }));
      return account ? toPerson(account) : null;
    },
  };
}
