import { sql } from "kysely";
import type { CallRequest } from "~server/contract/calls/table";
import { findLengthFault } from "~server/contract/length-limits";
import { countCharacters } from "~server/contract/marks";
import type { Db } from "../../db/database";
import { AppError, refuseCharacters, refuseLength } from "../../errors";
import { idOfOwner, type Owner } from "../../owner";
import type { Allowance, DictionaryOf, SpeechParts, Spending } from "../../voices/ports";
import type { Recordings } from "../../voices/recordings";
import type { UsableRoles } from "../../voices/usable-roles";
import { cloneProgress } from "../listing";
import { findTone, fingerprintOf, isProfessional, requireVoice, type TaskOrigin, toDeliveryColumns } from "../request";
import type { CreationParts, TaskTable } from "../tasks";
import { type Clone, type CloneList, getClone, listClones } from "./list";

export type CloneRequest = CallRequest<"cloneCreate">;

export type Clones = ReturnType<typeof createClones>;

interface CloneParts extends CreationParts {
  recordings: Pick<Recordings, "findId" | "requireConsent">;
  roles: Pick<UsableRoles, "findUsable">;
  speech: Pick<SpeechParts, "examineTexts">;
  spending: Pick<Spending, "allowanceOf">;
  dictionaryOf: DictionaryOf;
}

/** Texts spoken by roles and recordings. */
export function createClones(parts: CloneParts) {
  const { once, queue, tasks } = parts;
  return {
    ...tasks,
    /**
     * Reserves the characters and queues the job in one transaction; the same key gets the same answer. With `reuse` an equal
     * clone is the answer; without it an equal text is spoken with another delivery. Throws text-empty, voice-missing, and entitlement `{reason: "tier" | "quota" | "trial"}`; nothing is stored then.
     */
    async create(
      owner: Owner,
      request: CloneRequest,
      { idempotencyKey: key, apiKeyId, isStreamed = false }: TaskOrigin = {},
    ): Promise<Clone> {
      const { tier, characters } = await requireAllowed(parts, owner, request);
      const voices = await findVoices(parts, owner, request);
      const { content, speed, transcript = null, style = "" } = request;
      const spoken = { ...toDeliveryColumns(request), ...voices, content, speed, style };
      const fingerprint = fingerprintOf(spoken);
      const columns = { ...spoken, owner, transcript, characters, fingerprint };
      const result = await once({ owner, call: "clone", key, request }, async (trx) => {
        const equal = await tasks.findEqual(trx, owner, fingerprint);
        if (equal && request.reuse) return getClone({ db: trx, queue }, equal.id);
        const repetition = equal ? await nextRepetition(trx, owner, fingerprint) : 0;
        const inserted = trx
          .insertInto("clone")
          .values({ ...columns, repetition, is_streamed: isStreamed })
          .returning(["id", "turn"]);
        const { id, turn } = await inserted.executeTakeFirstOrThrow();
        await tasks.start(trx, { id, turn, owner, tier, characters, apiKeyId });
        return getClone({ db: trx, queue }, id);
      });
      if (result.first) queue.wake();
      return result.answer;
    },
    list: (owner: Owner, query: CallRequest<"cloneList">): Promise<CloneList> => listClones(parts, owner, query),
    /** Segments that were already spoken come from the cache. */
    retry: (owner: Owner, taskId: string) =>
      tasks.retry(owner, taskId, async (id) => {
        const request = await getRequest(parts, id);
        const { tier, characters } = await requireAllowed(parts, owner, request);
        const voices = await findVoices(parts, owner, request);
        const change = { ...voices, characters, seg_done: 0, seg_total: 0 };
        return { tier, write: async () => ({ characters, change }) };
      }),
  };
}

async function nextRepetition(trx: Db, owner: Owner, fingerprint: string): Promise<number> {
  const equal = trx.selectFrom("clone").where("owner", "=", owner).where("fingerprint", "=", fingerprint);
  const { last } = await equal.select((eb) => eb.fn.max("repetition").as("last")).executeTakeFirstOrThrow();
  return Number(last) + 1;
}

type Spoken = Omit<CloneRequest, "transcript" | "style" | "consent" | "format" | "reuse">;

/** The request that made the clone. */
async function getRequest({ db }: CloneParts, id: string): Promise<Spoken> {
  const { role_id, genre, pitch, volume, ext, emotionPath, voicePath, ...rest } = await db
    .selectFrom("clone")
    .leftJoin("recording", "recording.id", "clone.recording_id")
    .leftJoin("recording as tone", "tone.id", "clone.tone_id")
    .select(["content", "speed", "role_id", "genre", "pitch", "volume", "ext"])
    .select(["recording.url as voicePath", "tone.url as emotionPath"])
    .where("clone.id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("not-found", "the clone was deleted meanwhile"));
  return {
    ...rest,
    genre: genre as CloneRequest["genre"],
    voicePath: voicePath ?? undefined,
    roleId: role_id ?? undefined,
    emotionPath: emotionPath ?? "",
    pitch: pitch ?? undefined,
    volume: volume ?? undefined,
    ext: ext ?? undefined,
  };
}

/**
 * The account's present allowance for this text and these parameters. Throws text-empty, pauses-too-long, sound-too-long,
 * and entitlement `{reason: "tier"}` or, in the top tier, text-too-long, with `need` and `limit` where the text is too long.
 */
async function requireAllowed(
  { spending, speech, dictionaryOf }: CloneParts,
  owner: Owner,
  request: Spoken,
): Promise<Allowance & { characters: number }> {
  const accountId = idOfOwner(owner);
  const { content } = request;
  const characters = countCharacters(content);
  if (characters === 0) throw new AppError("text-empty", "nothing to speak");
  const allowance = await spending.allowanceOf(accountId);
  if (allowance.tier !== "svip" && isProfessional(request)) {
    throw new AppError("entitlement", "parameters of professional members", { data: { reason: "tier" } });
  }
  const { tier, limit } = allowance;
  if (characters > limit) refuseCharacters(tier === "svip", { need: characters, limit });
  refuseLength(findLengthFault(request));
  const [examined] = await speech.examineTexts([content], { dictionary: await dictionaryOf(accountId) });
  if (!examined?.isSpoken) throw new AppError("text-empty", "nothing to speak");
  return { ...allowance, characters };
}

/** For the tasks of clones. */
export const cloneTable: TaskTable = {
  table: "clone",
  progressOf: cloneProgress,
  roles: sql`select id as task_id, owner, role_id from clone`,
  recordings: sql`select id as task_id, recording_id from clone union all select id, tone_id from clone`,
};

/** The columns of voice and tone. Throws voice-missing, and bad-request where the tone names no recording. */
async function findVoices(parts: CloneParts, owner: Owner, request: Spoken) {
  const voice = await requireVoice(parts, owner, request);
  return { ...voice, tone_id: await findTone(parts, owner, request) };
}
