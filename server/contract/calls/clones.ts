import { z } from "zod/v4";
import { content, delivery, failure, format, reuse, spoken, spokenAs } from "./tasks";
import {
  address,
  aliased,
  avatarNames,
  consent,
  createdNames,
  createdRecord,
  id,
  idList,
  moment,
  numberOr,
  optional,
  orNull,
  spokenRecord,
  taskProgress,
  text,
} from "./tolerant";

export const cloneCreateRequest = aliased(
  [
    ["content", "text"],
    ["roleId", "audioId"],
    ["voicePath", "filePath", "url"],
  ],
  z
    .object({
      content: content(),
      roleId: optional(id()),
      voicePath: optional(z.string().max(2000)),
      style: optional(id()),
      ...delivery,
      emotionPath: optional(z.string().max(2000)),
      /** Ours: what the recording of voicePath says; makes the voice closer. */
      transcript: optional(z.string().max(1000)),
      /** Ours: agreement to the statement shown; needed once for each recording of voicePath. */
      consent: optional(consent()),
      format: format(),
      reuse: reuse(),
    })
    .refine(({ roleId, voicePath }) => roleId || voicePath),
);

const cloneIds = ["voiceId", "taskId", "id", "cloneId", "recordId", "uuid"];

export const clone = spokenRecord(
  [cloneIds, ["roleId", "audioId"], ["content", "text"]],
  z.object({
    voiceId: id(),
    taskId: id(),
    content: text(),
    /** "" if a recording was used instead, or the role is gone. */
    roleId: text(),
    audioId: text(),
    /** Ours: parameters of a drawn portrait. */
    portrait: orNull(z.record(z.string(), z.unknown())),
    name: text(),
    avatar: address(),
    /** Ours: the recording used instead of a role; "" otherwise. */
    voicePath: text(),
    style: text(),
    ...spokenAs,
    ...taskProgress,
    ...failure,
    ...spoken,
    costChar: numberOr(0),
    createdAt: moment(),
  }),
  [["name", "roleName"], avatarNames, createdNames],
);

export const cloneCreated = createdRecord(cloneIds, clone);

export const cloneDeleteRequest = aliased(
  [["voiceId", "taskId"]],
  z.object({ voiceId: optional(id()), ids: optional(idList()) }).refine(({ voiceId, ids }) => voiceId || ids),
);
