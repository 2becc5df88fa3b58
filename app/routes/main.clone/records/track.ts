import { toDownloads } from "~/features/player/downloads";
import type { Track } from "~/features/player/state";
import { paths } from "~/paths";
import type { CloneRecord } from "~server/bff/generations.server";
import { fileName, plainText } from "./file-name";

/** A record for the player: addresses the browser may ask for, and names to save under. */
export function toTrack(record: CloneRecord) {
  const { voiceUrl, timelineUrl, name, content } = record;
  return {
    url: paths.media(voiceUrl),
    title: name,
    subtitle: plainText(content),
    ...(timelineUrl && { timelineUrl: paths.media(timelineUrl) }),
    downloads: toDownloads(record, (format) => fileName(record, format)),
  } satisfies Track;
}
