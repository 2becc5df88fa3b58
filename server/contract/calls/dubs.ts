import { z } from "zod/v4";
import { type DubFormat, dubExports, scriptLinesMax, speedUp } from "../limits";
import { musicRanges, musicTracks } from "../music";
import { allowance, content, delivery, doubts, failure, format, reuse, spoken, spokenAs, taskListQuery } from "./tasks";
import {
  address,
  aliased,
  avatarNames,
  createdNames,
  createdRecord,
  extra,
  flag,
  id,
  idList,
  lengthSeconds,
  moment,
  number,
  numberOr,
  optional,
  orNull,
  rowsOf,
  shownName,
  spokenRecord,
  taskProgress,
  taskStatus,
  text,
} from "./tolerant";

const names = [
  ["content", "text"],
  ["roleId", "audioId"],
];

const inRange = ({ min, max, preset }: { min: number; max: number; preset: number }) =>
  numberOr(preset).pipe(z.number().min(min).max(max));

const lineCreate = aliased(
  names,
  z.object({
    roleId: id(),
    content: content(),
    ...delivery,
    emotionPath: optional(z.string().max(2000)),
    /** Seconds of silence after the line. */
    pauseAfter: optional(numberOr(0).pipe(z.number().min(0).max(10))),
    /**
     * Ours: the subtitle's place in milliseconds. The line starts there; to end in time its pauses shrink, then it is
     * spoken faster, up to `speedUpMax` times.
     */
    startMs: optional(numberOr(0).pipe(z.number().int().min(0).max(86_400_000))),
    endMs: optional(numberOr(0).pipe(z.number().int().min(0).max(86_400_000))),
    speedUpMax: optional(inRange(speedUp)),
  }),
);

/** Ours: music under the speech; decibels and seconds. */
const music = z.object({
  track: z.enum(musicTracks),
  /** From POST /file/uploadMusic; for `own`. */
  musicPath: optional(z.string().max(2000)),
  level: inRange(musicRanges.level),
  duck: inRange(musicRanges.duck),
  fadeIn: inRange(musicRanges.fadeIn),
  fadeOut: inRange(musicRanges.fadeOut),
});
export type Music = z.output<typeof music>;

/** Ours: the chapter of a book that a dub speaks. The book's M4B has the newest finished dub of each number. */
const chapter = z.object({
  bookId: z.string().regex(/^[\w-]{1,40}$/),
  book: shownName({ max: 100 }),
  author: optional(shownName({ max: 100 })),
  number: z.number().int().min(0).max(9999),
  /** From POST /file/upload with the type `picture`; one that is gone is left out. */
  coverPath: optional(z.string().max(2000)),
});
export type DubChapter = z.output<typeof chapter>;

const isOneLine = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !("lines" in value) && ("content" in value || "text" in value);

/** The one-line form `{content, roleId, …}` reads as a dub of one line. */
export const dubCreateRequest = z.preprocess(
  (value) =>
    isOneLine(value) ? { title: value.title, format: value.format, music: value.music, lines: [value] } : value,
  z.object({
    title: optional(shownName({ max: 100 })),
    lines: z.array(lineCreate).min(1).max(scriptLinesMax),
    format: format(),
    music: optional(music),
    chapter: optional(chapter),
    /** Ours: made to be listened to while writing; charged like any other, and not among the records. */
    isTake: optional(flag()),
    /** Ours: the dub that this one corrects: both are versions of one record. */
    revises: optional(id()),
    reuse: reuse(),
  }),
);

/** Ours: what a dub of these lines would take; free, and nothing is made. */
export const dubQuoteRequest = z.object({ lines: z.array(lineCreate).min(1).max(scriptLinesMax) });
export const dubQuote = z.object({
  /** Characters of the lines that are to be paid; the others were paid with dubs that the account still has. */
  costChar: number(),
  /** Indices of the changed lines, from 0. */
  changed: z.array(z.number().int()),
  ...allowance.shape,
});

const line = spokenRecord(
  names,
  z.object({
    roleId: text(),
    content: text(),
    ...spokenAs,
    pauseAfter: numberOr(0),
    startMs: extra(numberOr(0)),
    endMs: extra(numberOr(0)),
    speedUpMax: extra(numberOr(0)),
    /** Ours: the role's, as it is now; "" if it is gone. */
    name: text(),
    avatar: address(),
    portrait: orNull(z.record(z.string(), z.unknown())),
    doubts: doubts(),
    /** Ours: 1 waiting or being made, 2 done, 3 failed. */
    status: taskStatus(),
    /** Ours: of the line; both 0 unless its dub is being made. */
    segDone: numberOr(0),
    segTotal: numberOr(0),
    /** Ours: the line alone; "" until it is done. */
    voiceUrl: text(),
    timelineUrl: text(),
    /** Ours: seconds; where it starts in the whole dub, -1 until that is known. */
    duration: lengthSeconds(),
    start: numberOr(-1),
    /** Ours: milliseconds it lasts beyond its subtitle's place though spoken faster; 0 if it fits. */
    overrunMs: numberOr(0),
  }),
  [["name", "roleName"], avatarNames],
);

const dubIds = ["dubbId", "taskId", "id", "dubbingId", "dubId", "recordId", "uuid"];

/** A record in the one-line form reads as a dub of one line. */
const withLines = (value: unknown) => (isOneLine(value) ? { ...value, lines: [value] } : value);

const dubRecord = spokenRecord(
  [dubIds],
  z
    .object({
      dubbId: id(),
      taskId: id(),
      title: text(),
      /** Ours: made to be listened to while writing, and not among the records. */
      isTake: flag(),
      /** Ours: the first of the versions that it is one of; its own id without earlier ones. */
      versionOf: text(),
      lines: rowsOf(line),
      /** Ours: null without music. */
      music: orNull(music),
      /** Ours: null for one that is no book's. */
      chapter: orNull(chapter),
      ...taskProgress,
      ...failure,
      ...spoken,
      srtUrl: text(),
      costChar: numberOr(0),
      createdAt: moment(),
    })
    .overwrite((dub) => ({ ...dub, lines: withOwnFile(dub.lines, dub.voiceUrl) })),
  [["title", "name"], createdNames],
);
export const dub = z.preprocess(withLines, dubRecord);

/** A dub of one line is that line's file too. */
function withOwnFile(lines: Array<z.output<typeof line>>, voiceUrl: string) {
  const [only] = lines;
  return lines.length === 1 && only && voiceUrl && !only.voiceUrl ? [{ ...only, voiceUrl, status: 2 as const }] : lines;
}

export const dubCreated = createdRecord(dubIds, dub);

/** Sent both as query and as a JSON body on GET; where they differ the body wins. */
export const dubListQuery = taskListQuery;

export const dubDeleteRequest = aliased(
  [["dubbId", "taskId"]],
  z.object({ dubbId: optional(id()), ids: optional(idList()) }).refine(({ dubbId, ids }) => dubbId || ids),
);

/** Ours: a finished dub for keeping; audio with the audible mark, `zip` holds one marked file per line. */
export const dubExportQuery = aliased(
  [["dubbId", "taskId"]],
  z.object({ dubbId: id(), format: z.enum(Object.keys(dubExports) as [DubFormat, ...DubFormat[]]) }),
);
