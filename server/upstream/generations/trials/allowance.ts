import { sql } from "kysely";
import { trialMax } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { Owner } from "../../voices/ports";

/** Who tries. Visitors' trials are counted by address too, so that a fresh visitor id alone gives none back. */
export interface Trier {
  owner: Owner;
  address: string;
}

/** A family or an office shares an address: several visitors' worth a day, counted in Asia/Shanghai. */
const trialsPerAddressAndDay = 12;

export interface Taken {
  /** Trials the owner used, this one included. */
  used: number;
  /** "" where the address has no share in it. */
  day: string;
}

/** Takes one trial in the caller's transaction; throws `entitlement` when none is left. */
export async function takeTrial(trx: Db, { owner, address }: Trier): Promise<Taken> {
  if (isAccount(owner)) {
    const used = await take(trx, owner, trialMax);
    if (used === null) throw noneLeft();
    return { used, day: "" };
  }
  const { rows } = await sql<{ day: string }>`
    select to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day`.execute(trx);
  const day = rows[0]?.day ?? "";
  // Always in this order: two transactions never wait for each other.
  const used = await take(trx, owner, trialMax);
  const usedHere = used && (await take(trx, addressScope(address, day), trialsPerAddressAndDay));
  if (used && usedHere) return { used, day };
  throw noneLeft();
}

const isAccount = (owner: Owner) => owner.startsWith("account:");
const noneLeft = () =>
  new AppError("entitlement", "no trial left", { data: { reason: "trial", left: 0, limit: trialMax } });

/** Gives a trial back that came to nothing. */
export async function releaseTrial(trx: Db, { owner, address, day }: Trier & { day: string }): Promise<void> {
  for (const scope of day === "" ? [owner] : [owner, addressScope(address, day)]) {
    await sql`update trial_allowance set used = greatest(used - 1, 0) where scope = ${scope}`.execute(trx);
  }
}

/** Trials the owner has used. */
export async function usedTrials(db: Db, owner: Owner): Promise<number> {
  const allowance = db.selectFrom("trial_allowance").select("used").where("scope", "=", owner);
  return (await allowance.executeTakeFirst())?.used ?? 0;
}

/** Of a deleted account's trials, counted by its phone. */
const keptForPhoneDays = 90;

/** An account has used at least as many as the visitor who logs into it; doing so again changes nothing. */
export const carryTrials = (trx: Db, from: Owner, to: Owner) => carry(trx, from, to, null);

/** Before an account is deleted: its phone has used as many for ninety days. */
export const keepForPhone = (trx: Db, owner: Owner, phoneHash: string) =>
  carry(trx, owner, phoneScope(phoneHash), keptForPhoneDays);

/** An account has used at least as many as those that its phone had before. */
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

/** Forgets addresses of days gone by, and phones whose time is over. */
export async function sweepAllowances(db: Db): Promise<void> {
  await sql`delete from trial_allowance where expires_at < now()`.execute(db);
}

const phoneScope = (phoneHash: string) => `phone:${phoneHash}`;
const addressScope = (address: string, day: string) => `address:${address}:${day}`;

/** How many are used with this one; null when that would be more than the limit. */
async function take(trx: Db, scope: string, limit: number): Promise<number | null> {
  const keptDays = scope.startsWith("address:") ? 2 : null;
  const { rows } = await sql<{ used: number }>`
    insert into trial_allowance (scope, used, expires_at)
    values (${scope}, 1, now() + make_interval(days => ${keptDays}::int))
    on conflict (scope) do update set used = trial_allowance.used + 1 where trial_allowance.used < ${limit}::int
    returning used`.execute(trx);
  return rows[0]?.used ?? null;
}
