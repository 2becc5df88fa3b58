import type { Selectable } from "kysely";
import type { Tables } from "../db/database";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import { idOfOwner, type Owner } from "../owner";
import type { DictionaryOf } from "../voices/ports";
import type { Profiles } from "../voices/profiles";
import type { SegmentCache } from "../voices/segments";
import type { Speak } from "../voices/speaker";
import { createGenerationJob, getVoice, type JobParts } from "./job";
import { fingerprintOfSegment } from "./request";
import type { Run } from "./task-runs";

interface TextJobParts extends JobParts {
  profiles: Profiles;
  speak: Speak;
}

interface CloneJobParts extends TextJobParts {
  dictionaryOf: DictionaryOf;
  segments: Pick<SegmentCache, "store">;
}

/** Speaks a clone's text with its voice, tone and parameters. */
export function createCloneJob(parts: CloneJobParts): JobHandler<Run> {
  return createGenerationJob(parts, {
    async make(run, signal) {
      const clone = await parts.db.selectFrom("clone").selectAll().where("id", "=", run.id).executeTakeFirst();
      if (!clone) return undefined;
      const onSegment: SpokenText["onSegment"] = (index, chunks, voices) =>
        parts.segments.store(fingerprintOfSegment(clone, index), chunks, voices);
      const request = await toSpeakRequest(parts, clone, signal);
      return speakText(parts, { run, ...clone, request, signal, ...(clone.is_streamed && { onSegment }) });
    },
    changeFor: async (_trx, _run, error) => ({ failed_at: segmentOf(error) }),
  });
}

/** Speaks a trial's text at normal speed. */
export function createTrialJob(parts: TextJobParts): JobHandler<Run> {
  return createGenerationJob(parts, {
    async make(run, signal) {
      const trial = await parts.db.selectFrom("trial").selectAll().where("id", "=", run.id).executeTakeFirst();
      if (!trial) return undefined;
      const request = { content: trial.content, voice: await getVoice(parts.profiles, trial, signal), speed: 1 };
      return speakText(parts, { run, ...trial, request, signal });
    },
  });
}

interface SpokenText {
  run: Run;
  owner: string;
  content: string;
  role_id: string | null;
  request: Parameters<Speak>[0];
  signal: AbortSignal;
  onSegment?: Parameters<Speak>[1]["onSegment"];
}

async function speakText({ db, speak, renditions, tasks }: TextJobParts, spoken: SpokenText) {
  const { run, owner, content, role_id, request, signal, onSegment } = spoken;
  const onProgress = async (seg_done: number, seg_total: number) => {
    await tasks.changeProgress(db, run, { seg_done, seg_total });
  };
  const sound = await speak(request, { signal, onProgress, ...(onSegment && { onSegment }) });
  const rendition = await renditions.make(sound, { owner: owner as Owner, exports: true, signal });
  return { rendition, contents: [content], roleIds: role_id ? [role_id] : [] };
}

type CloneRow = Selectable<Tables["clone"]>;

async function toSpeakRequest({ profiles, dictionaryOf }: CloneJobParts, clone: CloneRow, signal: AbortSignal) {
  const { content, speed, genre, ext, style, pitch, volume, repetition } = clone;
  const voice = await getVoice(profiles, clone, signal);
  const tone = clone.tone_id && genre === 1 ? await profiles.ofRecording(clone.tone_id, { signal }) : undefined;
  if (genre === 1 && !tone) throw new AppError("voice-missing", "the tone's recording is gone");
  return {
    content,
    voice,
    speed,
    dictionary: await dictionaryOf(idOfOwner(clone.owner as Owner)),
    ...(pitch !== null && { pitch }),
    ...(volume !== null && { volume }),
    ...(genre === 2 && ext && { emotion: ext }),
    ...(tone && { tone }),
    ...(style && { style }),
    repetition,
  };
}

function segmentOf(error: unknown): number | null {
  const segment = error instanceof AppError ? error.data?.segment : undefined;
  return typeof segment === "number" ? segment : null;
}
