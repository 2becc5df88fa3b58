import type { Db } from "../../db/database";
import type { Owner, TellTask } from "../../voices/ports";

interface Told {
  status: 1 | 2 | 3;
  seg_done: number;
  seg_total: number;
}

/** 0–1: a tenth for learning the voice, a tenth for encoding, the segments between. */
export function progressOf({ status, seg_done, seg_total }: Told): number {
  if (status === 2) return 1;
  return seg_total === 0 ? 0 : 0.1 + (0.8 * seg_done) / seg_total;
}

/** Tells its owner what the row says; nobody when it is gone. */
export async function tellTrial(trx: Db, tell: TellTask, { id, queuePos = 0 }: { id: string; queuePos?: number }) {
  const columns = ["owner", "status", "seg_done", "seg_total", "msg"] as const;
  const row = await trx.selectFrom("trial").select(columns).where("id", "=", id).executeTakeFirst();
  if (!row) return;
  const { status, seg_done: segDone, seg_total: segTotal } = row;
  const told = { kind: "trial", taskId: id, status, segDone, segTotal, queuePos, msg: row.msg ?? "" } as const;
  await tell(trx, row.owner as Owner, { ...told, progress: progressOf(row) });
}
