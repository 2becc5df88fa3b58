import { sql } from "kysely";
import { trialMax } from "~server/contract/limits";
import type { Db } from "../db/database";
import { AppError } from "../errors";

/** Who tries: trials are counted for both, so that a fresh visitor id alone gives none back. */
export interface Trier {
  visitor: string;
  address: string;
}

/** A family or an office shares an address: several visitors' worth a day, counted in Asia/Shanghai. */
const trialsPerAddressAndDay = 12;

export interface Taken {
  /** Trials this visitor used, this one included. */
  used: number;
  day: string;
}

/** Takes one trial in the caller's transaction; throws `entitlement` when none is left. */
export async function takeTrial(trx: Db, { visitor, address }: Trier): Promise<Taken> {
  const { rows } = await sql<{ day: string }>`
    select to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day`.execute(trx);
  const day = rows[0]?.day ?? "";
  // Always in this order: two transactions never wait for each other.
  const used = await take(trx, visitorScope(visitor), trialMax);
  const usedHere = used && (await take(trx, addressScope(address, day), trialsPerAddressAndDay));
  if (used && usedHere) return { used, day };
  throw new AppError("entitlement", "no trial left", { data: { reason: "trial", left: 0, limit: trialMax } });
}

/** Gives a trial back that came to nothing. */
export async function releaseTrial(trx: Db, { visitor, address, day }: Trier & { day: string }): Promise<void> {
  for (const scope of [visitorScope(visitor), addressScope(address, day)]) {
    await sql`update trial_allowance set used = greatest(used - 1, 0) where scope = ${scope}`.execute(trx);
  }
}

/** Forgets addresses of days gone by. */
export async function sweepAllowances(db: Db): Promise<void> {
  await sql`delete from trial_allowance where expires_at < now()`.execute(db);
}

const visitorScope = (visitor: string) => `visitor:${visitor}`;
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
