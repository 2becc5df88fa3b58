import { useState } from "react";
import { usePreviews } from "~/features/player/use-previews";
import { VoicePicker, type VoicePickerProps } from "~/features/voice-picker/voice-picker";
import type { Voice } from "~/features/voice-picker/voices";
import { Face } from "./editor/face";

type SpeakerPickerProps = Omit<VoicePickerProps, "onPreview" | "picture" | "playingId">;

/** The voice picker, heard through the page's player. */
export function SpeakerPicker(props: SpeakerPickerProps) {
  const { listen, stateOf } = usePreviews();
  const [heard, setHeard] = useState<Voice | null>(null);
  const preview = (voice: Voice) => {
    setHeard(voice);
    listen(voice);
  };
  const sounding = heard && stateOf(heard).sound === "playing";
  return (
    <VoicePicker
      {...props}
      onPreview={preview}
      picture={(voice) => <Face speaker={voice} />}
      playingId={sounding ? heard.roleId : null}
    />
  );
}
