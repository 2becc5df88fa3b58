import type { Db } from "../db/database";
import { end, takeDead } from "./claims";
import type { JobHandler } from "./handler";

/** Gives up jobs whose workers died on the last attempt, and what was reserved for them. */
export async function sweepDead(db: Db, handlers: Record<string, JobHandler>): Promise<number> {
  const kinds = Object.keys(handlers);
  for (let swept = 0; ; swept++) {
    const found = await db.transaction().execute(async (trx) => {
      const job = await takeDead(trx, kinds);
      if (!job) return false;
      const reason = job.cancelled ? "cancelled" : "worker died";
      await end(trx, job, { state: job.cancelled ? "cancelled" : "failed", error: reason });
      await handlers[job.kind]?.failed?.(trx, job.payload, new Error(reason));
      return true;
    });
    if (!found) return swept;
  }
}
