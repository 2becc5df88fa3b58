import { sql } from "kysely";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { Owner } from "../../owner";

/** Failed tries before a pause, and before the pause of a day. Counted by caller: the same voice may be uploaded again. */
const rules = [
  { failures: 2, hours: 1 },
  { failures: 5, hours: 24 },
] as const;

/** Throws proof-paused with the seconds until the next try. Serialises the caller's prompts. */
export async function requireTry(trx: Db, owner: Owner): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`voice_proof:${owner}`}, 0))`.execute(trx);
  const ages = await failureAges(trx, owner);
  const waits = rules.map(({ failures, hours }) => hours * 3600 - (ages[failures - 1] ?? Number.POSITIVE_INFINITY));
  const retryAfterSeconds = Math.ceil(Math.max(...waits));
  if (retryAfterSeconds <= 0) return;
  throw new AppError("proof-paused", "too many failed proofs", { data: { retryAfterSeconds } });
}

/** Counted tries before the next pause. */
export async function triesLeft(trx: Db, owner: Owner): Promise<number> {
  const ages = await failureAges(trx, owner);
  const left = rules.map(({ failures, hours }) => failures - ages.filter((age) => age < hours * 3600).length);
  return Math.max(0, Math.min(...left));
}

/**
 * Seconds since each failed try of the last day, newest first. A try that is being judged counts as failed; after a minute
 * without a verdict the process has died, and it no longer does.
 */
async function failureAges(trx: Db, owner: Owner): Promise<number[]> {
  const rows = await trx
    .selectFrom("voice_proof")
    .select(sql<number>`extract(epoch from now() - submitted_at)::float8`.as("age"))
    .where("owner", "=", owner)
    .where("submitted_at", ">", sql<Date>`now() - interval '1 day'`)
    .where(
      sql<boolean>`(outcome in ('no', 'unclear') or (outcome is null and submitted_at > now() - interval '1 minute'))`,
    )
    .orderBy("submitted_at", "desc")
    .execute();
  return rows.map(({ age }) => age);
}
