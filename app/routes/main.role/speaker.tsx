import { roleDetailCopy } from "~/copy/roles";
import { LevelRing } from "~/features/player/level-ring";
import { usePreviews } from "~/features/player/use-previews";
import type { Human } from "~/features/portrait/human";
import { Picture } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";

/** The talking digital human: large, alive, and one button that lets it speak its preview. */
export function Speaker({ human }: { human: Human }) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  const { sound, viseme } = stateOf(human);
  const words = { silent: roleDetailCopy.listen, loading: roleDetailCopy.loading, playing: roleDetailCopy.pause };
  const isPlaying = sound === "playing";
  return (
    <div
      className={`relative overflow-hidden rounded-card border bg-wash transition-colors ${isPlaying ? "border-celadon" : "border-line"}`}
    >
      <div className="relative aspect-[5/4]">
        <Picture
          colorMode={colorMode}
          human={human}
          isAlive
          isSpeaking={isPlaying}
          ring={<LevelRing />}
          viseme={viseme}
        />
      </div>
      <div className="flex justify-center border-t border-line bg-surface p-3">
        <Button
          aria-disabled={!human.voiceUrl || undefined}
          kind={human.voiceUrl && !isPlaying ? "primary" : "outline"}
          onClick={() => human.voiceUrl && listen(human)}
          pending={sound === "loading"}
        >
          {human.voiceUrl && sound !== "loading" && <Icon name={isPlaying ? "pause" : "play"} size={18} />}
          {human.voiceUrl ? words[sound] : roleDetailCopy.noPreview}
        </Button>
      </div>
    </div>
  );
}
