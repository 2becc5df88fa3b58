import { sql } from "kysely";
import type { Db } from "../db/database";
import type { Allowance, Owner } from "../voices/ports";
import { accountIdOf, type DubParts, type DubPayload, dubKind } from "./parts";
import { tellDub } from "./telling";

type Tier = Allowance["tier"];

/** Professional members have a fast channel; previews and what nobody waits for stand behind all. */
const priorityOf = (tier: Tier) => ({ svip: 20, vip: 10, none: 5 })[tier ?? "none"];

interface Start extends DubPayload {
  owner: Owner;
  tier: Tier;
  characters: number;
}

type StartParts = Pick<DubParts, "queue" | "spending" | "tell">;

/** Reserves what a written dub takes and queues its job, in the caller's transaction. Throws entitlement. */
export async function start(trx: Db, parts: StartParts, { id, turn, owner, tier, characters }: Start) {
  const { queue, spending } = parts;
  await spending.reserve(trx, { accountId: accountIdOf(owner), taskId: id, tier, characters });
  const payload: DubPayload = { id, turn };
  const job_id = await queue.enqueue(trx, { kind: dubKind, payload, priority: priorityOf(tier) });
  await trx.updateTable("dub").set({ job_id }).where("id", "=", id).execute();
  await tellDub(trx, parts, id);
}

/**
 * Ends these dubs where they wait or run, and gives back what they held; what their workers still make is thrown away.
 * All jobs are locked before dubs and characters, as a job that ends does it: neither waits for the other in a circle.
 */
export async function stop(trx: Db, parts: StartParts, dubs: Array<{ id: string; job_id: string | null }>) {
  for (const { job_id } of dubs) if (job_id) await parts.queue.cancel(trx, job_id);
  for (const { id } of dubs) {
    const stopped = await trx
      .updateTable("dub")
      .set({ status: 3, msg: "cancelled", settled_at: sql<Date>`now()` })
      .where("id", "=", id)
      .where("status", "=", 1)
      .returning("id")
      .executeTakeFirst();
    if (!stopped) continue;
    await parts.spending.release(trx, id);
    await tellDub(trx, parts, id);
  }
}
