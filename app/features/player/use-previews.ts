import { humanCardCopy } from "~/copy/site";
import { paths } from "~/paths";
import { usePlayer } from "./provider";
import type { Track } from "./state";
import { useViseme } from "./visemes";

/** Somebody with a preview to hear. */
interface Previewed {
  name: string;
  describe: string;
  voiceUrl: string;
  timelineUrl?: string;
}

/** A human's preview, for the player. */
export const previewOf = (human: Previewed): Track => ({
  url: paths.media(human.voiceUrl),
  title: humanCardCopy.trackTitle(human.name),
  subtitle: human.describe,
  ...(human.timelineUrl && { timelineUrl: paths.media(human.timelineUrl) }),
});

/** Cards that speak at one tap and pause at the next: how each one sounds now, and its mouth. */
export function usePreviews() {
  const player = usePlayer();
  const viseme = useViseme();
  const soundOf = (human: Previewed) => {
    if (player.track?.url !== paths.media(human.voiceUrl)) return "silent";
    if (player.isLoading) return "loading";
    return player.isPlaying ? "playing" : "silent";
  };
  return {
    listen: (human: Previewed) => (soundOf(human) === "playing" ? player.toggle() : player.play(previewOf(human))),
    /** Only the one who speaks gets a moving mouth, so that the others need no drawing anew. */
    stateOf(human: Previewed) {
      const sound = soundOf(human);
      return { sound, viseme: sound === "playing" ? viseme : undefined } as const;
    },
  };
}
