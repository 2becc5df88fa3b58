import type { Selectable } from "kysely";
import { type AccountKeys, maskPhone } from "../accounts/credentials";
import type { Db } from "../db/database";
import type { AccountTable } from "../db/tables/accounts";
import { AppError } from "../errors";

export interface Person {
  id: string;
  /** 138****1234 */
  phone: string;
  since: Date;
}

/** The forms in which the command line names an account. */
export type AccountSelector = { accountId: string } | { phone: string };

export interface AccountDirectory {
  /** Newest first. */
  list(limit: number): Promise<Person[]>;
  /** Throws not-found. */
  get(selector: AccountSelector): Promise<Person>;
}

/** Accounts for operators. Phones are found by their keyed hash, which requires the data key they were stored under. */
export function createAccountDirectory({
  db,
  keys,
}: {
  db: Db;
  keys: Pick<AccountKeys, "hashPhone" | "openPhone">;
}): AccountDirectory {
  const toPerson = ({ id, phone_sealed, created_at }: Selectable<AccountTable>): Person => ({
    id,
    phone: maskPhone(keys.openPhone(phone_sealed)),
    since: created_at,
  });
  return {
    async list(limit) {
      const accounts = db.selectFrom("account").selectAll().orderBy("created_at", "desc").orderBy("id").limit(limit);
      return (await accounts.execute()).map(toPerson);
    },
    async get(selector) {
      const accounts = db.selectFrom("account").selectAll();
      const account =
        "phone" in selector
          ? await accounts.where("phone_hash", "=", keys.hashPhone(selector.phone)).executeTakeFirst()
          : await accounts.where("id", "=", selector.accountId).executeTakeFirst();
      if (!account) throw new AppError("not-found", `no account has this ${"phone" in selector ? "phone" : "id"}`);
      return toPerson(account);
    },
  };
}
