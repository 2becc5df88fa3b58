import type { Billing } from "../billing/billing";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import type { RateLimit } from "../db/rate-limit";
import { createCloneJob } from "../generations/clones/clone-job";
import { createClones } from "../generations/clones/clones";
import { cloneKind } from "../generations/clones/parts";
import { progressOf as cloneProgress } from "../generations/clones/progress";
import { createDubJob } from "../generations/dubs/dub-job";
import { createDubs } from "../generations/dubs/dubs";
import { dubKind } from "../generations/dubs/parts";
import { progressOf as dubProgress } from "../generations/dubs/progress";
import type { TaskEvents } from "../generations/events";
import { createPaidTask } from "../generations/paid-task";
import { createTasks } from "../generations/tasks";
import { createTrialOutputs } from "../generations/trials/outputs";
import { createSpending } from "../generations/trials/spending";
import type { JobHandler } from "../jobs/handler";
import type { Queue } from "../jobs/queue";
import { createDictionary } from "../scripts/dictionary";
import { createSamples } from "../scripts/samples";
import { createReports } from "../square/reports";
import type { Files, Owner, SpeechParts, Stoppable } from "../voices/ports";
import type { Profiles } from "../voices/profiles";
import type { Recordings } from "../voices/recordings";
import type { Renditions } from "../voices/renditions";
import type { RoleParts } from "../voices/roles/parts";
import { createRoles } from "../voices/roles/roles";
import { createShowRole } from "../voices/roles/showing";
import type { UsableRoles } from "../voices/roles/usable";
import type { SegmentCache } from "../voices/segments";
import type { Speak } from "../voices/speaker";

interface StudioParts {
  db: Db;
  once: Once;
  queue: Queue;
  files: Files;
  speech: SpeechParts;
  profiles: Profiles;
  speak: Speak;
  renditions: Renditions;
  recordings: Recordings;
  billing: Billing;
  events: TaskEvents;
  segments: SegmentCache;
  usable: UsableRoles;
  beginning: RoleParts["beginning"];
  /** Names a new temporary file, in a folder that exists. */
  temporaryPath(): string;
  hitRate: RateLimit["hit"];
}

/** What members make: roles, clones and dubs, with what tells of them, stops them and pays for them. */
export function createStudio(parts: StudioParts) {
  const { db, files, queue, billing, events, speech, profiles, speak, renditions, usable, hitRate } = parts;
  const tierOf = async (accountId: string) => (await billing.membership(accountId)).tier;
  const spending = createSpending({
    db,
    tierOf,
    async leftOf(accountId) {
      const { vip, svip, pack } = await billing.quota(accountId);
      return vip.left + svip.left + pack.left;
    },
    reserve: billing.characters.reserveCharacters,
    settle: billing.characters.settle,
    release: billing.characters.release,
  });
  const dictionary = createDictionary(db);
  const samples = createSamples({
    db,
    speech,
    dictionaryOf: dictionary.of,
    findUsable: async (owner, roleId) => (await usable.findUsable(owner, roleId))?.id ?? null,
    profiles,
    speak,
    renditions,
    hitRate,
  });
  const nounParts = {
    ...parts,
    roles: usable,
    spending,
    dictionaryOf: dictionary.of,
  };
  const taskParts = { queue, spending, tell: events.tell };
  const cloneTask = createPaidTask({ ...taskParts, table: "clone", kind: cloneKind, progressOf: cloneProgress });
  const cloneParts = { ...nounParts, task: cloneTask };
  const dubTask = createPaidTask({ ...taskParts, table: "dub", kind: dubKind, progressOf: dubProgress });
  const dubParts = { ...nounParts, task: dubTask };
  const clones = createClones(cloneParts);
  const dubs = createDubs(dubParts);
  const trialOutputs = createTrialOutputs({ db, queue, renditions });
  const roles = createRoles({ ...parts, tell: events.tell, outputs: [clones, dubs, trialOutputs], tierOf });
  const reports = createReports({ db, show: createShowRole(files) });
  const nouns: Stoppable[] = [clones, dubs, roles];
  const handlers: Record<string, JobHandler> = {
    ...roles.handlers,
    [cloneKind]: createCloneJob(cloneParts) as JobHandler,
    [dubKind]: createDubJob(dubParts) as JobHandler,
  };
  return {
    /** Worked beside trials. */
    handlers,
    /** Whatever belongs to an account here: handed over when a visitor logs in, forgotten with it. */
    keepers: [clones, dubs, roles, reports, withNothingToHandOver(dictionary), events],
    /** For the account's export: a file of records each. */
    records: {
      roles: roles.listOf,
      reports: (id: string) => reports.listOf(`account:${id}`),
      clones: (id: string) => clones.listOf(`account:${id}`),
      dubs: (id: string) => dubs.listOf(`account:${id}`),
      dictionary: dictionary.of,
    },
    /** What the routers need. */
    api: {
      allowanceOf: spending.allowanceOf,
      events,
      tasks: createTasks({ nouns }),
      roles,
      reports,
      clones,
      dubs,
      dictionary,
      samples,
    },
    async sweep() {
      await roles.sweep();
      await events.sweep();
      await samples.sweep();
      await dubs.sweep();
    },
  };
}

/** Visitors have none of it. */
const withNothingToHandOver = <T extends { forget(trx: Db, owner: Owner): Promise<void> }>({ forget }: T) => ({
  forget,
  handOver: async () => {},
});
