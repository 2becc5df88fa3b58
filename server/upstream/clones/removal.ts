import type { Db } from "../db/database";
import type { CloneParts } from "./parts";
import { stop } from "./starting";

interface Removed {
  id: string;
  job_id: string | null;
  rendition_id: string | null;
}

/** In the caller's transaction, what runs stopped and given back first; bytes go with `files.removeExpired`. */
export async function removeClones(
  trx: Db,
  parts: Pick<CloneParts, "queue" | "spending" | "tell" | "renditions">,
  clones: Removed[],
) {
  if (clones.length === 0) return;
  await stop(trx, parts, clones);
  const ids = clones.map(({ id }) => id);
  const gone = await trx.deleteFrom("clone").where("id", "in", ids).returning("rendition_id").execute();
  // Named by what was deleted: one may have been finished since the rows were read.
  await parts.renditions.expire(
    trx,
    gone.flatMap(({ rendition_id }) => rendition_id ?? []),
  );
}
