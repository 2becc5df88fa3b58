import { type SqlBool, sql } from "kysely";
import type { Db } from "../../db/database";
import { type AccountOwner, ownerOf } from "../../owner";
import { dropAvatar } from "./appearance";
import { lockAccount } from "./creation";
import type { RoleParts } from "./parts";

/** Erases roles of the owner with everything made from them; other ids are ignored. */
export async function removeRoles(parts: RoleParts, accountId: string, ids: string[]): Promise<void> {
  const owner = ownerOf(accountId);
  await parts.db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    const own = trx.selectFrom("role").select(["id", "job_id"]).where("owner", "=", owner).where("id", "in", ids);
    const roles = await own.orderBy("id").execute();
    // Jobs before roles, in the order of a worker, to prevent deadlocks.
    for (const { job_id } of roles) if (job_id) await parts.queue.cancel(trx, job_id);
    for (const { id } of roles) {
      for (const kind of parts.outputs) await kind.forgetRole(trx, owner, id);
      await removeRole(trx, parts, { owner, id });
    }
  });
  parts.queue.wake();
  await sweepRecordings(parts);
  await parts.files.removeExpired();
  await parts.segments.sweep();
}

/** With consent, preview, picture and the recordings that no other role needs; its jobs are cancelled before. */
export async function removeRole(trx: Db, parts: RoleParts, { owner, id }: { owner: AccountOwner; id: string }) {
  const role = trx.selectFrom("role").select(["avatar_id", "preview_id", "recording_id"]).where("id", "=", id);
  const found = await role.forUpdate().executeTakeFirstOrThrow();
  const consent = trx.deleteFrom("role_consent").where("role_id", "=", id).returning("recording_id");
  const agreed = await consent.executeTakeFirst();
  await trx.deleteFrom("role").where("id", "=", id).execute();
  if (found.preview_id) await parts.renditions.expire(trx, [found.preview_id]);
  await dropAvatar(trx, parts, { owner, id: found.avatar_id });
  const used = [found.recording_id, agreed?.recording_id].filter((one) => one != null);
  if (used.length > 0) await eraseRecordings(trx, parts, used);
}

const isNeeded = sql<SqlBool>`(exists (select 1 from role where role.recording_id = recording.id)
  or exists (
    select 1 from voice_proof join role on role.recording_id = voice_proof.recording_id
    where voice_proof.spoken_id = recording.id
      and (outcome = 'yes' or coalesce(voice_proof.review, '') in ('asked', 'accepted')))
  or exists (select 1 from role_consent where role_consent.recording_id = recording.id))`;
const isInUse = sql<SqlBool>`(
  exists (select 1 from trial where trial.recording_id = recording.id and trial.status = 1)
  or exists (select 1 from clone where clone.recording_id = recording.id and clone.status = 1)
  or exists (select 1 from clone where clone.tone_id = recording.id and clone.status = 1)
  or exists (
    select 1 from dub join dub_line on dub_line.dub_id = dub.id
    where dub_line.tone_id = recording.id and dub.status = 1))`;

/**
 * Deletes recordings that no other role needs, and those that proved them. One that a task uses is hidden now and deleted
 * when the task has ended.
 */
export async function eraseRecordings(
  trx: Db,
  { files, segments }: Pick<RoleParts, "files" | "segments">,
  erased: string[],
) {
  const spoken = trx.selectFrom("voice_proof").select("spoken_id").where("recording_id", "in", erased);
  const proofs = await spoken.where("spoken_id", "is not", null).execute();
  const ids = [...erased, ...proofs.flatMap(({ spoken_id }) => spoken_id ?? [])];
  await trx.selectFrom("recording").select("id").where("id", "in", ids).orderBy("id").forUpdate().execute();
  await trx
    .updateTable("recording")
    .set({ erase_asked: true })
    .where("id", "in", ids)
    .where(sql<SqlBool>`not ${isNeeded}`)
    .execute();
  const gone = await trx
    .deleteFrom("recording")
    .where("id", "in", ids)
    .where("erase_asked", "=", true)
    .where(sql<SqlBool>`not ${isInUse}`)
    .returning(["file_id", "voice_hash"])
    .execute();
  await segments.forgetVoices(
    trx,
    gone.map(({ voice_hash }) => voice_hash),
  );
  await files.expire(
    trx,
    gone.map(({ file_id }) => file_id),
  );
}

/** Deletes the recordings that a task used when their role was deleted. */
export async function sweepRecordings(parts: Pick<RoleParts, "db" | "files" | "segments">): Promise<void> {
  const asked = await parts.db.selectFrom("recording").select("id").where("erase_asked", "=", true).execute();
  if (asked.length === 0) return;
  await parts.db.transaction().execute((trx) =>
    eraseRecordings(
      trx,
      parts,
      asked.map(({ id }) => id),
    ),
  );
}
