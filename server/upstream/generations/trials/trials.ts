import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { findLengthFault } from "~server/contract/length-limits";
import { charactersFree, charactersSvip, charactersVip, trialMax } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import type { Db } from "../../db/database";
import { AppError, refuseLength } from "../../errors";
import { idOfOwner, isAccount, type Owner } from "../../owner";
import { isUuid } from "../../sql-fragments";
import type { SpeechParts, Spending } from "../../voices/ports";
import type { Recordings } from "../../voices/recordings";
import type { UsableRoles } from "../../voices/usable-roles";
import { cloneProgress, soundColumns, toSoundFields, toTaskFields } from "../listing";
import { fingerprintOf, requireVoice } from "../request";
import type { Tier } from "../task-runs";
import type { CountedTable, CreationParts } from "../tasks";
import { keepForPhone, releaseTrial, type TrialCaller, takeFromPhone, takeTrial, usedTrials } from "./allowance";

export type TrialCreated = CallData<"trialCreate">;
export type TrialResult = CallData<"trialResult">;

export type Trials = ReturnType<typeof createTrials>;

interface TrialParts extends CreationParts {
  recordings: Pick<Recordings, "findId" | "requireConsent">;
  speech: Pick<SpeechParts, "examineTexts">;
  /** The account's present tier. */
  tierOf(accountId: string): Promise<Tier>;
  roles: Pick<UsableRoles, "findUsable">;
}

const limits = { vip: charactersVip, svip: charactersSvip, none: charactersFree };

/** Trial clones of visitors and accounts. */
export function createTrials(parts: TrialParts) {
  const { db, once, queue, speech, tierOf, tasks } = parts;
  return {
    ...tasks,
    /**
     * Reserves a trial and queues its job in one transaction; the same key gets the same answer. With `reuse` an equal trial
     * is the answer, and none is used.
     */
    async create(caller: TrialCaller, request: CallRequest<"trialCreate">, key?: string): Promise<TrialCreated> {
      const { owner } = caller;
      const { content, transcript = null } = request;
      const tier = isAccount(owner) ? await tierOf(idOfOwner(owner)) : null;
      const characters = countCharacters(content);
      requireLength(characters, limits[tier ?? "none"]);
      refuseLength(findLengthFault(request));
      const [examined] = await speech.examineTexts([content]);
      if (!examined?.isSpoken) throw new AppError("text-empty", "nothing to speak");
      const voice = await requireVoice(parts, owner, request);
      const fingerprint = fingerprintOf({ ...voice, content });
      const result = await once({ owner, call: "trial", key, request }, async (trx): Promise<TrialCreated> => {
        const equal = request.reuse && (await tasks.findEqual(trx, owner, fingerprint));
        if (equal) {
          return { taskId: equal.id, status: equal.status, tryNum: await usedTrials(trx, owner), tryMax: trialMax };
        }
        const { used, day } = tier ? { used: await usedTrials(trx, owner), day: "" } : await takeTrial(trx, caller);
        const { id } = await trx
          .insertInto("trial")
          .values({ ...caller, ...voice, day, is_counted: tier === null, content, transcript, fingerprint })
          .returning("id")
          .executeTakeFirstOrThrow();
        await tasks.start(trx, { id, owner, tier, characters });
        return { taskId: id, status: 1, tryNum: used, tryMax: trialMax };
      });
      if (result.first) queue.wake();
      return result.answer;
    },
    /** Throws not-found for another owner's task too. */
    async result(owner: Owner, taskId: string): Promise<TrialResult> {
      const row = isUuid(taskId) ? await findTrial(db, owner, taskId) : undefined;
      if (!row) throw new AppError("not-found", "no such trial");
      return { ...(await toTaskFields(row, cloneProgress(row), parts)), ...toSoundFields(row) };
    },
    /** Keeps the number of used trials by the phone's keyed hash when an account is deleted, for the phone's next account. */
    keepForPhone,
    takeFromPhone,
    /** For the owner's export. */
    listOf: (owner: Owner): Promise<object[]> =>
      db
        .selectFrom("trial")
        .leftJoin("rendition", "rendition.id", "trial.rendition_id")
        .select(["trial.id as taskId", "content", "transcript", "role_id as roleId", "status", "msg"])
        .select(["downloads", "timeline_url as timeline", "trial.created_at as createdAt"])
        .where("trial.owner", "=", owner)
        .orderBy("trial.created_at")
        .execute(),
    /** Stops and deletes all of an owner's trials and its allowance. */
    async forget(trx: Db, owner: Owner) {
      await tasks.forget(trx, owner);
      await trx.deleteFrom("trial_allowance").where("scope", "=", owner).execute();
      if (isAccount(owner)) await trx.deleteFrom("trial_hold").where("account_id", "=", idOfOwner(owner)).execute();
    },
  };
}

function requireLength(characters: number, limit: number) {
  if (characters === 0) throw new AppError("text-empty", "nothing to speak");
  if (characters > limit) {
    throw new AppError("text-too-long", "text is too long", { data: { need: characters, limit } });
  }
}

const findTrial = (db: Db, owner: Owner, id: string) =>
  db
    .selectFrom("trial")
    .leftJoin("rendition", "rendition.id", "trial.rendition_id")
    .select(["trial.id", "status", "seg_done", "seg_total", "msg", "job_id", ...soundColumns])
    .where("trial.id", "=", id)
    .where("trial.owner", "=", owner)
    .executeTakeFirst();

/** `create` takes the trial, which a failed or cancelled task returns. */
const spending: Pick<Spending, "reserve" | "settle" | "release"> = {
  reserve: async () => {},
  settle: async () => {},
  async release(trx, id) {
    const columns = ["owner", "address", "day", "is_counted"] as const;
    const trial = await trx.selectFrom("trial").select(columns).where("id", "=", id).executeTakeFirst();
    if (trial?.is_counted) await releaseTrial(trx, { ...trial, owner: trial.owner as Owner });
  },
};

/** For the tasks of trials. A visitor waits in front of the page. */
export const trialTable: CountedTable = {
  table: "trial",
  priorities: { svip: 20, vip: 10, none: 10 },
  spending,
  progressOf: cloneProgress,
  roles: sql`select id as task_id, owner, role_id from trial`,
  recordings: sql`select id as task_id, recording_id from trial`,
};
