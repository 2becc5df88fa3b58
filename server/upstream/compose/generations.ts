import type { Logger } from "pino";
import type { ApiKeys } from "../accounts/api-keys";
import type { Billing } from "../billing/billing";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import type { RateLimit } from "../db/rate-limit";
import { personalRole } from "../db/seed/seed";
import type { FilmMaker } from "../film/film";
import { cloneTable, createClones } from "../generations/clones/clones";
import { createDubJob } from "../generations/dubs/dub-job";
import { createDubs, dubTable } from "../generations/dubs/dubs";
import { createTaskEvents } from "../generations/events";
import { createOperatorJobs, createTaskActions, createTasks } from "../generations/tasks";
import { createCloneJob, createTrialJob } from "../generations/text-jobs";
import { createSpending } from "../generations/trials/allowance";
import { createTrials, trialTable } from "../generations/trials/trials";
import { createVideoTemplates } from "../generations/videos/templates";
import { createVideoJob } from "../generations/videos/video-job";
import { createVideos, videoTable } from "../generations/videos/videos";
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

export interface GenerationParts {
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

  const run = { db, queue, renditions, files, publish };
  const paid = { ...run, spending, priorities: paidPriorities };
  const [cloneTasks, dubTasks] = [createTasks({ ...paid, ...cloneTable }), createTasks({ ...paid, ...dubTable })];
  const [trialTasks, videoTasks] = [createTasks({ ...run, ...trialTable }), createTasks({ ...run, ...videoTable })];

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

/** Characters that an account has left. */
const countLeft = (billing: Pick<Billing, "quota">) => async (accountId: string) => {
  const { vip, svip, pack } = await billing.quota(accountId);
  return vip.left + svip.left + pack.left;
};
