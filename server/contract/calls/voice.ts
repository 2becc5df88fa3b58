import { z } from "zod";
import { contentMaxLength, speedMax, speedMin } from "../limits";
import { aliased, id, idList, number, numberOr, optional, pageQuery, taskProgress, text } from "./tolerant";

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

/** How a text is spoken. `genre` 1 and 2, `ext`, `emotionPath`, `pitch` and `volume` are for professionals. */
export const delivery = {
  speed: z.preprocess((value) => value ?? 1, within(speedMin, speedMax)),
  /** Semitones. */
  pitch: optional(within(-12, 12)),
  /** Decibels. */
  volume: optional(within(-12, 12)),
  genre: numberOr(0).pipe(z.union([z.literal(0), z.literal(1), z.literal(2)])),
  ext: optional(emotionWeights),
};
export const format = () => optional(z.enum(["mp3", "wav"]));
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
      format: format(),
    })
    .refine(({ roleId, voicePath }) => roleId || voicePath),
);

export const clone = aliased(
  [
    ["voiceId", "taskId", "id"],
    ["roleId", "audioId"],
    ["content", "text"],
  ],
  z.object({
    voiceId: id(),
    taskId: id(),
    content: text(),
    /** "" where a recording was used instead. */
    roleId: text(),
    audioId: text(),
    name: text(),
    avatar: text(),
    style: text(),
    speed: numberOr(1),
    genre: numberOr(0),
    ...taskProgress,
    voiceUrl: text(),
    /** Seconds. */
    duration: numberOr(0),
    costChar: numberOr(0),
    /** RFC 3339. */
    createdAt: text(),
  }),
);

export const taskListQuery = z.object({
  ...pageQuery,
  status: optional(number().pipe(z.union([z.literal(1), z.literal(2), z.literal(3)]))),
  keyword: optional(z.string().max(100)),
});

export const cloneDeleteRequest = aliased(
  [["voiceId", "taskId"]],
  z.object({ voiceId: optional(id()), ids: optional(idList()) }).refine(({ voiceId, ids }) => voiceId || ids),
);
