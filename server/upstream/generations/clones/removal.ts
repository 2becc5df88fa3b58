import type { Db } from "../../db/database";
import type { Stopped } from "../paid-task";
import type { CloneParts } from "./parts";

type Parts = Pick<CloneParts, "task" | "spending" | "renditions">;

/** In the caller's transaction, what runs stopped and given back first; bytes go with `files.removeExpired`. */
export async function removeClones(trx: Db, parts: Parts, clones: Stopped[]) {
  await parts.renditions.expire(trx, await forgetClones(trx, parts, clones));
}

/** The same without what they said: the ids of those renditions. */
export async function forgetClones(trx: Db, parts: Parts, clones: Stopped[]): Promise<string[]> {
  if (clones.length === 0) return [];
  await parts.task.stop(trx, clones);
  const ids = clones.map(({ id }) => id);
  const gone = await trx
    .deleteFrom("clone")
    .where("id", "in", ids)
    .returning(["id", "status", "rendition_id"])
    .execute();
  // Run again since it was stopped: its job finds nothing to do.
  for (const { id, status } of gone) if (status === 1) await parts.spending.release(trx, id);
  return gone.flatMap(({ rendition_id }) => rendition_id ?? []);
}
