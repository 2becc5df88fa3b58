import { z } from "zod/v4";
import { contentMaxLength, trialMax } from "../limits";
import { reuse, spoken } from "./tasks";
import {
  aliased,
  answered,
  consent,
  extra,
  id,
  inField,
  numberOr,
  optional,
  spokenRecord,
  taskProgress,
  text,
} from "./tolerant";

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
    /** Ours: agreement to the statement shown; needed once for each recording. */
    consent: optional(consent()),
    reuse: reuse(),
  }),
);
export type TrialCreateRequest = z.output<typeof trialCreateRequest>;

const trialIds = ["taskId", "voiceId", "id", "tryId", "uuid"];

const trialRecord = z.object({
  /** "" if the upstream says nothing about the trial (`null`, `true`). */
  taskId: text(),
  status: taskProgress.status,
  /** Trials used, this one included. */
  tryNum: numberOr(0),
  tryMax: numberOr(trialMax),
});
export const trialCreated = z.preprocess(inField("taskId"), answered([trialIds], trialRecord));
export type TrialCreated = z.output<typeof trialCreated>;

/** Without a taskId: the caller's newest trial, for upstreams whose create call names none. */
export const trialResultQuery = aliased([trialIds], z.object({ taskId: optional(id()) }));

/** GET /voice/try/result. File URLs are paths of the upstream; `duration` is in seconds. */
export const trialResult = z.preprocess(
  inField("voiceUrl"),
  spokenRecord(
    [trialIds],
    z.object({
      /** "" if the upstream does not repeat it. */
      taskId: text(),
      ...taskProgress,
      ...spoken,
      /** Ours: why it failed, as an ErrorCode. */
      reason: extra(z.string()),
    }),
  ),
);
export type TrialResult = z.output<typeof trialResult>;
