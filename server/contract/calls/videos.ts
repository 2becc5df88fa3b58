import { z } from "zod/v4";
import { videoFormats } from "../limits";
import { failure, reuse, taskListQuery } from "./tasks";
import { aliased, createdRecord, id, idList, numberOr, optional, rowsOf, taskProgress, text } from "./tolerant";

export const videoSources = ["clone", "dub", "preview"] as const;
export const videoSizes = ["9:16", "1:1", "16:9"] as const;
export const videoHeights = [720, 1080] as const;
export const videoCaptions = ["burnt", "file", "none"] as const;
/** `auto`: photos fill the frame, drawn people stand on paper; the others put photos into a circle. */
export const videoBackgrounds = ["auto", "paper", "moon", "ink"] as const;

const videoIds = ["videoId", "taskId", "id"];

/** Ours: a film of a finished sound. The shorter side has `height` pixels. */
export const videoCreateRequest = z.object({
  source: z.object({ kind: z.enum(videoSources), id: id() }),
  size: z.enum(videoSizes).default("9:16"),
  height: z.preprocess((value) => Number(value ?? 720), z.literal(videoHeights)),
  format: z.enum(videoFormats).default("mp4"),
  captions: z.enum(videoCaptions).default("burnt"),
  background: z.enum(videoBackgrounds).default("auto"),
  reuse: reuse(),
});

const video = aliased(
  [videoIds],
  z.object({
    videoId: id(),
    taskId: id(),
    source: z.object({ kind: z.enum(videoSources), id: text() }),
    title: text(),
    size: z.enum(videoSizes),
    height: numberOr(720),
    format: z.enum(videoFormats),
    captions: z.enum(videoCaptions),
    background: z.enum(videoBackgrounds),
    ...taskProgress,
    ...failure,
    /** "" until it is done; carries the AI-content label in picture, sound and metadata. */
    videoUrl: text(),
    /** Subtitles as SRT text; "" unless `captions` is `file` and it is done. */
    srt: text(),
    /** Characters of the captions that could not be drawn and were left out. */
    missing: text(),
    /** Seconds. */
    duration: numberOr(0),
    /** RFC 3339. */
    createdAt: text(),
  }),
);

export const videoCreated = createdRecord(videoIds, video);

/** Films of one source, or all; newest first. */
export const videoListQuery = taskListQuery.extend({ sourceId: optional(id()) });
/** With the films of this month and how many the tier may make. */
export const videoList = z.object({
  list: rowsOf(video),
  total: numberOr(0),
  page: numberOr(1),
  pageSize: numberOr(10),
  used: numberOr(0),
  limit: numberOr(0),
  /** Formats that this server can make. */
  formats: z.array(z.string()).catch([]),
});

export const videoDeleteRequest = aliased(
  [["videoId", "taskId"]],
  z.object({ videoId: optional(id()), ids: optional(idList()) }).refine(({ videoId, ids }) => videoId || ids),
);
