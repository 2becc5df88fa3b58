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

/** What dubs are made of. */
export interface DubParts {
  db: Db;
  once: Once;
  queue: Queue;
  files: Pick<Files, "read" | "removeExpired">;
  recordings: Pick<Recordings, "findId">;
  profiles: Profiles;
  renditions: Renditions;
  speak: Speak;
  speech: Pick<SpeechParts, "engine" | "prepareText" | "examineTexts">;
  spending: Spending;
  task: PaidTask;
  dictionaryOf: DictionaryOf;
  roles: UsableRoles;
  /** Names a new temporary file, in a folder that exists. */
  temporaryPath(): string;
}

export const dubKind = "dub" as const;

export const accountIdOf = (owner: string): string => owner.replace(/^account:/, "");

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Of those ids, the ones that can be a dub's. */
export const toUuids = (ids: string[]): string[] => [...new Set(ids.filter(isUuid))];
