import { type RawBuilder, type Selectable, sql } from "kysely";
import type { ProofFault } from "~server/contract/calls/proofs";
import type { Db } from "../../db/database";
import type { TrustTables } from "../../db/tables/trust";
import { AppError } from "../../errors";
import type { Owner } from "../../owner";

/** Failed tries before a pause, and before the pause of a day. Counted by caller: the same voice may be uploaded again. */
const rules = [
  { failures: 2, hours: 1 },
  { failures: 5, hours: 24 },
] as const;

/**
 * Serialises the caller's prompts. Throws proof-paused with the seconds until the next try and the promptId of a proof of
 * the voice that operators can be asked about, and proof-judging while a
 * recording of the same voice or of the last try is judged; with its promptId if it is of the same voice. `recordingId`
 * is null before there is a recording.
 */
export async function requireTry(trx: Db, owner: Owner, recordingId: string | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`voice_proof:${owner}`}, 0))`.execute(trx);
  const submitted = trx.selectFrom("voice_proof").select("id").where("submitted_at", "is not", null);
  const own = submitted.where("owner", "=", owner).where("recording_id", "=", recordingId);
  const judging = await own.where("outcome", "is", null).executeTakeFirst();
  if (judging) throw new AppError("proof-judging", "a recording is judged", { data: { promptId: judging.id } });
  const tries = await readTries(trx, owner);
  const failed = tries.filter(({ isJudged }) => isJudged);
  const waits = rules.map(
    ({ failures, hours }) => hours * 3600 - (failed[failures - 1]?.age ?? Number.POSITIVE_INFINITY),
  );
  const retryAfterSeconds = Math.ceil(Math.max(...waits));
  if (retryAfterSeconds > 0) {
    const [last] = await own.selectAll().orderBy("submitted_at", "desc").limit(1).execute();
    const isReviewable = last?.review === null && (await canAskReview(trx, owner, last));
    const data = { retryAfterSeconds, ...(isReviewable && { promptId: last.id }) };
    throw new AppError("proof-paused", "too many failed proofs", { data });
  }
  if (countLeft(tries) === 0) throw new AppError("proof-judging", "the tries that are left are being judged");
}

/** Counted tries before the next pause. */
export async function triesLeft(trx: Db, owner: Owner): Promise<number> {
  return countLeft(await readTries(trx, owner));
}

/** Whether a pause began with this failed proof; later tries do not count. */
async function wasLastTry(trx: Db, owner: Owner, proofId: string): Promise<boolean> {
  const end = sql<Date>`(select submitted_at from voice_proof p where p.id = ${proofId})`;
  return countLeft(await readTries(trx, owner, end)) === 0;
}

/** Measures that are wrong about some people and microphones. A made voice is not reviewed. */
const doubtfulReasons = ["words", "speaker"] as const satisfies ProofFault[];

/** Unusable recordings of one voice in a day, after which operators can be asked to listen to the last one. */
const unusableBeforeReview = 3;

type JudgedRow = Pick<Selectable<TrustTables["voice_proof"]>, "id" | "recording_id" | "outcome" | "reason">;

/**
 * Whether operators may be asked to listen: at once to what was unclear, and to what was called a copy, because 4 of 39
 * people's own readings were; to refused words or a refused voice when the tries are used up; and to what could not be
 * judged the third time. Never to a made voice.
 */
export async function canAskReview(
  db: Db,
  owner: Owner,
  { id, recording_id, outcome, reason }: JudgedRow,
): Promise<boolean> {
  if (outcome === "unclear" || reason === "copied") return true;
  if (outcome === "no") return doubtfulReasons.some((doubtful) => doubtful === reason) && wasLastTry(db, owner, id);
  if (outcome !== "unusable" || reason === null) return false;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from voice_proof
    where owner = ${owner} and recording_id = ${recording_id} and outcome = 'unusable' and reason is not null
      and submitted_at > now() - interval '1 day'`.execute(db);
  return (rows[0]?.count ?? 0) >= unusableBeforeReview;
}

interface Try {
  /** Seconds. */
  age: number;
  isJudged: boolean;
}

function countLeft(tries: Try[]): number {
  const left = rules.map(({ failures, hours }) => failures - tries.filter(({ age }) => age < hours * 3600).length);
  return Math.max(0, Math.min(...left));
}

/** The failed tries of the day before `end`, newest first. One that is being judged takes a try until it is judged. */
function readTries(trx: Db, owner: Owner, end: RawBuilder<Date> = sql<Date>`now()`): Promise<Try[]> {
  return trx
    .selectFrom("voice_proof")
    .select(sql<number>`extract(epoch from ${end} - submitted_at)::float8`.as("age"))
    .select(sql<boolean>`outcome is not null`.as("isJudged"))
    .where("owner", "=", owner)
    .where("submitted_at", ">", sql<Date>`${end} - interval '1 day'`)
    .where("submitted_at", "<=", end)
    .where((eb) => eb.or([eb("outcome", "in", ["no", "unclear"]), eb("outcome", "is", null)]))
    .orderBy("submitted_at", "desc")
    .execute();
}
