import type { Db } from "../../db/database";
import type { Once } from "../../db/idempotency";
import type { Queue } from "../../jobs/queue";
import type { Files, RoleOutputs, SpeechParts, TellTask } from "../ports";
import type { Profiles } from "../profiles";
import type { Recordings } from "../recordings";
import type { Renditions } from "../renditions";
import type { SegmentCache } from "../segments";
import type { Speak } from "../speaker";

/** What roles are made of. */
export interface RoleParts {
  db: Db;
  once: Once;
  queue: Queue;
  files: Files;
  recordings: Pick<Recordings, "findId">;
  renditions: Renditions;
  segments: Pick<SegmentCache, "forgetVoices" | "sweep">;
  speech: Pick<SpeechParts, "engine">;
  profiles: Pick<Profiles, "ofRecording">;
  speak: Speak;
  tell: TellTask;
  /** Whatever may have been made with a role. */
  outputs: RoleOutputs[];
  /** The tier whose benefits hold for an account now. */
  tierOf(accountId: string): Promise<"vip" | "svip" | null>;
  /** What a role begins with: its category on the square, and what it says when somebody taps it. */
  beginning: { category: string; preview: string };
}

export type AccountOwner = `account:${string}`;

export const roleKind = "role";
