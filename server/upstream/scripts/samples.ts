import { sql } from "kysely";
import type { CallRequest } from "~server/contract/calls/table";
import { findLengthFault } from "~server/contract/length-limits";
import { countCharacters } from "~server/contract/marks";
import type { Emotion, SpeechEngine } from "../../speech/engine";
import type { Db } from "../db/database";
import type { RateLimit } from "../db/rate-limit";
import { AppError, refuseLength } from "../errors";
import { type Owner, ownerOf } from "../owner";
import type { DictionaryOf, SpeechParts, Voice } from "../voices/ports";
import type { Profiles } from "../voices/profiles";
import type { Renditions } from "../voices/renditions";
import type { Speak } from "../voices/speaker";
import type { UsableRoles } from "../voices/usable-roles";

interface Sample {
  voiceUrl: string;
  /** Seconds. */
  duration: number;
}

type SampleRequest = CallRequest<"sample">;

export type Samples = ReturnType<typeof createSamples>;

interface SampleParts {
  db: Db;
  speech: Pick<SpeechParts, "prepareText" | "engine" | "designs">;
  dictionaryOf: DictionaryOf;
  roles: Pick<UsableRoles, "findUsable">;
  profiles: Pick<Profiles, "ofRole">;
  speak: Speak;
  renditions: Renditions;
  hitRate: RateLimit["hit"];
}

const charactersMax = 30;
const timeoutMs = 20_000;
/** Enough to compare readings throughout a script, too little to have a text spoken for free. */
const rates = [
  { limit: 40, windowSeconds: 600 },
  { limit: 300, windowSeconds: 86_400 },
];

/** A few characters in a voice, to hear a reading or a feeling before choosing it. Free, without downloads. */
export function createSamples(parts: SampleParts) {
  const { db, speech, dictionaryOf, roles, profiles, speak, renditions, hitRate } = parts;

  const voiceOf = async (owner: Owner, { roleId: requested, designId }: SampleRequest, signal: AbortSignal) => {
    if (designId) return designedVoice(speech.designs.find(designId), await speech.engine(signal));
    const roleId = requested ? (await roles.findUsable(owner, requested))?.id : await findSeeded(db);
    if (!roleId) throw new AppError("voice-missing", "no such role");
    return profiles.ofRole(roleId, { signal });
  };

  const make = async (accountId: string, request: SampleRequest, signal: AbortSignal) => {
    const { content, speed, pitch, volume, genre, ext } = request;
    const owner = ownerOf(accountId);
    const [voice, dictionary] = await Promise.all([voiceOf(owner, request, signal), dictionaryOf(accountId)]);
    const delivery = {
      speed,
      ...(pitch && { pitch }),
      ...(volume && { volume }),
      ...(genre === 2 && ext && { emotion: ext as Partial<Record<Emotion, number>> }),
    };
    const sound = await speak({ content, voice, dictionary, ...delivery }, { signal, onProgress: async () => {} });
    return renditions.make(sound, { owner, exports: false, signal });
  };

  return {
    /** Speaks without a queue. Throws text-empty, text-too-long, pauses-too-long, voice-missing, too-many, timeout and synthesis-failed. */
    async speak(accountId: string, request: SampleRequest): Promise<Sample> {
      const characters = countCharacters(request.content);
      refuseLength(findLengthFault(request));
      if (characters > charactersMax) {
        throw new AppError("text-too-long", "too long", { data: { need: characters, limit: charactersMax } });
      }
      const { units } = await speech.prepareText(request.content);
      if (units.every(({ kind }) => kind === "pause")) throw new AppError("text-empty", "nothing to speak");
      if (units.length > 4 * charactersMax) {
        throw new AppError("text-too-long", "too long", { data: { need: characters, limit: charactersMax } });
      }
      for (const rule of rates) {
        const { isAllowed, retryAfterSeconds } = await hitRate(`sample:${rule.windowSeconds}:${accountId}`, rule);
        if (!isAllowed) throw new AppError("too-many", "too many samples", { status: 429, retryAfterSeconds });
      }
      const signal = AbortSignal.timeout(timeoutMs);
      const rendition = await make(accountId, request, signal).catch((cause) => {
        if (cause instanceof AppError) throw cause;
        throw new AppError(signal.aborted ? "timeout" : "synthesis-failed", "the sample failed", { cause });
      });
      await db.transaction().execute(async (trx) => {
        const rendition_id = await renditions.insert(trx, rendition);
        const expires_at = sql<Date>`now() + interval '20 hours'`;
        await trx.insertInto("script_sample").values({ rendition_id, expires_at }).execute();
      });
      return { voiceUrl: rendition.playUrl, duration: rendition.durationMs / 1000 };
    },
    /** Removes samples after twenty hours. */
    async sweep() {
      const old = await db
        .selectFrom("script_sample")
        .select("rendition_id")
        .where("expires_at", "<", sql<Date>`now()`)
        .execute();
      for (const { rendition_id } of old) await renditions.remove(rendition_id);
    },
  };
}

function designedVoice(designed: ReturnType<SpeechParts["designs"]["find"]>, engine: SpeechEngine): Voice {
  if (!designed || !engine.design) throw new AppError("voice-missing", "no such design");
  return { profile: engine.design(designed.design), recordingId: null };
}

async function findSeeded(db: Db): Promise<string | null> {
  const seeded = db.selectFrom("role").select("id").where("owner", "is", null).where("design", "is not", null);
  const row = await seeded.orderBy("home_rank").orderBy("id").limit(1).executeTakeFirst();
  return row?.id ?? null;
}
