import { memo, type ReactNode } from "react";
import { humanCardCopy } from "~/copy/site";
import { ListenButton, type Sound } from "~/ui/button";
import { type Human, Picture, type PictureProps } from "./picture";

interface HumanCardProps extends Pick<PictureProps, "human" | "colorMode" | "viseme" | "ring"> {
  /** What the player does with this one's preview. */
  sound?: Sound;
  onListen(human: Human): void;
  /** Stands on the picture's upper right corner. */
  corner?: ReactNode;
  /** Stands below the line: tags, a link. */
  children?: ReactNode;
}

/** A digital human: portrait, name, one line; a tap anywhere lets it speak. */
export const HumanCard = memo(function HumanCard(props: HumanCardProps) {
  const { human, colorMode, sound = "silent", viseme, ring, onListen, corner, children } = props;
  const isPlaying = sound === "playing";
  return (
    <article
      className={`relative h-full overflow-hidden rounded-card border bg-surface transition-colors ${isPlaying ? "border-celadon" : "border-line hover:border-edge"}`}
    >
      <div className="relative aspect-[5/4] bg-wash">
        <Picture colorMode={colorMode} human={human} isSpeaking={isPlaying} ring={ring} viseme={viseme} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_44px] items-center gap-2 px-3 py-3 md:px-4">
        <div className="contents md:block">
          <h3 className="truncate font-song text-lg font-semibold">{human.name}</h3>
          <p className="col-span-2 row-start-2 text-xs text-muted">{human.describe}</p>
        </div>
        <Listen human={human} onListen={onListen} sound={sound} />
        {children && <div className="col-span-2 mt-1">{children}</div>}
      </div>
      {corner && <div className="absolute right-1 top-1 z-[1]">{corner}</div>}
    </article>
  );
});

/** Reaches over the whole card. */
function Listen({ human, sound, onListen }: Pick<HumanCardProps, "human" | "onListen"> & { sound: Sound }) {
  const words = { silent: humanCardCopy.listen, loading: humanCardCopy.loading, playing: humanCardCopy.pause };
  return (
    <ListenButton
      className="after:absolute after:inset-0"
      disabled={!human.voiceUrl}
      label={human.voiceUrl ? words[sound](human.name) : humanCardCopy.noPreview}
      onClick={() => onListen(human)}
      sound={sound}
    />
  );
}
