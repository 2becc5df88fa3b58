import { createHash } from "node:crypto";
import type { MeasuredVoice, VoiceDesign } from "../../../speech/engine";
import type { Likeness, LikenessRequest } from "../../../speech/index";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { JobHandler } from "../../jobs/handler";
import type { AccountOwner, Owner } from "../../owner";
import { failureCodeOf } from "../../task-status";
import { createShowRole } from "./appearance";
import { type RoleParts, roleKind } from "./parts";

/** The owner waits in front of the page. */
const priority = 10;
/** 5th to 95th percentile of a normal distribution in standard deviations. */
const rangeOfSpread = 3.3;

/** Queues the job in the caller's transaction; wake the queue after the commit. */
export async function startEnrolment(
  trx: Db,
  { queue, publish }: Pick<RoleParts, "queue" | "publish">,
  role: { id: string; owner: AccountOwner },
) {
  const job_id = await queue.enqueue(trx, { kind: roleKind, payload: { id: role.id }, priority });
  const waiting = { status: 1, reason: null, job_id } as const;
  await trx.updateTable("role").set(waiting).where("id", "=", role.id).execute();
  const queuePos = job_id ? await queue.position(trx, job_id) : 0;
  await publish(trx, role.owner, { ...initial, taskId: role.id, queuePos });
}

const initial = { kind: "role", status: 1, progress: 0, segDone: 0, segTotal: 0, queuePos: 0, msg: "" } as const;

const find = (db: Db, id: string) =>
  db
    .selectFrom("role")
    .select(["owner", "recording_id", "design", "preview_text", "preview_id"])
    .where("id", "=", id)
    .where("status", "=", 1);

/** Enrols the voice, measures it, and speaks a preview that is private until the role is published. */
export function createRoleJob(parts: RoleParts): JobHandler<{ id: string }> {
  const { db, files, profiles, speech, speak, renditions, publish } = parts;

  const onProgress = (owner: Owner, taskId: string) => (segDone: number, segTotal: number) =>
    publish(db, owner, { ...initial, taskId, segDone, segTotal, progress: 0.4 + (0.5 * segDone) / segTotal });

  return {
    async run({ id }, { signal }) {
      const role = await find(db, id).executeTakeFirst();
      if (!role) return undefined;
      const owner = role.owner as AccountOwner;
      await publish(db, owner, { ...initial, taskId: id });
      const voice = await profiles.ofRole(id, { signal });
      const { profile } = voice;
      const request = { content: role.preview_text, voice, speed: 1 };
      const sound = await speak(request, { signal, onProgress: onProgress(owner, id) });
      const rendition = await renditions.make(sound, { owner, exports: false, signal });
      const measured = role.recording_id
        ? await measure(parts, { recordingId: role.recording_id, measured: profile.measured, spoken: sound, signal })
        : measuresOf(role.design as VoiceDesign);
      const engine = await speech.engine(signal);
      const preview_key = hashOf([engine.id, engine.version, role.preview_text, profile]);
      let isGone = false;
      return {
        async write(trx) {
          const learning = await find(trx, id).forUpdate().executeTakeFirst();
          isGone = !learning;
          if (!learning) return;
          const preview_id = await renditions.insert(trx, rendition);
          const measures = measured && JSON.stringify(measured);
          const learned = { status: 2, reason: null, measured: measures, preview_id, preview_key } as const;
          const changed = trx.updateTable("role").set(learned).where("id", "=", id).returning("is_shown");
          const { is_shown } = await changed.executeTakeFirstOrThrow();
          // A voice that was learned again with vendors.
          if (is_shown) await createShowRole(files)(trx, { avatar_id: null, preview_id }, true);
          if (learning.preview_id) await renditions.expire(trx, [learning.preview_id]);
          await publish(trx, owner, { ...initial, taskId: id, status: 2, progress: 1 });
        },
        async written() {
          await (isGone ? renditions.discard(rendition) : files.removeExpired());
        },
        discard: () => renditions.discard(rendition),
      };
    },
    async failed(trx, { id }, error) {
      const reason = failureCodeOf(error);
      const role = await trx
        .updateTable("role")
        .set({ status: 3, reason })
        .where("id", "=", id)
        .where("status", "=", 1)
        .returning("owner")
        .executeTakeFirst();
      if (role) await publish(trx, role.owner as AccountOwner, { ...initial, taskId: id, status: 3, msg: reason });
    },
    isFinal: (error) => error instanceof AppError,
  };
}

type StoredMeasures = MeasuredVoice & { likeness: Likeness | null };

/** What was measured of a recording, with its voice's likeness; null where the engine measures nothing. */
async function measure(
  parts: Pick<RoleParts, "db" | "files" | "speech">,
  { measured, ...spoken }: { measured: MeasuredVoice | undefined } & SpokenRecording,
): Promise<StoredMeasures | null> {
  const likeness = await findLikeness(parts, spoken);
  return measured ? { ...measured, likeness } : null;
}

const measuresOf = ({ pitchHz, pitchSpreadSt }: VoiceDesign): StoredMeasures => ({
  pitchHz,
  pitchRangeSt: pitchSpreadSt * rangeOfSpread,
  syllablesPerSecond: null,
  likeness: null,
});

type SpokenRecording = { recordingId: string } & Omit<LikenessRequest, "recording">;

async function findLikeness(
  { db, files, speech }: Pick<RoleParts, "db" | "files" | "speech">,
  { recordingId, ...rest }: SpokenRecording,
): Promise<Likeness | null> {
  if (!speech.measureLikeness) return null;
  const row = await db.selectFrom("recording").select("file_id").where("id", "=", recordingId).executeTakeFirst();
  if (!row) return null;
  const recording = await speech.inspect(await files.read(row.file_id), rest.signal);
  return speech.measureLikeness({ recording, ...rest });
}

const hashOf = (parts: unknown) => createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
