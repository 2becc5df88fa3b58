import { sql } from "kysely";
import type { Db } from "../../db/database";
import type { Files } from "../ports";
import type { Renditions } from "../renditions";
import { eraseRecordings } from "../roles/removal";
import type { SegmentCache } from "../segments";

interface SweepParts {
  db: Db;
  files: Files;
  renditions: Pick<Renditions, "expire">;
  segments: Pick<SegmentCache, "forgetVoices" | "sweep">;
}

const batch = 100;

/**
 * Deletes recordings of which a voice was learned and that no role, record or line needs any more, after a day; and the
 * voices whose speakers declined.
 */
export async function sweepVoices(parts: SweepParts): Promise<void> {
  const { db } = parts;
  await sweepSpokenProofs(parts);
  await unlearnDeclined(parts);
  const learned = db
    .selectFrom("recording")
    .innerJoin("recording_consent", "recording_consent.recording_id", "recording.id")
    .select("recording.id")
    .where("agreed_at", "<", sql<Date>`now() - interval '24 hours'`)
    .where(sql<boolean>`not exists (select 1 from role where role.recording_id = recording.id)`)
    .where(sql<boolean>`not exists (select 1 from clone where clone.recording_id = recording.id)`)
    .where(sql<boolean>`not exists (select 1 from clone where clone.tone_id = recording.id)`)
    .where(sql<boolean>`not exists (select 1 from dub_line where dub_line.tone_id = recording.id)`);
  await eraseBatch(parts, await learned.limit(batch).execute());
}

/**
 * Deletes the recordings of failed proofs, and unused prompts, after a day; not a recording that is itself the voice.
 * Ends what was not judged within an hour, without a counted try.
 */
async function sweepSpokenProofs(parts: SweepParts): Promise<void> {
  const { db } = parts;
  await db
    .updateTable("voice_proof")
    .set({ outcome: "unusable", decided_at: sql<Date>`now()` })
    .where("submitted_at", "<", sql<Date>`now() - interval '1 hour'`)
    .where("outcome", "is", null)
    .execute();
  const failed = db
    .selectFrom("recording")
    .innerJoin("voice_proof", "voice_proof.spoken_id", "recording.id")
    .select("recording.id")
    .where("submitted_at", "<", sql<Date>`now() - interval '24 hours'`)
    .whereRef("recording_id", "!=", "spoken_id")
    .where(sql<boolean>`coalesce(outcome, 'no') <> 'yes' and coalesce(review, 'refused') = 'refused'`);
  await eraseBatch(parts, await failed.limit(batch).execute());
  await db
    .deleteFrom("voice_proof")
    .where("submitted_at", "is", null)
    .where("expires_at", "<", sql<Date>`now() - interval '24 hours'`)
    .execute();
}

async function eraseBatch(parts: SweepParts, rows: Array<{ id: string }>): Promise<void> {
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await parts.db.transaction().execute((trx) => eraseRecordings(trx, parts, ids));
}

/** The recording's speaker declined by a link, and the voice has no proof. */
const isDeclined = sql<boolean>`exists (select 1 from consent_link where consent_link.recording_id = role.recording_id
    and declined_at is not null)
  and not exists (select 1 from voice_proof p where p.recording_id = role.recording_id
    and (p.outcome = 'yes' or p.review = 'accepted'))`;

/** Roles keep their name and what was spoken with them, and ask for a new recording. */
async function unlearnDeclined({ db, files, renditions, segments }: SweepParts): Promise<void> {
  const declined = db.selectFrom("role").select("id").where(isDeclined);
  for (const { id } of await declined.limit(batch).execute()) {
    await db.transaction().execute(async (trx) => {
      const locked = trx.selectFrom("role").select(["recording_id", "preview_id"]).where("id", "=", id);
      const role = await locked.where(isDeclined).forUpdate().executeTakeFirst();
      if (!role) return;
      const unlearned = { status: 3, reason: "consent-declined", recording_id: null, measured: null } as const;
      await trx
        .updateTable("role")
        .set({ ...unlearned, preview_id: null, preview_key: null, is_public: false })
        .where("id", "=", id)
        .execute();
      if (role.preview_id) await renditions.expire(trx, [role.preview_id]);
      if (role.recording_id) await eraseRecordings(trx, { files, segments }, [role.recording_id]);
    });
  }
}
