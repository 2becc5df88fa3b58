import type { Track } from "~/features/player/state";
import { paths } from "~/paths";
import type { Done } from "./use-work";

/** The result for the player: addresses the browser may ask for, and names to save under. */
export function toTrack({ wanted, result }: Done): Track {
  const name = `${wanted.voiceName}-${[...wanted.content.replace(/\s/g, "")].slice(0, 10).join("")}`;
  const { downloads } = result;
  return {
    url: paths.media(result.voiceUrl),
    title: wanted.voiceName,
    subtitle: wanted.content,
    ...(result.timelineUrl && { timelineUrl: paths.media(result.timelineUrl) }),
    ...(downloads && {
      downloads: {
        mp3: paths.media(downloads.mp3, `${name}.mp3`),
        wav: paths.media(downloads.wav, `${name}.wav`),
      },
    }),
  };
}
