import { sql } from "kysely";
import type { Db } from "../db/database";
import type { Allowance, Owner } from "../voices/ports";
import { accountIdOf, type CloneParts, type ClonePayload, cloneKind } from "./parts";
import { tellClone } from "./telling";

type Tier = Allowance["tier"];

/** Professional members have a fast channel; previews and what nobody waits for stand behind all. */
const priorityOf = (tier: Tier) => ({ svip: 20, vip: 10, none: 5 })[tier ?? "none"];

interface Start extends ClonePayload {
  owner: Owner;
  tier: Tier;
  characters: number;
}

type StartParts = Pick<CloneParts, "queue" | "spending" | "tell">;

/** Reserves what a written clone takes and queues its job, in the caller's transaction. Throws entitlement. */
export async function start(trx: Db, parts: StartParts, { id, turn, owner, tier, characters }: Start) {
  const { queue, spending } = parts;
  await spending.reserve(trx, { accountId: accountIdOf(owner), taskId: id, tier, characters });
  const payload: ClonePayload = { id, turn };
  const job_id = await queue.enqueue(trx, { kind: cloneKind, payload, priority: priorityOf(tier) });
  await trx.updateTable("clone").set({ job_id }).where("id", "=", id).execute();
  await tellClone(trx, parts, id);
}

/**
 * Ends these clones where they wait or run, and gives back what they held; what their workers still make is thrown away.
 * All jobs are locked before clones and characters, as a job that ends does it: neither waits for the other in a circle.
 */
export async function stop(trx: Db, parts: StartParts, clones: Array<{ id: string; job_id: string | null }>) {
  for (const { job_id } of clones) if (job_id) await parts.queue.cancel(trx, job_id);
  for (const { id } of clones) {
    const stopped = await trx
      .updateTable("clone")
      .set({ status: 3, msg: "cancelled", settled_at: sql<Date>`now()` })
      .where("id", "=", id)
      .where("status", "=", 1)
      .returning("id")
      .executeTakeFirst();
    if (!stopped) continue;
    await parts.spending.release(trx, id);
    await tellClone(trx, parts, id);
  }
}
