import { z } from "zod/v4";
import { contentMaxLength, speedMax, speedMin } from "../limits";
import {
  address,
  aliased,
  extra,
  flag,
  id,
  lengthSeconds,
  number,
  numberOr,
  optional,
  orNull,
  pageQuery,
  rowsOf,
  taskProgress,
  text,
} from "./tolerant";

/** Sound files that people can download. Each has an encoder (speech/encoding) and a label writer (media/label). */
export const soundFormats = ["mp3", "wav"] as const;
export type SoundFormat = (typeof soundFormats)[number];

/** Further downloads, encoded from the WAV file when they are first asked for. */
export const convertedFormats = ["m4a", "flac"] as const;
export type ConvertedFormat = (typeof convertedFormats)[number];

export const taskKinds = ["clone", "dub", "trial", "role", "video"] as const;

/** GET /tasks/events, server-sent: events of the caller's own tasks after number N. */
export const taskEventsQuery = z.object({ since: numberOr(0).pipe(z.number().int().min(0)) });

/** `data` of one event; its number is the event's id. */
export const taskEvent = z.object({
  taskId: id(),
  /** Ours. */
  kind: z.enum(taskKinds).catch("clone"),
  ...taskProgress,
});

/** Ours: what the caller may generate now, shown before the click. */
export const allowance = z.object({
  tier: orNull(z.enum(["vip", "svip"])),
  /** Characters per generation. */
  limit: numberOr(0),
  /** Characters left this month; for accounts without a tier, trials left. */
  left: numberOr(0),
});

export const taskRequest = aliased([["taskId", "voiceId", "dubbId"]], z.object({ taskId: id() }));

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

/**
 * Tone of a text. `genre` 0 as the voice speaks · 1 like the recording at emotionPath · 2 by the weights in `ext`.
 * `genre` 1 and 2, `ext`, `emotionPath`, `pitch` and `volume` are for professionals.
 */
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
/**
 * Ours: an equal task of the caller that waits or runs is the answer, and nothing is charged; for all kinds but dubs, whose
 * unchanged lines are free, also one that is done.
 */
export const reuse = () => optional(flag());
export const content = () => z.string().min(1).max(contentMaxLength);

/**
 * Ours: files to keep; empty if there are none. `bytes` is absent for one that is not encoded yet. `hasMark`: it ends
 * with the audible mark, which is not heard on the site.
 */
export const downloads = () =>
  rowsOf(z.object({ format: z.string(), url: z.string(), bytes: extra(number()), hasMark: extra(flag()) })).catch([]);

/**
 * Ours: words of the text that the recogniser heard wrong, and their UTF-16 place. Missing and wrong words are given
 * themselves; `added` gives the word that follows the addition.
 */
export const doubts = () =>
  extra(rowsOf(z.object({ kind: z.enum(["missing", "wrong", "added"]), text: text(), offset: numberOr(0) })));
export type Doubt = NonNullable<z.output<ReturnType<typeof doubts>>>[number];

/** Fields of every finished piece of speech. */
export const spoken = {
  voiceUrl: address(),
  /** Ours: what sounds when, as JSON. */
  timelineUrl: text(),
  downloads: downloads(),
  doubts: doubts(),
  /** Seconds. */
  duration: lengthSeconds(),
};

/** Tone of a finished piece, as lists return it. */
export const spokenAs = {
  speed: numberOr(1),
  pitch: extra(numberOr(0)),
  volume: extra(numberOr(0)),
  genre: numberOr(0),
  ext: extra(z.record(z.string(), z.number())),
  emotionPath: text(),
};

/** Ours: why a task failed, as an ErrorCode, and at which segment or line, counted from 0. */
export const failure = { reason: extra(z.string()), failedAt: extra(numberOr(0)) };

export const taskListQuery = z.object({
  ...pageQuery,
  /** Ours: one task alone. */
  taskId: optional(id()),
  status: optional(number().pipe(z.union([z.literal(1), z.literal(2), z.literal(3)]))),
  keyword: optional(z.string().max(100)),
});
