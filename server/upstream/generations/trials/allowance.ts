import { type RawBuilder, sql } from "kysely";
import { charactersFree, charactersSvip, charactersVip, trialMax } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { isAccount, type Owner, ownerOf } from "../../owner";
import type { Spending } from "../../voices/ports";
import type { Tier } from "../task-runs";

/** Visitors' trials are counted by address too, so that a new visitor id alone gives no new trials. */
export interface TrialCaller {
  owner: Owner;
  address: string;
}

/** Several visitors' worth, since a family or an office shares an address. Days of Asia/Shanghai. */
const trialsPerAddressAndDay = 12;

/**
 * Takes one trial in the caller's transaction: the owner's used trials, and the day that the address was charged, "" for
 * accounts. Throws `entitlement` when none is left.
 */
export async function takeTrial(trx: Db, { owner, address }: TrialCaller): Promise<{ used: number; day: string }> {
  if (isAccount(owner)) {
    const used = await take(trx, owner, trialMax);
    if (used === null) throw noneLeft();
    return { used, day: "" };
  }
  const { rows } = await sql<{ day: string }>`
    select to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day`.execute(trx);
  const day = rows[0]?.day ?? "";
  // Always in this order, to prevent deadlocks.
  const used = await take(trx, owner, trialMax);
  const usedByAddress = used && (await take(trx, addressScope(address, day), trialsPerAddressAndDay));
  if (used && usedByAddress) return { used, day };
  throw noneLeft();
}

const noneLeft = () =>
  new AppError("entitlement", "no trial left", { data: { reason: "trial", left: 0, limit: trialMax } });

/** Gives back the trial of a failed or cancelled task: a visitor's, which has a day, never to the account it went to. */
export async function releaseTrial(trx: Db, { owner, address, day }: TrialCaller & { day: string }): Promise<void> {
  const scopes = [...(day === "" || !isAccount(owner) ? [owner] : []), ...(day ? [addressScope(address, day)] : [])];
  for (const scope of scopes) {
    await sql`update trial_allowance set used = greatest(used - 1, 0) where scope = ${scope}`.execute(trx);
  }
}

/** Trials the owner has used. */
export async function usedTrials(db: Db, owner: Owner): Promise<number> {
  const { rows } = await sql<{ used: number }>`select ${usedTrialsOf(owner)} as used`.execute(db);
  return rows[0]?.used ?? 0;
}

/** The same, to be selected next to others. */
export const usedTrialsOf = (owner: Owner | RawBuilder<unknown>) =>
  sql<number>`coalesce((select used from trial_allowance where scope = ${owner}), 0)`;

/** After an account was deleted. */
const keptForPhoneDays = 90;

/** Before an account is deleted: its phone has used as many. */
export const keepForPhone = (trx: Db, owner: Owner, phoneHash: string) =>
  carry(trx, owner, phoneScope(phoneHash), keptForPhoneDays);

/** An account has used at least as many as its phone. */
export const takeFromPhone = (trx: Db, phoneHash: string, owner: Owner) =>
  carry(trx, phoneScope(phoneHash), owner, null);

async function carry(trx: Db, from: string, to: string, keptDays: number | null) {
  await sql`
    insert into trial_allowance (scope, used, expires_at)
    select ${to}, used, now() + make_interval(days => ${keptDays}::int) from trial_allowance
    where scope = ${from} and coalesce(expires_at > now(), true)
    on conflict (scope) do update set used = greatest(trial_allowance.used, excluded.used),
      expires_at = excluded.expires_at`.execute(trx);
}

/** Deletes expired counts of addresses and phones. */
export async function sweepAllowances(db: Db): Promise<void> {
  await sql`delete from trial_allowance where expires_at < now()`.execute(db);
}

const phoneScope = (phoneHash: string) => `phone:${phoneHash}`;
const addressScope = (address: string, day: string) => `address:${address}:${day}`;

/** The used trials including this one; null when that would exceed the limit. */
async function take(trx: Db, scope: string, limit: number): Promise<number | null> {
  const keptDays = scope.startsWith("address:") ? 2 : null;
  const { rows } = await sql<{ used: number }>`
    insert into trial_allowance (scope, used, expires_at)
    values (${scope}, 1, now() + make_interval(days => ${keptDays}::int))
    on conflict (scope) do update set used = trial_allowance.used + 1 where trial_allowance.used < ${limit}::int
    returning used`.execute(trx);
  return rows[0]?.used ?? null;
}

/** The characters of members, from billing. */
interface MemberParts {
  db: Db;
  tierOf(accountId: string): Promise<Tier>;
  /** Characters left. */
  leftOf(accountId: string): Promise<number>;
  /** Counts what was asked for with a key. */
  apiKeys: {
    charge(trx: Db, use: { keyId: string; taskId: string; characters: number }): Promise<void>;
    release(trx: Db, taskId: string): Promise<void>;
  };
  characters: {
    reserveCharacters(trx: Db, task: { accountId: string; characters: number; taskId: string }): Promise<void>;
    settle(trx: Db, taskId: string): Promise<boolean>;
    release(trx: Db, taskId: string): Promise<boolean>;
  };
}

const limits = { vip: charactersVip, svip: charactersSvip };

/**
 * Members pay with characters, and so does an account whose tier ended before its pack, as a normal member; each paid
 * generation of any other account takes one of its trials.
 */
export function createSpending({ db, tierOf, leftOf, characters, apiKeys }: MemberParts): Spending {
  return {
    async allowanceOf(accountId) {
      const left = await leftOf(accountId);
      const tier = (await tierOf(accountId)) ?? (left > 0 ? "vip" : null);
      if (tier) return { tier, limit: limits[tier], left };
      return { tier, limit: charactersFree, left: trialMax - (await usedTrials(db, ownerOf(accountId))) };
    },
    async reserve(trx, task) {
      const { accountId, taskId, characters: cost, apiKeyId: keyId } = task;
      if (keyId !== undefined) await apiKeys.charge(trx, { keyId, taskId, characters: cost });
      if (task.tier) return characters.reserveCharacters(trx, task);
      if (cost === 0) return;
      await takeTrial(trx, { owner: ownerOf(accountId), address: "" });
      await trx.insertInto("trial_hold").values({ task_id: taskId, account_id: accountId }).execute();
    },
    async settle(trx, taskId) {
      if (await characters.settle(trx, taskId)) return;
      await takeHold(trx, taskId);
    },
    async release(trx, taskId) {
      await apiKeys.release(trx, taskId);
      if (await characters.release(trx, taskId)) return;
      const held = await takeHold(trx, taskId);
      if (held) await releaseTrial(trx, { owner: ownerOf(held.account_id), address: "", day: "" });
    },
  };
}

const takeHold = (trx: Db, taskId: string) =>
  trx.deleteFrom("trial_hold").where("task_id", "=", taskId).returning("account_id").executeTakeFirst();
