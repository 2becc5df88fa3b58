import type { UpdateObject } from "kysely";
import type { Db, Tables } from "../db/database";
import type { DubPayload } from "./parts";

/** The dub while it runs, in the turn the job was queued for; undefined once it was stopped, retried or deleted. */
export function findRunning(db: Db, { id, turn }: DubPayload, { lock = false } = {}) {
  const row = db.selectFrom("dub").select(["id", "owner"]).where("id", "=", id).where("turn", "=", turn);
  const running = row.where("status", "=", 1);
  return (lock ? running.forUpdate() : running).executeTakeFirst();
}

/** False, and nothing changed, when it no longer runs. */
export async function changeRunning(
  db: Db,
  { id, turn }: DubPayload,
  change: UpdateObject<Tables, "dub">,
): Promise<boolean> {
  const dubs = db.updateTable("dub").set(change).where("id", "=", id);
  const { numUpdatedRows } = await dubs.where("turn", "=", turn).where("status", "=", 1).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
