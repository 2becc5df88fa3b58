import { countCharacters } from "~server/contract/characters";
import { charactersFree, trialMax } from "~server/contract/limits";
import type { Db } from "../db/database";
import type { Once } from "../db/once";
import { AppError } from "../errors";
import type { Queue } from "../jobs/queue";
import type { SpeechParts } from "../voices/ports";
import type { Recordings } from "../voices/recordings";
import { type Trier, takeTrial } from "./allowance";

interface TrialRequest {
  content: string;
  /** URL of the visitor's own recording. */
  voicePath?: string | undefined;
  /** A public role, where no recording is given. */
  roleId?: string | undefined;
  /** What the recording says; makes the voice closer. */
  transcript?: string | undefined;
}

export interface TrialCreated {
  taskId: string;
  status: 1;
  tryNum: number;
  tryMax: number;
}

export interface TrialResult {
  taskId: string;
  status: 1 | 2 | 3;
  /** 0–1: a tenth for learning the voice, a tenth for encoding, the segments between. */
  progress: number;
  segDone: number;
  segTotal: number;
  /** Jobs before this one; 0 once it runs. */
  queuePos: number;
  voiceUrl: string;
  /** Seconds. */
  duration: number;
  downloads: { mp3: string; wav: string } | null;
  timelineUrl: string;
  /** ErrorCode of a failed one; its trial was given back. */
  msg: string;
}

export interface Trials {
  /** Reserves a trial and queues its job in one transaction; the same key gets the same answer. */
  create(trier: Trier, request: TrialRequest, key?: string): Promise<TrialCreated>;
  /** Throws not-found for another visitor's task as for none. */
  result(visitor: string, taskId: string): Promise<TrialResult>;
}

interface TrialParts {
  db: Db;
  once: Once;
  queue: Queue;
  recordings: Pick<Recordings, "findId">;
  prepareText: SpeechParts["prepareText"];
}

export const trialKind = "trial";
/** Somebody is waiting in front of the page. */
const trialPriority = 10;

/** Trial clones of visitors. */
export function createTrials({ db, once, queue, recordings, prepareText }: TrialParts): Trials {
  const voiceOf = async (visitor: string, { voicePath, roleId }: TrialRequest) => {
    const recording_id = voicePath ? await recordings.findId(`visitor:${visitor}`, voicePath) : null;
    const role_id = !voicePath && roleId ? await findPublicRole(db, roleId) : null;
    if (recording_id || role_id) return { recording_id, role_id };
    throw new AppError("voice-missing", "neither an own recording nor a public role");
  };

  return {
    async create(trier, request, key) {
      checkText(request.content);
      const { units } = prepareText(request.content);
      if (units.every(({ kind }) => kind === "pause")) throw new AppError("text-empty", "nothing of it can be spoken");
      const voice = await voiceOf(trier.visitor, request);
      const owner = `visitor:${trier.visitor}`;
      const result = await once({ owner, call: "trial", key, request }, async (trx) => {
        const { used, day } = await takeTrial(trx, trier);
        const { content, transcript = null } = request;
        const { id } = await trx
          .insertInto("trial")
          .values({ ...trier, ...voice, day, content, transcript })
          .returning("id")
          .executeTakeFirstOrThrow();
        const job_id = await queue.enqueue(trx, { kind: trialKind, payload: { id }, priority: trialPriority });
        await trx.updateTable("trial").set({ job_id }).where("id", "=", id).execute();
        return { taskId: id, status: 1, tryNum: used, tryMax: trialMax } as const;
      });
      if (result.kind === "other-request") throw new AppError("bad-request", "key of another request", { status: 409 });
      if (result.first) queue.wake();
      return result.answer;
    },
    async result(visitor, taskId) {
      const row = isUuid(taskId) ? await findTrial(db, visitor, taskId) : undefined;
      if (!row) throw new AppError("not-found", "no such trial");
      const queuePos = row.status === 1 && row.job_id ? await queue.position(db, row.job_id) : 0;
      return { ...toResult(row), queuePos };
    },
  };
}

function checkText(content: string) {
  const characters = countCharacters(content);
  if (characters === 0) throw new AppError("text-empty", "nothing to speak");
  if (characters > charactersFree) {
    const data = { need: characters, limit: charactersFree };
    throw new AppError("text-too-long", "text is too long", { data });
  }
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

async function findPublicRole(db: Db, id: string): Promise<string | null> {
  const role = await db
    .selectFrom("role")
    .select("id")
    .where("id", "=", id)
    .where("is_public", "=", true)
    .executeTakeFirst();
  return role?.id ?? null;
}

const findTrial = (db: Db, visitor: string, id: string) =>
  db
    .selectFrom("trial")
    .leftJoin("rendition", "rendition.id", "trial.rendition_id")
    .select(["trial.id", "status", "seg_done", "seg_total", "msg", "job_id"])
    .select(["play_url", "mp3_url", "wav_url", "timeline_url", "duration_ms"])
    .where("trial.id", "=", id)
    .where("visitor", "=", visitor)
    .executeTakeFirst();

type TrialRow = NonNullable<Awaited<ReturnType<typeof findTrial>>>;

function toResult(row: TrialRow): Omit<TrialResult, "queuePos"> {
  const { mp3_url: mp3, wav_url: wav, seg_done: segDone, seg_total: segTotal, status } = row;
  const running = segTotal === 0 ? 0 : 0.1 + (0.8 * segDone) / segTotal;
  return {
    taskId: row.id,
    status,
    progress: status === 2 ? 1 : running,
    segDone,
    segTotal,
    voiceUrl: row.play_url ?? "",
    duration: (row.duration_ms ?? 0) / 1000,
    downloads: mp3 && wav ? { mp3, wav } : null,
    timelineUrl: row.timeline_url ?? "",
    msg: row.msg ?? "",
  };
}
