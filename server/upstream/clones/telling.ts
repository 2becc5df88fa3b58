import type { Db } from "../db/database";
import type { Owner } from "../voices/ports";
import type { CloneParts } from "./parts";

interface Progress {
  status: 1 | 2 | 3;
  seg_done: number;
  seg_total: number;
}

/** 0–1: a tenth for learning the voice, a tenth for encoding, the segments between. */
export function progressOf({ status, seg_done, seg_total }: Progress): number {
  if (status === 2) return 1;
  return seg_total === 0 ? 0 : 0.1 + (0.8 * seg_done) / seg_total;
}

/** Tells its owner what the row says; nobody when it is gone. */
export async function tellClone(trx: Db, { tell, queue }: Pick<CloneParts, "tell" | "queue">, id: string) {
  const columns = ["owner", "status", "seg_done", "seg_total", "msg", "job_id"] as const;
  const row = await trx.selectFrom("clone").select(columns).where("id", "=", id).executeTakeFirst();
  if (!row) return;
  const { owner, status, seg_done: segDone, seg_total: segTotal, job_id, msg } = row;
  const queuePos = status === 1 && job_id ? await queue.position(trx, job_id) : 0;
  const told = { kind: "clone", taskId: id, status, segDone, segTotal, queuePos, msg: msg ?? "" } as const;
  await tell(trx, owner as Owner, { ...told, progress: progressOf(row) });
}
