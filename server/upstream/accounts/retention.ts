import { sql } from "kysely";
import type { Db } from "../db/database";
import type { VoiceProfile } from "../speech/engine";

interface RetentionParts {
  db: Db;
  /** Days for which visitors' data is kept. */
  days: number;
  renditions: { expire(trx: Db, ids: string[]): Promise<void> };
  files: { expire(trx: Db, ids: string[]): Promise<void> };
  segments: { forgetVoices(trx: Db, voices: VoiceProfile[]): Promise<void> };
}

/** A number of things at a time, so that no transaction holds many rows for long. */
const atOnce = 500;
const isVisitors = sql<boolean>`owner like 'visitor:%'`;

/**
 * Removes trials, renditions, recordings and files of visitors once they are old; bytes go with `removeExpired`. A recording
 * counts from its last use. Trials used stay counted. What was handed over at a login is the account's and stays.
 */
export function createRetention({ db, days, renditions, files, segments }: RetentionParts): () => Promise<void> {
  const isOld = sql<boolean>`created_at < now() - make_interval(days => ${days}::int)`;

  const removeTrials = async (trx: Db) => {
    const old = trx.selectFrom("trial").select("id").where(isVisitors).where(isOld).where("status", "<>", 1);
    const gone = await trx.deleteFrom("trial").where("id", "in", old.limit(atOnce)).executeTakeFirst();
    return Number(gone.numDeletedRows);
  };

  const removeRenditions = async (trx: Db) => {
    const old = trx.selectFrom("rendition").select("id").where(isVisitors).where(isOld).limit(atOnce).forUpdate();
    const ids = (await old.execute()).map(({ id }) => id);
    await renditions.expire(trx, ids);
    return ids.length;
  };

  const removeRecordings = async (trx: Db) => {
    const used = trx.selectFrom("trial").select("recording_id").where("recording_id", "is not", null);
    const old = await trx
      .selectFrom("recording")
      .select("id")
      .where(isVisitors)
      .where(isOld)
      .where("id", "not in", used)
      .orderBy("id")
      .limit(atOnce)
      .forUpdate()
      .execute();
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    const gone = await trx.deleteFrom("recording").where("id", "in", ids).returning(["profile", "file_id"]).execute();
    const learnt = gone.flatMap(({ profile }) => (profile ? [profile as VoiceProfile] : []));
    await segments.forgetVoices(trx, learnt);
    const fileIds = gone.map(({ file_id }) => file_id);
    await files.expire(trx, fileIds);
    return old.length;
  };

  /** What no row speaks of: pictures, and what came to nothing. */
  const removeFiles = async (trx: Db) => {
    const recordings = trx.selectFrom("recording").select("file_id");
    const old = await trx
      .selectFrom("media_file")
      .select("id")
      .where(isVisitors)
      .where(isOld)
      .where("expires_at", "is", null)
      .where("id", "not in", recordings)
      .limit(atOnce)
      .execute();
    const ids = old.map(({ id }) => id);
    if (ids.length > 0) await files.expire(trx, ids);
    return old.length;
  };

  return async () => {
    // Trials first: they hold what they were made with.
    for (const remove of [removeTrials, removeRenditions, removeRecordings, removeFiles]) {
      for (let removed = atOnce; removed === atOnce; ) removed = await db.transaction().execute(remove);
    }
  };
}
