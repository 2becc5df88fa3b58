import type { Db } from "../../db/database";
import type { Once } from "../../db/idempotency";
import type { Queue } from "../../jobs/queue";
import type { PublishTask } from "../../task-status";
import type { Files, RoleOutputs, SpeechParts } from "../ports";
import type { Profiles } from "../profiles";
import type { Recordings } from "../recordings";
import type { Renditions } from "../renditions";
import type { SegmentCache } from "../segments";
import type { Speak } from "../speaker";

export interface RoleParts {
  db: Db;
  once: Once;
  queue: Queue;
  files: Files;
  recordings: Pick<Recordings, "findId">;
  renditions: Renditions;
  segments: Pick<SegmentCache, "forgetVoices" | "sweep">;
  speech: Pick<SpeechParts, "engine" | "inspect" | "measureLikeness" | "designs">;
  profiles: Pick<Profiles, "ofRecording" | "ofRole">;
  speak: Speak;
  publish: PublishTask;
  /** Generations that may speak with a role. */
  outputs: RoleOutputs[];
  /** The account's present tier. */
  tierOf(accountId: string): Promise<"vip" | "svip" | null>;
  /** Whether publishing needs a proof of the voice. */
  isProofRequired: boolean;
  /** Defaults of a new role: its category on the square and the text of its preview. */
  defaults: { category: string; preview: string };
}

export const roleKind = "role";
