import { z } from "zod/v4";
import { videoFormats, videoMaxMinutes, videoPagesMax, videoSources, videoTitleMax } from "../limits";
import { failure, reuse, taskListQuery } from "./tasks";
import {
  aliased,
  createdRecord,
  flag,
  id,
  idList,
  numberOr,
  optional,
  rowsOf,
  shownName,
  taskProgress,
  text,
} from "./tolerant";

export const videoSizes = ["9:16", "1:1", "16:9"] as const;
export const videoHeights = [720, 1080] as const;
export const videoCaptions = ["burnt", "file", "none"] as const;
/** `auto`: photos fill the frame, drawn people stand on paper; the others put photos into a circle. */
export const videoBackgrounds = ["auto", "paper", "moon", "ink"] as const;

/**
 * `face`: the speaker alone, with listeners · `corner`: an own picture or loop with the face in a corner · `slides`: pages
 * with the face in a corner · `wave`: the waveform with the words · `words`: the words alone.
 */
export const videoLayouts = ["face", "corner", "slides", "wave", "words"] as const;
/** The label stands in the fourth. */
export const videoCorners = ["bottom-right", "bottom-left", "top-left"] as const;
export const subtitlePlaces = ["bottom", "middle", "top"] as const;
export const subtitleSizes = ["small", "medium", "large"] as const;
export const subtitleColors = ["white", "yellow", "green", "ink"] as const;
export const subtitleEdges = ["thin", "thick", "plate", "none"] as const;

const subtitleStyle = z.object({
  /** In `wave` and `words` the words stand in the middle, whatever this says. */
  place: z.enum(subtitlePlaces).default("bottom"),
  size: z.enum(subtitleSizes).default("medium"),
  color: z.enum(subtitleColors).default("white"),
  edge: z.enum(subtitleEdges).default("thin"),
  /** What was said already is drawn in another colour. */
  karaoke: flag().default(false),
});

const picturePath = () => z.string().max(200);

/** What a film looks like, beside its size and background. Paths are addresses of files of POST /file/upload. */
export const videoStyle = z.object({
  layout: z.enum(videoLayouts).default("face"),
  /** Behind everything, instead of `background`: a file of type `picture` or `loop`; "" for none. */
  picturePath: picturePath().default(""),
  /** A file of type `picture`; "" for none. */
  logoPath: picturePath().default(""),
  logoAt: z.enum(videoCorners).default("top-left"),
  /** In `corner` and `slides`. */
  faceAt: z.enum([...videoCorners, "none"]).default("bottom-right"),
  /** Over the picture throughout. */
  title: shownName({ max: videoTitleMax }).default(""),
  subtitles: subtitleStyle.prefault({}),
  /** Whether the film begins with the title in large letters, which platforms show as its cover. */
  cover: flag().default(false),
});
export type VideoStyle = z.infer<typeof videoStyle>;

/** A page is shown from `start` until the next one starts, the first from the beginning; each is a chapter of an MP4. */
const videoPage = z.object({
  /** A file of type `picture`. */
  picturePath: id(),
  /** Seconds of the sound. */
  start: z
    .number()
    .min(0)
    .max(videoMaxMinutes * 60),
  /** The chapter's name; "" for the page's number. */
  title: shownName({ max: videoTitleMax }).default(""),
});

const isAscending = (pages: ReadonlyArray<{ start: number }>) =>
  pages.every(({ start }, i) => i === 0 || start > (pages[i - 1]?.start ?? 0));
export const pageList = z.array(videoPage).max(videoPagesMax).refine(isAscending, "starts must ascend");

const videoIds = ["videoId", "taskId", "id"];

/** Ours: a film of a finished sound. The shorter side has `height` pixels. */
export const videoCreateRequest = z
  .object({
    source: z.object({ kind: z.enum(videoSources), id: id() }),
    size: z.enum(videoSizes).default("9:16"),
    height: z.preprocess((value) => Number(value ?? 720), z.literal(videoHeights)),
    format: z.enum(videoFormats).default("mp4"),
    captions: z.enum(videoCaptions).default("burnt"),
    background: z.enum(videoBackgrounds).default("auto"),
    style: videoStyle.prefault({}),
    /** For `slides`, and empty for every other layout. */
    pages: pageList.default([]),
    reuse: reuse(),
  })
  .refine(({ style, pages }) => (style.layout === "slides") === pages.length > 0, "slides need pages, and only they");

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
    style: videoStyle.prefault({}),
    /** Number of pages of `slides`. */
    pages: numberOr(0),
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

/** Choices that an account saved under a name. */
const videoTemplate = z.object({
  name: shownName({ min: 1, max: 20 }),
  size: z.enum(videoSizes).default("9:16"),
  captions: z.enum(videoCaptions).default("burnt"),
  background: z.enum(videoBackgrounds).default("auto"),
  style: videoStyle.prefault({}),
});
export type VideoTemplate = z.infer<typeof videoTemplate>;
/** Replaces the one of the same name. */
export const videoTemplatePutRequest = videoTemplate;
export const videoTemplateDeleteRequest = z.object({ name: shownName({ min: 1, max: 20 }) });
/** At most `videoTemplatesMax`. */
export const videoTemplateList = z.object({ list: rowsOf(videoTemplate) });
