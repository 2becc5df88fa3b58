import { humanCopy } from "~/copy/square";
import type { Human } from "~/features/portrait/human-card";
import { Icon } from "~/ui/icons/icon";
import { Picture } from "./picture";

interface PersonCardProps {
  human: Human;
  sound: "silent" | "loading" | "playing";
  onListen(): void;
}

const icons = { silent: "play", loading: "spinner", playing: "pause" } as const;

/** One of the home page's humans: the whole card asks to be heard. */
export function PersonCard({ human, sound, onListen }: PersonCardProps) {
  const words = { silent: humanCopy.listen, loading: humanCopy.loading, playing: humanCopy.pause };
  const label = human.voiceUrl ? words[sound](human.name) : humanCopy.noPreview;
  const isPlaying = sound === "playing";
  const look = isPlaying ? "border-transparent bg-celadon text-on-celadon" : "border-line text-seal";
  return (
    <article
      className={`relative h-full overflow-hidden rounded-card border bg-surface transition-colors ${isPlaying ? "border-celadon" : "border-line hover:border-edge"}`}
    >
      <div className="aspect-[5/4] bg-wash">
        <Picture human={human} isSpeaking={isPlaying} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_44px] items-center gap-2 px-3 py-3 md:px-4">
        <div className="min-w-0">
          <h3 className="truncate font-song text-lg font-semibold">{human.name}</h3>
          <p className="text-xs text-muted">{human.describe}</p>
        </div>
        <button
          aria-label={label}
          className={`grid h-11 w-11 place-items-center rounded-full border transition-colors after:absolute after:inset-0 disabled:text-muted disabled:opacity-60 ${look}`}
          disabled={!human.voiceUrl}
          onClick={onListen}
          title={label}
          type="button"
        >
          <Icon className={sound === "loading" ? "animate-spin" : undefined} name={icons[sound]} size={18} />
        </button>
      </div>
    </article>
  );
}
