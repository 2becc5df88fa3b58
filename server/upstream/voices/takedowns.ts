import { sql } from "kysely";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { Queue } from "../jobs/queue";
import { afterRow, type KeysetPage } from "../sql-fragments";

/** The job that erases the voice and blocks it; run by a worker, which has the speech engine. */
export const takedownKind = "voice-takedown";

export interface Takedown {
  id: string;
  roleId: string;
  operator: string;
  reason: string;
  requestedAt: Date;
  /** Null until a worker has erased the voice. */
  doneAt: Date | null;
  /** Reason why nothing was taken down. */
  failure: string | null;
  receiptId: string | null;
  isBlocking: boolean;
  /** Recordings refused because of it. */
  refusals: number;
  liftedAt: Date | null;
}

/** Operators' acts on voices that must not be used. Each writes an audit row in its own transaction. */
export type Takedowns = ReturnType<typeof createTakedowns>;

/** Ahead of every generation. */
const priority = 30;
/** A speech engine may be out of reach for a while. */
const maxAttempts = 10;

export function createTakedowns(
  { db, queue }: { db: Db; queue: Pick<Queue, "enqueue" | "wake"> },
  { operator, reason }: { operator: string; reason: string },
) {
  const audit = (trx: Db, action: string, target: string) =>
    trx
      .insertInto("audit")
      .values({ operator, action, target, detail: JSON.stringify({ reason }) })
      .execute();

  return {
    /** Queues it, and returns its id; an open one of the same role is returned again. Throws not-found. */
    async request(roleId: string): Promise<string> {
      const id = await db.transaction().execute(async (trx) => {
        const role = trx.selectFrom("role").select("recording_id").where("id", "=", roleId).forUpdate();
        if (!(await role.executeTakeFirst())?.recording_id) {
          throw new AppError("not-found", "no such role with a recording");
        }
        const open = trx.selectFrom("voice_takedown").select("id").where("role_id", "=", roleId);
        const known = await open.where("done_at", "is", null).executeTakeFirst();
        if (known) return known.id;
        const row = { role_id: roleId, operator, reason };
        const created = await trx.insertInto("voice_takedown").values(row).returning("id").executeTakeFirstOrThrow();
        await queue.enqueue(trx, { kind: takedownKind, payload: { id: created.id }, priority, maxAttempts });
        await audit(trx, "take-down-voice", roleId);
        return created.id;
      });
      queue.wake();
      return id;
    },
    /** Newest first. */
    async list({ limit, after }: KeysetPage = {}): Promise<Takedown[]> {
      let listed = db
        .selectFrom("voice_takedown")
        .select(["id", "role_id as roleId", "operator", "reason", "failure", "receipt_id as receiptId", "refusals"])
        .select(["requested_at as requestedAt", "done_at as doneAt", "lifted_at as liftedAt"])
        .select(sql<boolean>`voiceprint_sealed is not null`.as("isBlocking"))
        .orderBy("requested_at", "desc")
        .orderBy("id");
      if (limit !== undefined) listed = listed.limit(limit);
      if (after !== undefined) listed = listed.where(afterRow("voice_takedown", after, { by: "requested_at" }));
      return listed.execute();
    },
    /** Deletes the voiceprint, so that the voice can be enrolled again. Throws not-found for one that blocks nothing. */
    lift: (id: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("voice_takedown")
          .set({ voiceprint_sealed: null, lifted_at: sql<Date>`now()` })
          .where("id", "=", id)
          .where("voiceprint_sealed", "is not", null)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) throw new AppError("not-found", "no such blocked voice");
        await audit(trx, "lift-voice", id);
      }),
  };
}
