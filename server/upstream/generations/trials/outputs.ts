import type { Db } from "../../db/database";
import type { Queue } from "../../jobs/queue";
import type { RoleOutputs } from "../../voices/ports";
import type { Renditions } from "../../voices/renditions";
import { releaseTrial } from "./allowance";

interface OutputParts {
  db: Db;
  queue: Queue;
  renditions: Pick<Renditions, "expire">;
}

/** Trials made with a role. */
export function createTrialOutputs({ db, queue, renditions }: OutputParts): RoleOutputs {
  return {
    async forgetRole(trx, owner, roleId) {
      // Jobs before trials, in the order a worker takes them: nobody waits in a circle.
      const made = trx.selectFrom("trial").where("owner", "=", owner).where("role_id", "=", roleId);
      for (const { job_id } of await made.select("job_id").where("status", "=", 1).execute()) {
        if (job_id) await queue.cancel(trx, job_id);
      }
      const gone = await trx
        .deleteFrom("trial")
        .where("owner", "=", owner)
        .where("role_id", "=", roleId)
        .returning(["rendition_id", "status", "is_counted", "address", "day"])
        .execute();
      for (const { status, is_counted, address, day } of gone) {
        if (status === 1 && is_counted) await releaseTrial(trx, { owner, address, day });
      }
      await renditions.expire(
        trx,
        gone.flatMap(({ rendition_id }) => rendition_id ?? []),
      );
    },
    async countByRole(owner, roleIds) {
      const made = db.selectFrom("trial").where("owner", "=", owner).where("role_id", "in", roleIds).groupBy("role_id");
      const rows = await made.select((eb) => ["role_id", eb.fn.countAll<string>().as("count")]).execute();
      return new Map(rows.map(({ role_id, count }) => [role_id ?? "", Number(count)]));
    },
  };
}
