import { sql } from "kysely";
import type { Owner } from "../../voices/ports";
import { costOf } from "./cost";
import { type DubParts, toUuids } from "./parts";
import { findVoices, type LineRequest, requireAllowed } from "./request";

/**
 * Runs a failed or cancelled one again under today's conditions; the lines that were done stay as they are. One that runs
 * or is done stays as it is; false when the owner has no such dub. Throws what creating it would.
 */
export async function retryDub(parts: DubParts, owner: Owner, taskId: string): Promise<boolean> {
  const { db, queue, task } = parts;
  const [id] = toUuids([taskId]);
  if (!id) return false;
  const dub = await db
    .selectFrom("dub")
    .select("status")
    .where("id", "=", id)
    .where("owner", "=", owner)
    .executeTakeFirst();
  if (!dub) return false;
  if (dub.status !== 3) return true;
  const rows = await db
    .selectFrom("dub_line")
    .leftJoin("recording as tone", "tone.id", "dub_line.tone_id")
    .selectAll("dub_line")
    .select("tone.url as emotionPath")
    .where("dub_id", "=", id)
    .orderBy("number")
    .execute();
  const lines = rows.map(
    (row): LineRequest => ({
      roleId: row.role_id,
      content: row.content,
      speed: row.speed,
      pitch: row.pitch ?? undefined,
      volume: row.volume ?? undefined,
      genre: row.genre as LineRequest["genre"],
      ext: (row.ext as LineRequest["ext"]) ?? undefined,
      emotionPath: row.emotionPath ?? "",
      pauseAfter: row.pause_after,
      startMs: row.start_ms ?? undefined,
      endMs: row.end_ms ?? undefined,
    }),
  );
  const { tier } = await requireAllowed(parts, owner, lines);
  const tones = await findVoices(parts, owner, lines);
  await db.transaction().execute(async (trx) => {
    const { costChar } = await costOf(trx, owner, lines);
    const again = await trx
      .updateTable("dub")
      .set({
        status: 1,
        msg: null,
        failed_at: null,
        settled_at: null,
        cost_char: costChar,
        turn: sql<number>`turn + 1`,
      })
      .where("id", "=", id)
      .where("status", "=", 3)
      .returning("turn")
      .executeTakeFirst();
    // Somebody else just did.
    if (!again) return;
    for (const [number, tone_id] of tones.entries()) {
      const line = trx.updateTable("dub_line").where("dub_id", "=", id).where("number", "=", number);
      if (rows[number]?.status !== 2) await line.set({ status: 1, tone_id }).where("status", "<>", 2).execute();
    }
    await task.start(trx, { id, turn: again.turn, owner, tier, characters: costChar });
  });
  queue.wake();
  return true;
}
