import { findLengthFault } from "~server/contract/length-limits";
import { charactersFree, charactersSvip, charactersVip, trialMax } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import type { Db } from "../../db/database";
import { type Once } from "../../db/idempotency";
import { AppError, refuseLength } from "../../errors";
import type { Queue } from "../../jobs/queue";
import type { Owner, SpeechParts, TellTask } from "../../voices/ports";
import type { Recordings } from "../../voices/recordings";
import type { UsableRoles } from "../../voices/roles/usable";
import { carryTrials, keepForPhone, type Trier, takeFromPhone, takeTrial, usedTrials } from "./allowance";
import { progressOf, tellTrial } from "./telling";

interface TrialRequest {
  content: string;
  /** URL of the visitor's own recording. */
  voicePath?: string | undefined;
  /** A public role or one's own, where no recording is given. */
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
  /** Throws not-found for somebody else's task as for none. */
  result(owner: Owner, taskId: string): Promise<TrialResult>;
  /** How many the owner has used; members' are not counted. */
  used(owner: Owner): Promise<number>;
  /** For the owner's export. */
  listOf(owner: Owner): Promise<object[]>;
  /** What the visitor tried is the account's from now on. */
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  /** How many were used outlives a deleted account, counted by its phone's keyed hash, and holds for its next account. */
  keepForPhone(trx: Db, owner: Owner, phoneHash: string): Promise<void>;
  takeFromPhone(trx: Db, phoneHash: string, owner: Owner): Promise<void>;
  /** Stops what runs and forgets them all. */
  forget(trx: Db, owner: Owner): Promise<void>;
}

interface TrialParts {
  db: Db;
  once: Once;
  queue: Queue;
  recordings: Pick<Recordings, "findId">;
  speech: Pick<SpeechParts, "examineTexts">;
  /** The tier whose benefits hold for an account now. */
  tierOf(accountId: string): Promise<Tier | null>;
  tell: TellTask;
  roles: Pick<UsableRoles, "findUsable">;
}

type Tier = "vip" | "svip";
const charactersOf: Record<Tier, number> = { vip: charactersVip, svip: charactersSvip };

export const trialKind = "trial";
/** Somebody is waiting in front of the page; professional members have a fast channel. */
const priorityOf = (tier: Tier | null) => (tier === "svip" ? 20 : 10);

/** Trial clones of visitors and accounts. */
export function createTrials(parts: TrialParts): Trials {
  const { db, once, queue, recordings, speech, tierOf, tell, roles } = parts;
  const voiceOf = async (owner: Owner, { voicePath, roleId }: TrialRequest) => {
    const recording_id = voicePath ? await recordings.findId(owner, voicePath) : null;
    const role = !voicePath && roleId ? await roles.findUsable(owner, roleId) : null;
    if (recording_id || role) return { recording_id, role_id: role?.id ?? null };
    throw new AppError("voice-missing", "neither an own recording nor a role that may be used");
  };

  return {
    async create(trier, request, key) {
      const { owner } = trier;
      const tier = owner.startsWith("account:") ? await tierOf(owner.slice("account:".length)) : null;
      checkText(request.content, tier ? charactersOf[tier] : charactersFree);
      refuseLength(findLengthFault(request));
      const [examined] = await speech.examineTexts([request.content]);
      if (!examined?.isSpoken) throw new AppError("text-empty", "nothing of it can be spoken");
      const voice = await voiceOf(owner, request);
      const result = await once({ owner, call: "trial", key, request }, async (trx) => {
        const taken = tier ? { used: await usedTrials(trx, owner), day: "" } : await takeTrial(trx, trier);
        const { content, transcript = null } = request;
        const { id } = await trx
          .insertInto("trial")
          .values({ ...trier, ...voice, day: taken.day, is_counted: tier === null, content, transcript })
          .returning("id")
          .executeTakeFirstOrThrow();
        const priority = priorityOf(tier);
        const job_id = await queue.enqueue(trx, { kind: trialKind, payload: { id }, priority });
        await trx.updateTable("trial").set({ job_id }).where("id", "=", id).execute();
        await tellTrial(trx, tell, { id, queuePos: job_id ? await queue.position(trx, job_id) : 0 });
        return { taskId: id, status: 1, tryNum: taken.used, tryMax: trialMax } as const;
      });
      if (result.kind === "other-request") throw new AppError("bad-request", "key of another request", { status: 409 });
      if (result.first) queue.wake();
      return result.answer;
    },
    async result(owner, taskId) {
      const row = isUuid(taskId) ? await findTrial(db, owner, taskId) : undefined;
      if (!row) throw new AppError("not-found", "no such trial");
      const queuePos = row.status === 1 && row.job_id ? await queue.position(db, row.job_id) : 0;
      return { ...toResult(row), queuePos };
    },
    keepForPhone,
    takeFromPhone,
    used: (owner) => usedTrials(db, owner),
    listOf: (owner) =>
      db
        .selectFrom("trial")
        .leftJoin("rendition", "rendition.id", "trial.rendition_id")
        .select(["trial.id as taskId", "content", "transcript", "role_id as roleId", "status", "msg"])
        .select(["mp3_url as mp3", "wav_url as wav", "timeline_url as timeline", "trial.created_at as createdAt"])
        .where("trial.owner", "=", owner)
        .orderBy("trial.created_at")
        .execute(),
    async handOver(trx, from, to) {
      await trx.updateTable("trial").set({ owner: to }).where("owner", "=", from).execute();
      await carryTrials(trx, from, to);
    },
    async forget(trx, owner) {
      // Jobs before trials, in the order a worker takes them: nobody waits in a circle.
      const running = trx.selectFrom("trial").select("job_id").where("owner", "=", owner).where("status", "=", 1);
      for (const { job_id } of await running.execute()) if (job_id) await queue.cancel(trx, job_id);
      await trx.deleteFrom("trial").where("owner", "=", owner).execute();
      await trx.deleteFrom("trial_allowance").where("scope", "=", owner).execute();
      if (owner.startsWith("account:")) {
        await trx.deleteFrom("trial_hold").where("account_id", "=", owner.slice("account:".length)).execute();
      }
    },
  };
}

function checkText(content: string, limit: number) {
  const characters = countCharacters(content);
  if (characters === 0) throw new AppError("text-empty", "nothing to speak");
  if (characters > limit) {
    const data = { need: characters, limit };
    throw new AppError("text-too-long", "text is too long", { data });
  }
}

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

const findTrial = (db: Db, owner: Owner, id: string) =>
  db
    .selectFrom("trial")
    .leftJoin("rendition", "rendition.id", "trial.rendition_id")
    .select(["trial.id", "status", "seg_done", "seg_total", "msg", "job_id"])
    .select(["play_url", "mp3_url", "wav_url", "timeline_url", "duration_ms"])
    .where("trial.id", "=", id)
    .where("trial.owner", "=", owner)
    .executeTakeFirst();

type TrialRow = NonNullable<Awaited<ReturnType<typeof findTrial>>>;

function toResult(row: TrialRow): Omit<TrialResult, "queuePos"> {
  const { mp3_url: mp3, wav_url: wav, seg_done: segDone, seg_total: segTotal, status } = row;
  return {
    taskId: row.id,
    status,
    progress: progressOf(row),
    segDone,
    segTotal,
    voiceUrl: row.play_url ?? "",
    duration: (row.duration_ms ?? 0) / 1000,
    downloads: mp3 && wav ? { mp3, wav } : null,
    timelineUrl: row.timeline_url ?? "",
    msg: row.msg ?? "",
  };
}
