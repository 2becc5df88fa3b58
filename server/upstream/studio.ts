import type { Billing } from "./billing/billing";
import type { Db } from "./db/database";
import type { Once } from "./db/once";
import type { JobHandler } from "./jobs/handler";
import type { Queue } from "./jobs/queue";
import type { TaskEvents } from "./tasks/events";
import { createTasks } from "./tasks/tasks";
import { createSpending } from "./trials/spending";
import type { Files, SpeechParts, Stoppable } from "./voices/ports";
import type { Profiles } from "./voices/profiles";
import type { Recordings } from "./voices/recordings";
import type { Renditions } from "./voices/renditions";
import type { Speak } from "./voices/speaker";

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
}

/** What members make: roles, clones and dubs, with what tells of them, stops them and pays for them. */
export function createStudio({ db, billing, events }: StudioParts) {
  const spending = createSpending({
    db,
    tierOf: async (accountId) => (await billing.membership(accountId)).tier,
    async leftOf(accountId) {
      const { vip, svip, pack } = await billing.quota(accountId);
      return vip.left + svip.left + pack.left;
    },
    reserve: billing.characters.reserveCharacters,
    settle: billing.characters.settle,
    release: billing.characters.release,
  });
  const nouns: Stoppable[] = [];
  const handlers: Record<string, JobHandler> = {};
  return {
    /** Worked beside trials. */
    handlers,
    /** Whatever belongs to an account here: handed over when a visitor logs in, forgotten with it. */
    keepers: [events],
    /** For the account's export: a file of records each. */
    records: {},
    /** What the routers need. */
    api: { allowanceOf: spending.allowanceOf, events, tasks: createTasks({ nouns }) },
    async sweep() {
      await events.sweep();
    },
  };
}
