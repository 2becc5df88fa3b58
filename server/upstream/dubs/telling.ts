import type { Db } from "../db/database";
import type { Owner } from "../voices/ports";
import type { DubParts } from "./parts";

interface Progress {
  status: 1 | 2 | 3;
  seg_done: number;
  seg_total: number;
}

/** 0–1: the segments of all lines, and a tenth for putting them together. */
export function progressOf({ status, seg_done, seg_total }: Progress): number {
  if (status === 2) return 1;
  return seg_total === 0 ? 0 : (0.9 * seg_done) / seg_total;
}

/** Tells its owner what the row says; nobody when it is gone. */
export async function tellDub(trx: Db, { tell, queue }: Pick<DubParts, "tell" | "queue">, id: string) {
  const columns = ["owner", "status", "seg_done", "seg_total", "msg", "job_id"] as const;
  const row = await trx.selectFrom("dub").select(columns).where("id", "=", id).executeTakeFirst();
  if (!row) return;
  const { owner, status, seg_done: segDone, seg_total: segTotal, job_id, msg } = row;
  const queuePos = status === 1 && job_id ? await queue.position(trx, job_id) : 0;
  const told = { kind: "dub", taskId: id, status, segDone, segTotal, queuePos, msg: msg ?? "" } as const;
  await tell(trx, owner as Owner, { ...told, progress: progressOf(row) });
}
