import { sql } from "kysely";
import type { Db } from "../db/database";

interface RetentionParts {
  db: Db;
  /** Days for which visitors' data is kept. */
  days: number;
  renditions: { expire(trx: Db, ids: string[]): Promise<void> };
  files: { expire(trx: Db, ids: string[]): Promise<void> };
  segments: { forgetVoices(trx: Db, hashes: Array<string | null>): Promise<void> };
}

/** Rows per transaction, to limit its locks. */
const atOnce = 500;
const isVisitors = sql<boolean>`owner like 'visitor:%'`;

/**
 * Deletes old trials, renditions, recordings and files of visitors; `removeExpired` removes the bytes. A recording that a
 * trial uses stays. Used trials stay counted. Data that an account has taken over at a login stays.
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
    const old = await trx
      .selectFrom("recording")
      .select("id")
      .where(isVisitors)
      .where(isOld)
      .where(sql<boolean>`not exists (select 1 from trial where trial.recording_id = recording.id)`)
      .orderBy("id")
      .limit(atOnce)
      .forUpdate()
      .execute();
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    const gone = await trx
      .deleteFrom("recording")
      .where("id", "in", ids)
      .returning(["voice_hash", "file_id"])
      .execute();
    const learnt = gone.map(({ voice_hash }) => voice_hash);
    await segments.forgetVoices(trx, learnt);
    const fileIds = gone.map(({ file_id }) => file_id);
    await files.expire(trx, fileIds);
    return old.length;
  };

  /** Files that no other row lists: pictures, and files of failed requests. */
  const removeFiles = async (trx: Db) => {
    const old = await trx
      .selectFrom("media_file")
      .select("id")
      .where(isVisitors)
      .where(isOld)
      .where("expires_at", "is", null)
      .where(sql<boolean>`not exists (select 1 from recording where recording.file_id = media_file.id)`)
      .limit(atOnce)
      .execute();
    const ids = old.map(({ id }) => id);
    if (ids.length > 0) await files.expire(trx, ids);
    return old.length;
  };

  return async () => {
    // Trials first: they reference recordings.
    for (const remove of [removeTrials, removeRenditions, removeRecordings, removeFiles]) {
      for (let removed = atOnce; removed === atOnce; ) removed = await db.transaction().execute(remove);
    }
  };
}
