import { useState } from "react";
import { usePlayer } from "~/features/player/provider";
import { previewOf } from "~/features/player/use-previews";
import type { Voice } from "~/features/voice-picker/voice";
import { paths } from "~/paths";

/** Voices heard in the player: one tap plays, the next pauses. */
export function usePreview() {
  const player = usePlayer();
  const [heard, setHeard] = useState<Pick<Voice, "roleId" | "voiceUrl"> | null>(null);
  const isHeard = player.isPlaying && heard && player.track?.url === paths.media(heard.voiceUrl);
  const sounding = isHeard ? heard.roleId : null;
  return {
    sounding,
    preview(voice: Voice) {
      if (sounding === voice.roleId) return player.toggle();
      setHeard(voice);
      player.play(previewOf(voice));
    },
    /** Something of the page's own is about to sound. */
    hush: () => player.isPlaying && player.toggle(),
  };
}
