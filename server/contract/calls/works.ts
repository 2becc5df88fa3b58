import { z } from "zod/v4";
import { videoFormats, videoSources } from "../limits";
import { failure, spoken } from "./tasks";
import { address, flag, id, numberOr, optional, orNull, pageQuery, rowsOf, taskProgress, text } from "./tolerant";

export const workKinds = ["clone", "dub", "video"] as const;
const kind = () => z.enum(workKinds);

/** Newest first. `roleId` is heard in it; every word of `keyword` is in its title, its text or its voice's name. */
export const workListQuery = z.object({
  kind: optional(kind()),
  roleId: optional(id()),
  keyword: optional(z.string().trim().max(100)),
  /** The `next` of the page before. */
  cursor: optional(z.string().max(80)),
  pageSize: pageQuery.pageSize,
});

/** Ours: a result of the account, whatever its kind; without the text and the settings that its own list has. */
const work = z.object({
  kind: kind(),
  taskId: id(),
  /** Of a dub or a film; "" for other results. */
  title: text(),
  /** The beginning of its text; "" for a film. */
  content: text(),
  /** Lines of a dub; 1 for other results. */
  lines: numberOr(1),
  /** The voices, in the order of their first lines, at most three; `roleId` is "" for a recording. */
  people: rowsOf(
    z.object({
      roleId: text(),
      name: text(),
      avatar: address(),
      portrait: orNull(z.record(z.string(), z.unknown())),
    }),
  ),
  /** Of a film: the sound that it shows, and its container. */
  source: orNull(z.object({ kind: z.enum(videoSources), id: text() })),
  format: orNull(z.enum(videoFormats)),
  ...taskProgress,
  ...failure,
  /** `voiceUrl` is the file to play, for a film the film. */
  ...spoken,
  /** RFC 3339. */
  createdAt: text(),
});
/** `next`: "" on the last page. */
export const workList = z.object({ list: rowsOf(work), next: text() });

export const storedKinds = ["speech", "video", "recording", "picture", "music", "project"] as const;

/** Ours: what the account's results and uploads take, and how long it is kept. */
export const storage = z.object({
  works: z.object({ clone: numberOr(0), dub: numberOr(0), video: numberOr(0) }),
  /** There are more files than are counted: it takes at least this much. */
  isMore: flag(),
  /** Kinds without a file are left out. */
  files: rowsOf(z.object({ kind: z.enum(storedKinds), count: numberOr(0), bytes: numberOr(0) })),
  /** Days until a deleted project, a preview of lines, and a picture or music that nothing uses is removed. */
  projectDays: numberOr(0),
  takeDays: numberOr(0),
  unusedDays: numberOr(0),
});
