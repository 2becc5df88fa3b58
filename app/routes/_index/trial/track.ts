import { toDownloads } from "~/features/player/downloads";
import type { Track } from "~/features/player/state";
import { paths } from "~/paths";
import type { Done } from "./use-work";

/** The result for the player: addresses the browser may ask for, and names to save under. */
export function toTrack({ wanted, result }: Done) {
  const name = `${wanted.voiceName}-${[...wanted.content.replace(/\s/g, "")].slice(0, 10).join("")}`;
  return {
    url: paths.media(result.voiceUrl),
    title: wanted.voiceName,
    subtitle: wanted.content,
    ...(result.timelineUrl && { timelineUrl: paths.media(result.timelineUrl) }),
    downloads: toDownloads(result, (format) => `${name}.${format}`),
  } satisfies Track;
}
