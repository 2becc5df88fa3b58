import { bffPaths } from "~/call";
import { formatClock, joinDetails, joinNames } from "~/copy/format";
import { nameFromText } from "~/copy/generation";
import { worksCopy as words } from "~/copy/works";
import { type Download, toDownloads } from "~/features/player/downloads";
import type { PlayerTrack } from "~/features/player/provider";
import { paths } from "~/paths";
import { plainText } from "~server/contract/marks";
import type { Work } from "./filter";

/** The title, or else the first sentence; for names. */
export const titleOf = ({ title, content, kind }: Work): string => title || nameFromText(content) || words.kinds[kind];

/** The title, or else the beginning of the text; the row cuts it. */
export const headingOf = (work: Work): string => work.title || plainText(work.content) || titleOf(work);

/** Kind, people, number of lines and length. */
export function summaryOf({ kind, people, lines, duration }: Work): string {
  const names = joinNames(people.map(({ name }) => name));
  return joinDetails(
    words.kinds[kind],
    names,
    kind === "dub" ? words.lines(lines) : "",
    duration > 0 ? formatClock(duration) : "",
  );
}

/** Where a work was made: its record alone, or its script as a project. */
export const addressOf = {
  clone: (taskId: string) => `${paths.clone}?record=${encodeURIComponent(taskId)}#records`,
  dub: (taskId: string) => `${paths.dubbing}?project=${encodeURIComponent(taskId)}`,
};

/** The files of a finished work; the one that most people want comes first. */
export function filesOf(work: Work): Download[] {
  const { voiceUrl, downloads, format } = work;
  const name = titleOf(work).replace(/[\\/:*?"<>|]/g, "");
  if (format) return [{ format, url: paths.media(voiceUrl, `${name}.${format}`) }];
  const files = toDownloads({ voiceUrl, downloads }, (ending) => `${name}.${ending}`);
  return [...files].sort((a, b) => Number(b.format === "mp3") - Number(a.format === "mp3"));
}

/** Files of a dub that are written when they are asked for. */
export const exportsOf = (work: Work) =>
  (["srt", "zip"] as const).map((format) => ({
    label: words.exports[format],
    href: bffPaths.dubExport(work.taskId, format, `${titleOf(work)}.${format}`),
  }));

export function toTrack(work: Work): PlayerTrack {
  const { voiceUrl, timelineUrl, content } = work;
  return {
    url: paths.media(voiceUrl),
    title: titleOf(work),
    subtitle: plainText(content),
    downloads: filesOf(work),
    ...(timelineUrl && { timelineUrl: paths.media(timelineUrl) }),
  };
}
