import { sql } from "kysely";
import type { ErrorCode } from "~server/contract/codes";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { JobHandler } from "../../jobs/handler";
import type { Owner } from "../../voices/ports";
import type { Run } from "../paid-task";
import { accountIdOf, type CloneParts } from "./parts";

/** Learns or takes the voice, speaks the text, stores the files; one that fails gives back what it held. */
export function createCloneJob(parts: CloneParts): JobHandler<Run> {
  const { db, renditions, spending, roles, task } = parts;

  const onProgress = (payload: Run) => async (seg_done: number, seg_total: number) => {
    if (await task.changeRunning(db, payload, { seg_done, seg_total })) await task.tell(db, payload.id);
  };

  return {
    async run(payload, { signal }) {
      const clone = await find(db, payload);
      if (!clone) return undefined;
      const request = await toSpeech(parts, clone, signal);
      const sound = await parts.speak(request, { signal, onProgress: onProgress(payload) });
      const rendition = await renditions.make(sound, { owner: clone.owner as Owner, exports: true, signal });
      const discard = () => renditions.discard(rendition);
      let isWanted = false;
      return {
        facts: renditions.factsOf(rendition, [clone.content]),
        async write(trx) {
          // Whose it is by now.
          const found = await task.findRunning(trx, payload, { lock: true });
          // Cancelled or deleted meanwhile, and given back.
          if (!found) return;
          isWanted = true;
          const rendition_id = await renditions.insert(trx, rendition, found.owner);
          const done = { status: 2, rendition_id, settled_at: sql<Date>`now()` } as const;
          await trx.updateTable("clone").set(done).where("id", "=", payload.id).execute();
          await spending.settle(trx, payload.id);
          if (clone.role_id) await roles.countUse(trx, clone.role_id);
          await task.tell(trx, payload.id);
        },
        written: async () => {
          if (!isWanted) await discard();
        },
        discard,
      };
    },
    async failed(trx, payload, error) {
      const failed = {
        status: 3,
        msg: codeOf(error),
        failed_at: segmentOf(error),
        settled_at: sql<Date>`now()`,
      } as const;
      if (!(await task.changeRunning(trx, payload, failed))) return;
      await spending.release(trx, payload.id);
      await task.tell(trx, payload.id);
    },
    isFinal: (error) => error instanceof AppError,
  };
}

type CloneRow = NonNullable<Awaited<ReturnType<typeof find>>>;

const find = (db: Db, { id, turn }: Run) =>
  db
    .selectFrom("clone")
    .selectAll()
    .where("id", "=", id)
    .where("turn", "=", turn)
    .where("status", "=", 1)
    .executeTakeFirst();

async function toSpeech({ profiles, dictionaryOf }: CloneParts, clone: CloneRow, signal: AbortSignal) {
  const { content, speed, genre, ext, style } = clone;
  const voice = await voiceOf(profiles, clone, signal);
  const tone = clone.tone_id && genre === 1 ? await profiles.ofRecording(clone.tone_id, { signal }) : undefined;
  if (genre === 1 && !tone) throw new AppError("voice-missing", "the tone's recording is gone");
  return {
    content,
    voice,
    speed,
    dictionary: await dictionaryOf(accountIdOf(clone.owner)),
    ...(clone.pitch !== null && { pitch: clone.pitch }),
    ...(clone.volume !== null && { volume: clone.volume }),
    ...(genre === 2 && ext && { emotion: ext }),
    ...(tone && { tone }),
    ...(style && { style }),
  };
}

function voiceOf(profiles: CloneParts["profiles"], clone: CloneRow, signal: AbortSignal) {
  const { recording_id, role_id, transcript } = clone;
  if (recording_id) return profiles.ofRecording(recording_id, { transcript: transcript ?? undefined, signal });
  if (role_id) return profiles.ofRole(role_id, { signal });
  throw new AppError("voice-missing", "the voice is gone");
}

const codeOf = (error: unknown): ErrorCode => (error instanceof AppError ? error.code : "synthesis-failed");

function segmentOf(error: unknown): number | null {
  const segment = error instanceof AppError ? error.data?.segment : undefined;
  return typeof segment === "number" ? segment : null;
}
