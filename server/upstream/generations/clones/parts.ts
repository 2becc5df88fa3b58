import type { Db } from "../../db/database";
import { type Once } from "../../db/idempotency";
import type { Queue } from "../../jobs/queue";
import type { DictionaryOf, Files, SpeechParts, Spending } from "../../voices/ports";
import type { Profiles } from "../../voices/profiles";
import type { Recordings } from "../../voices/recordings";
import type { Renditions } from "../../voices/renditions";
import type { UsableRoles } from "../../voices/roles/usable";
import type { Speak } from "../../voices/speaker";
import type { PaidTask } from "../paid-task";

/** What clones are made of. */
export interface CloneParts {
  db: Db;
  once: Once;
  queue: Queue;
  files: Pick<Files, "removeExpired">;
  recordings: Pick<Recordings, "findId">;
  profiles: Profiles;
  renditions: Renditions;
  speak: Speak;
  speech: Pick<SpeechParts, "examineTexts">;
  spending: Spending;
  task: PaidTask;
  dictionaryOf: DictionaryOf;
  roles: UsableRoles;
}

export const cloneKind = "clone" as const;

export const accountIdOf = (owner: string): string => owner.replace(/^account:/, "");
