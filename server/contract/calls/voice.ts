import { z } from "zod/v4";
import { contentMaxLength, speedMax, speedMin } from "../limits";
import { soundFormats } from "../sound-formats";
import {
  aliased,
  createdRecord,
  id,
  idList,
  number,
  numberOr,
  optional,
  orNull,
  pageQuery,
  rowsOf,
  spokenRecord,
  taskProgress,
  text,
} from "./tolerant";

const weight = () => optional(number().pipe(z.number().min(0).max(1)));
/** Weights of feeling, 0 to 1; professionals only. */
export const emotionWeights = z.object({
  happy: weight(),
  angry: weight(),
  sad: weight(),
  afraid: weight(),
  disgusted: weight(),
  melancholic: weight(),
  surprised: weight(),
  calm: weight(),
});

const within = (min: number, max: number) => number().pipe(z.number().min(min).max(max));

/** How a text is spoken. `genre` 0 as the voice speaks · 1 like the recording at emotionPath · 2 by the weights in `ext`. `genre` 1 and 2, `ext`, `emotionPath`, `pitch` and `volume` are for professionals. */
export const delivery = {
  speed: z.preprocess((value) => value ?? 1, within(speedMin, speedMax)),
  /** Semitones. */
  pitch: optional(within(-12, 12)),
  /** Decibels. */
  volume: optional(within(-12, 12)),
  genre: numberOr(0).pipe(z.union([z.literal(0), z.literal(1), z.literal(2)])),
  ext: optional(emotionWeights),
};
export const format = () => optional(z.enum(soundFormats));
export const content = () => z.string().min(1).max(contentMaxLength);

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
      format: format(),
    })
    .refine(({ roleId, voicePath }) => roleId || voicePath),
);

/** Ours: files with the audible mark; empty where there are none. */
export const downloads = () => rowsOf(z.object({ format: z.string(), url: z.string() })).catch([]);

/** What every finished piece of speech is answered with. */
export const spoken = {
  voiceUrl: text(),
  /** Ours: what sounds when, as JSON. */
  timelineUrl: text(),
  downloads: downloads(),
  /** Seconds. */
  duration: numberOr(0),
};

/** How it was spoken, as a list gives it back. */
export const spokenAs = {
  speed: numberOr(1),
  pitch: optional(numberOr(0)),
  volume: optional(numberOr(0)),
  genre: numberOr(0),
  ext: optional(z.record(z.string(), z.number())),
  emotionPath: text(),
};

/** Ours: why a task failed, as an ErrorCode, and at which segment or line, counted from 0. */
export const failure = { reason: optional(z.string()), failedAt: optional(numberOr(0)) };

const cloneIds = ["voiceId", "taskId", "id"];

export const clone = spokenRecord(
  [cloneIds, ["roleId", "audioId"], ["content", "text"]],
  z.object({
    voiceId: id(),
    taskId: id(),
    content: text(),
    /** "" where a recording was used instead, or the role is gone. */
    roleId: text(),
    audioId: text(),
    /** Ours: parameters of a drawn portrait. */
    portrait: orNull(z.record(z.string(), z.unknown())),
    name: text(),
    avatar: text(),
    /** Ours: the recording used instead of a role; "" otherwise. */
    voicePath: text(),
    style: text(),
    ...spokenAs,
    ...taskProgress,
    ...failure,
    ...spoken,
    costChar: numberOr(0),
    /** RFC 3339. */
    createdAt: text(),
  }),
);

export const cloneCreated = createdRecord(cloneIds, clone);

export const taskListQuery = z.object({
  ...pageQuery,
  /** Ours: one task alone. */
  taskId: optional(id()),
  status: optional(number().pipe(z.union([z.literal(1), z.literal(2), z.literal(3)]))),
  keyword: optional(z.string().max(100)),
});

export const cloneDeleteRequest = aliased(
  [["voiceId", "taskId"]],
  z.object({ voiceId: optional(id()), ids: optional(idList()) }).refine(({ voiceId, ids }) => voiceId || ids),
);
