import { Link } from "@remix-run/react";
import { memo, type ReactNode, Suspense } from "react";
import { humanCardCopy } from "~/copy/site";
import { ListenButton, type SoundState } from "~/ui/button";
import { lazyPart } from "~/ui/lazy-part";
import { toPortraitCode } from "~server/portrait/parameters";
import type { Speech } from "~server/portrait/spoken-timeline";
import { type ColorMode, type Human, Still } from "./still";

interface HumanCardProps extends Pick<PictureProps, "human" | "colorMode" | "speech" | "ring"> {
  /** The player's state for this role's preview. */
  sound?: SoundState;
  onListen(human: Human): void;
  to?: string;
  corner?: ReactNode;
  /** Stands below the line: tags, a link. */
  children?: ReactNode;
}

/** A digital human: portrait, name, one line; a tap anywhere lets it speak. */
export const HumanCard = memo(function HumanCard(props: HumanCardProps) {
  const { human, colorMode, sound = "silent", speech, ring, onListen, to, corner, children } = props;
  const isPlaying = sound === "playing";
  return (
    <article className={isPlaying ? "human is-playing" : "human"}>
      <div className="human-picture">
        <Picture colorMode={colorMode} human={human} isSpeaking={isPlaying} ring={ring} speech={speech} />
      </div>
      <div className="human-words">
        <div>
          <h3 translate="no">{to ? <Link to={to}>{human.name}</Link> : human.name}</h3>
          <p>{human.describe}</p>
        </div>
        <Listen human={human} onListen={onListen} sound={sound} />
        {children && <div className="human-more">{children}</div>}
      </div>
      {corner}
    </article>
  );
});

interface ListenProps extends Pick<HumanCardProps, "human" | "onListen"> {
  sound: SoundState;
  className?: string;
}

/** Reaches over the whole card. */
export function Listen({ human, sound, onListen, className = "" }: ListenProps) {
  const words = { silent: humanCardCopy.listen, loading: humanCardCopy.loading, playing: humanCardCopy.pause };
  return (
    <ListenButton
      className={`covers ${className}`}
      disabled={!human.voiceUrl}
      label={human.voiceUrl ? words[sound](human.name) : humanCardCopy.noPreview}
      onClick={() => onListen(human)}
      sound={sound}
      title={undefined}
    />
  );
}

const LivePortrait = lazyPart(
  async () => ({ default: (await import("./live-portrait")).LivePortrait }),
  ({ human }) => <Still colorMode="system" human={human} />,
);

const LivePhoto = lazyPart(
  async () => ({ default: (await import("./live-portrait")).LivePhoto }),
  ({ human }) => <Still colorMode="system" human={human} />,
);

export interface PictureProps {
  human: Human;
  /** Selects one of the two drawings. */
  colorMode: ColorMode;
  isSpeaking?: boolean;
  speech?: Speech | undefined;
  /** Drawn live even while it is silent, so that it breathes and blinks. */
  isAlive?: boolean;
  /** In the first viewport: loads at once. */
  isFirst?: boolean;
  /** Lies over a photo without a confirmed mouth while its person speaks. */
  ring?: ReactNode;
}

/** A human's face: a still picture, drawn live only while it speaks, so that pages full of faces load no drawing code. */
export function Picture(props: PictureProps) {
  const { human, colorMode, isSpeaking = false, isAlive = false, isFirst = false, speech, ring } = props;
  const still = <Still colorMode={colorMode} human={human} isFirst={isFirst} />;
  const Live = isConfirmedPhoto(human) ? LivePhoto : !human.avatar && human.portrait ? LivePortrait : null;
  if (Live && (isSpeaking || isAlive))
    return (
      <Suspense fallback={still}>
        <Live colorMode={colorMode} human={human} isSpeaking={isSpeaking} speech={speech} />
      </Suspense>
    );
  return (
    <>
      {still}
      {isSpeaking && ring}
    </>
  );
}

/** True where the owner confirmed a mouth: the photo speaks. */
export const isConfirmedPhoto = ({ avatar, portrait }: Pick<Human, "avatar" | "portrait">): boolean =>
  Boolean(avatar) && typeof portrait === "object" && portrait !== null && "photo" in portrait;

/** A role of the square as its list shows it. */
export interface SquareHuman extends Human {
  tags: readonly string[];
  /** Number of uses; null if the upstream does not report it. */
  useNum: number | null;
}

/** The fields of a role that a card shows; the page carries them twice, as markup and as data. */
export function toShownHuman({ roleId, name, describe, avatar, portrait, voiceUrl, timelineUrl }: Human): Human {
  const code = avatar ? (isConfirmedPhoto({ avatar, portrait }) ? portrait : null) : toPortraitCode(portrait);
  return {
    roleId,
    name,
    describe,
    voiceUrl,
    ...(avatar && { avatar }),
    ...(code ? { portrait: code } : {}),
    ...(timelineUrl && { timelineUrl }),
  };
}

export const toSquareHuman = ({ tags, useNum, ...human }: SquareHuman): SquareHuman => ({
  ...toShownHuman(human),
  tags,
  useNum,
});
