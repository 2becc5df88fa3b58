import { z } from "zod/v4";
import { contentMaxLength, trialMax } from "../limits";
import { aliased, id, numberOr, optional, orNull, taskProgress, text } from "./tolerant";

/** POST /voice/try/create. `transcript` (ours): the sentence the visitor read aloud, makes the voice closer. */
export const trialCreateRequest = aliased(
  [
    ["content", "text"],
    ["voicePath", "filePath", "url", "emotionPath"],
    ["roleId", "audioId"],
  ],
  z.object({
    content: z.string().min(1).max(contentMaxLength),
    voicePath: optional(z.string().max(2000)),
    roleId: optional(id()),
    transcript: optional(z.string().max(1000)),
  }),
);
export type TrialCreateRequest = z.output<typeof trialCreateRequest>;

export const trialCreated = aliased(
  [["taskId", "voiceId", "id"]],
  z.object({
    taskId: id(),
    status: taskProgress.status,
    /** Trials used, this one included. */
    tryNum: numberOr(0),
    tryMax: numberOr(trialMax),
  }),
);
export type TrialCreated = z.output<typeof trialCreated>;

export const trialResultQuery = aliased([["taskId", "voiceId", "id"]], z.object({ taskId: id() }));

/** GET /voice/try/result. File URLs are paths of the upstream; `duration` is in seconds. */
export const trialResult = aliased(
  [
    ["taskId", "voiceId", "id"],
    ["voiceUrl", "url"],
  ],
  z.object({
    taskId: id(),
    ...taskProgress,
    voiceUrl: text(),
    duration: numberOr(0),
    /** Ours: why it failed, as an ErrorCode. */
    reason: optional(z.string()),
    /** Ours: files with the audible mark, for keeping. */
    downloads: orNull(z.object({ mp3: z.string(), wav: z.string() })),
    /** Ours: what sounds when, as JSON. */
    timelineUrl: text(),
  }),
);
export type TrialResult = z.output<typeof trialResult>;
