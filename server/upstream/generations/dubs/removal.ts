import { sql } from "kysely";
import type { Db } from "../../db/database";
import type { Stopped } from "../paid-task";
import type { DubParts } from "./parts";

type RemovalParts = Pick<DubParts, "task" | "spending" | "renditions">;

/**
 * In the caller's transaction, what runs stopped and given back first; bytes go with `files.removeExpired`. A line's sound
 * stays as long as another dub has it.
 */
export async function removeDubs(trx: Db, parts: RemovalParts, dubs: Stopped[]) {
  const { wholes, ofLines } = await forgetDubs(trx, parts, dubs);
  await parts.renditions.expire(trx, [...wholes, ...(await findUnused(trx, ofLines))]);
}

/** The same without what is heard of them: the ids of those renditions. */
export async function forgetDubs(trx: Db, parts: RemovalParts, dubs: Stopped[]) {
  if (dubs.length === 0) return { wholes: [], ofLines: [] };
  await parts.task.stop(trx, dubs);
  const ids = dubs.map(({ id }) => id);
  await trx.selectFrom("dub").select("id").where("id", "in", ids).orderBy("id").forUpdate().execute();
  const lines = await trx.deleteFrom("dub_line").where("dub_id", "in", ids).returning("rendition_id").execute();
  const gone = await trx.deleteFrom("dub").where("id", "in", ids).returning(["id", "status", "rendition_id"]).execute();
  // Run again since it was stopped: its job finds nothing to do.
  for (const { id, status } of gone) if (status === 1) await parts.spending.release(trx, id);
  return { wholes: idsOf(gone), ofLines: idsOf(lines) };
}

const idsOf = (rows: Array<{ rendition_id: string | null }>) => rows.flatMap(({ rendition_id }) => rendition_id ?? []);

/** Locked first and looked for then: whoever takes one meanwhile either waits until it is gone, or is seen. */
async function findUnused(trx: Db, renditionIds: string[]): Promise<string[]> {
  const ids = [...new Set(renditionIds)].sort();
  if (ids.length === 0) return [];
  await trx.selectFrom("rendition").select("id").where("id", "in", ids).orderBy("id").forUpdate().execute();
  const { rows } = await sql<{ id: string }>`
    select id from rendition where id = any(${ids}::uuid[])
      and not exists (select 1 from dub_line where dub_line.rendition_id = rendition.id)`.execute(trx);
  return rows.map(({ id }) => id);
}
