import { sql } from "kysely";
import type { Owner } from "../../voices/ports";
import { toUuids } from "./list";
import type { CloneParts } from "./parts";
import { findVoices, requireAllowed } from "./request";

/**
 * Runs a failed or cancelled one again under today's conditions, what was already spoken taken from the cache. One that
 * runs or is done stays as it is; false when the owner has no such clone. Throws what creating it would.
 */
export async function retryClone(parts: CloneParts, owner: Owner, taskId: string): Promise<boolean> {
  const { db, queue, task } = parts;
  const [id] = toUuids([taskId]);
  if (!id) return false;
  const clone = await db
    .selectFrom("clone")
    .leftJoin("recording", "recording.id", "clone.recording_id")
    .leftJoin("recording as tone", "tone.id", "clone.tone_id")
    .selectAll("clone")
    .select(["recording.url as voicePath", "tone.url as emotionPath"])
    .where("clone.id", "=", id)
    .where("clone.owner", "=", owner)
    .executeTakeFirst();
  if (!clone) return false;
  if (clone.status !== 3) return true;
  const { pitch, volume, ext } = clone;
  const request = {
    content: clone.content,
    speed: clone.speed,
    genre: clone.genre as 0 | 1 | 2,
    voicePath: clone.voicePath ?? undefined,
    roleId: clone.role_id ?? undefined,
    emotionPath: clone.emotionPath ?? "",
    pitch: pitch ?? undefined,
    volume: volume ?? undefined,
    ext: ext ?? undefined,
  };
  const { tier, characters } = await requireAllowed(parts, owner, request);
  const voices = await findVoices(parts, owner, request);
  await db.transaction().execute(async (trx) => {
    const again = await trx
      .updateTable("clone")
      .set({ ...voices, status: 1, seg_done: 0, seg_total: 0, msg: null, failed_at: null, settled_at: null })
      .set({ characters, turn: sql<number>`turn + 1` })
      .where("id", "=", id)
      .where("status", "=", 3)
      .returning("turn")
      .executeTakeFirst();
    // Somebody else just did.
    if (!again) return;
    await task.start(trx, { id, turn: again.turn, owner, tier, characters });
  });
  queue.wake();
  return true;
}
