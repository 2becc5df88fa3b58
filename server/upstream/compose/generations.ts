import type { Logger } from "pino";
import type { ApiKeys } from "../accounts/api-keys";
import type { Billing } from "../billing/billing";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import type { RateLimit } from "../db/rate-limit";
import { personalRole } from "../db/seed/seed";
import type { FilmMaker } from "../film/film";
import { cloneRecordings, cloneRoles, createClones } from "../generations/clones/clones";
import { createDubJob } from "../generations/dubs/dub-job";
import { createDubs, dubLines, dubRecordings, dubRoles } from "../generations/dubs/dubs";
import { createTaskEvents } from "../generations/events";
import { cloneProgress, dubProgress, videoProgress } from "../generations/listing";
import { createOperatorJobs } from "../generations/operator-jobs";
import { createTaskActions, createTasks, type TaskParts } from "../generations/tasks";
import { createCloneJob, createTrialJob } from "../generations/text-jobs";
import { createSpending } from "../generations/trials/allowance";
import { createTrials, trialRecordings, trialRoles, trialSpending } from "../generations/trials/trials";
import { createVideoTemplates } from "../generations/videos/templates";
import { createVideoJob } from "../generations/videos/video-job";
import { createVideos, videoRecordings, videoRoles, videoSpending } from "../generations/videos/videos";
import { listWorks } from "../generations/works";
import type { JobHandler } from "../jobs/handler";
import type { Queue } from "../jobs/queue";
import type { MediaFiles } from "../media/files";
import { createDictionary } from "../scripts/dictionary";
import { createSamples } from "../scripts/samples";
import { createShares } from "../shares/shares";
import { createReports } from "../square/reports";
import type { PublishTask } from "../task-status";
import type { SpeechParts } from "../voices/ports";
import { createRevocations } from "../voices/revocations";
import { createShowRole } from "../voices/roles/appearance";
import { createRoles } from "../voices/roles/roles";
import { createTakedownJob } from "../voices/takedown-job";
import { takedownKind } from "../voices/takedowns";
import type { Webhooks } from "../webhooks/webhooks";
import type { VoiceSet } from "./voices";

interface GenerationParts {
  db: Db;
  once: Once;
  queue: Queue;
  files: MediaFiles;
  speech: SpeechParts;
  films: FilmMaker;
  voices: VoiceSet;
  billing: Billing;
  apiKeys: ApiKeys;
  webhooks: Pick<Webhooks, "notify">;
  isProofRequired: boolean;
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
  hitRate: RateLimit["hit"];
  /** Signs receipts. */
  sign(text: string): string;
  log: Logger;
}

export type Generations = ReturnType<typeof createGenerations>;

const paidPriorities = { svip: 20, vip: 10, none: 5 };
/** Behind all sounds. */
const videoPriorities = { svip: 3, vip: 2, none: 1 };
/** A visitor waits in front of the page. */
const trialPriorities = { svip: 20, vip: 10, none: 10 };

/** Clones, dubs, trials and roles, with their events, their prices and the account's dictionary. */
export function createGenerations(parts: GenerationParts) {
  const { db, once, queue, files, films, speech, billing, apiKeys, temporaryPath, hitRate, isProofRequired, log } =
    parts;
  const { profiles, speak, renditions, recordings, segments, usableRoles: roles } = parts.voices;
  const tierOf = async (accountId: string) => (await billing.membership(accountId)).tier;
  const events = createTaskEvents({ db, onError: (error) => log.warn({ err: error }, "polling for events failed") });
  const publish: PublishTask = async (trx, owner, progress) => {
    await events.publish(trx, owner, progress);
    await parts.webhooks.notify(trx, owner, progress);
  };
  const spending = createSpending({ db, tierOf, leftOf: countLeft(billing), characters: billing.characters, apiKeys });
  const dictionary = createDictionary(db);
  const dictionaryOf = dictionary.of;

  const { cloneTasks, dubTasks, trialTasks, videoTasks } = createTaskTables(parts, { spending, publish });

  const spoken = { db, once, queue, recordings, roles, speech, spending, dictionaryOf };
  const clones = createClones({ ...spoken, tasks: cloneTasks });
  const dubs = createDubs({ ...spoken, files, tasks: dubTasks });
  const trials = createTrials({ db, once, queue, recordings, roles, speech, tierOf, tasks: trialTasks });
  const videos = createVideos({ db, once, files, queue, tierOf, formats: films.formats, tasks: videoTasks });
  const roleParts = {
    ...{ db, once, queue, files, recordings, renditions, segments, speech, profiles, speak },
    ...{ publish, tierOf, isProofRequired, outputs: [videos, clones, dubs, trials], defaults: personalRole },
  };
  const members = createRoles(roleParts);
  const { vendorVoices, blockedVoices } = parts.voices;
  const revocationParts = { ...roleParts, vendorVoices, sign: parts.sign };
  const revocations = createRevocations(revocationParts);
  const speaking = { db, profiles, speak, renditions, roles };
  const handlers: Record<string, JobHandler> = {
    ...members.handlers,
    ...revocations.handlers,
    [takedownKind]: createTakedownJob({ ...revocationParts, blockedVoices }) as JobHandler,
    clone: createCloneJob({ ...speaking, segments, dictionaryOf, tasks: cloneTasks }) as JobHandler,
    dub: createDubJob({ ...speaking, files, speech, dictionaryOf, temporaryPath, tasks: dubTasks }) as JobHandler,
    trial: createTrialJob({ ...speaking, tasks: trialTasks }) as JobHandler,
  };
  const actions = createTaskActions([clones, dubs, members, videos]);
  return {
    clones,
    dubs,
    trials,
    videos,
    videoTemplates: createVideoTemplates(db),
    listWorks: listWorks.bind(null, { db, queue }),
    /** For separate workers: a sound never waits for a film. */
    filmHandlers: {
      video: createVideoJob({ ...speaking, files, films, speech, temporaryPath, tasks: videoTasks }) as JobHandler,
    },
    roles: members,
    revocations,
    events,
    handlers,
    /** Operators' acts on tasks, for a worker that no generation keeps busy. */
    actHandlers: createOperatorJobs(db, actions),
    dictionary,
    allowanceOf: spending.allowanceOf,
    actions,
    shares: createShares(db),
    reports: createReports({ db, show: createShowRole(files) }),
    samples: createSamples({ db, speech, dictionaryOf, roles, profiles, speak, renditions, hitRate }),
  };
}

/** The tasks of each table: clones and dubs are paid for, trials and films are counted. */
function createTaskTables(
  { db, queue, files, voices: { renditions } }: GenerationParts,
  { spending, publish }: Pick<TaskParts, "spending" | "publish">,
) {
  const shared = { db, queue, renditions, files, publish };
  const paid = { ...shared, spending, priorities: paidPriorities };
  return {
    cloneTasks: createTasks({
      ...paid,
      table: "clone",
      roles: cloneRoles,
      recordings: cloneRecordings,
      progressOf: cloneProgress,
    }),
    dubTasks: createTasks({
      ...paid,
      table: "dub",
      roles: dubRoles,
      recordings: dubRecordings,
      progressOf: dubProgress,
      lines: dubLines,
    }),
    trialTasks: createTasks({
      ...shared,
      spending: trialSpending,
      priorities: trialPriorities,
      table: "trial",
      roles: trialRoles,
      recordings: trialRecordings,
      progressOf: cloneProgress,
    }),
    videoTasks: createTasks({
      ...shared,
      spending: videoSpending,
      priorities: videoPriorities,
      table: "video",
      roles: videoRoles,
      recordings: videoRecordings,
      progressOf: videoProgress,
    }),
  };
}

/** Characters that an account has left. */
const countLeft = (billing: Pick<Billing, "quota">) => async (accountId: string) => {
  const { vip, svip, pack } = await billing.quota(accountId);
  return vip.left + svip.left + pack.left;
};
