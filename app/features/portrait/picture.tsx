import { memo, type ReactNode, Suspense, useState } from "react";
import { humanCardCopy } from "~/copy/site";
import { paths } from "~/paths";
import { ListenButton, type Sound } from "~/ui/button";
import { lazyPart } from "~/ui/lazy-part";
import type { Viseme } from "./mouth";

interface HumanCardProps extends Pick<PictureProps, "human" | "colorMode" | "viseme" | "ring"> {
  /** What the player does with this one's preview. */
  sound?: Sound;
  onListen(human: Human): void;
  /** A button; stands on the picture's upper right corner. */
  corner?: ReactNode;
  /** Stands below the line: tags, a link. */
  children?: ReactNode;
}

/** A digital human: portrait, name, one line; a tap anywhere lets it speak. */
export const HumanCard = memo(function HumanCard(props: HumanCardProps) {
  const { human, colorMode, sound = "silent", viseme, ring, onListen, corner, children } = props;
  const isPlaying = sound === "playing";
  return (
    <article className={isPlaying ? "human is-playing" : "human"}>
      <div className="human-picture">
        <Picture colorMode={colorMode} human={human} isSpeaking={isPlaying} ring={ring} viseme={viseme} />
      </div>
      <div className="human-words">
        <div>
          <h3>{human.name}</h3>
          <p>{human.describe}</p>
        </div>
        <Listen human={human} onListen={onListen} sound={sound} />
        {children && <div className="human-more">{children}</div>}
      </div>
      {corner}
    </article>
  );
});

/** Reaches over the whole card. */
function Listen({ human, sound, onListen }: Pick<HumanCardProps, "human" | "onListen"> & { sound: Sound }) {
  const words = { silent: humanCardCopy.listen, loading: humanCardCopy.loading, playing: humanCardCopy.pause };
  return (
    <ListenButton
      className="covers"
      disabled={!human.voiceUrl}
      label={human.voiceUrl ? words[sound](human.name) : humanCardCopy.noPreview}
      onClick={() => onListen(human)}
      sound={sound}
    />
  );
}

const Face = lazyPart(
  async () => ({ default: (await import("./portrait")).Face }),
  ({ human }) => (human.portrait ? <Still colorMode="system" human={human} /> : null),
);

const StandIn = lazyPart(
  async () => ({ default: (await import("./portrait")).StandIn }),
  () => null,
);

export interface PictureProps {
  human: Human;
  /** Which of its two drawings the page's ground asks for. */
  colorMode: "system" | "light" | "dark";
  isSpeaking?: boolean;
  viseme?: Viseme | undefined;
  /** Drawn live even while it is silent, so that it blinks. */
  isAlive?: boolean;
  /** Lies over a photo while its person speaks: photos have no lips to move. */
  ring?: ReactNode;
}

/**
 * A human's face: a still picture, drawn live only while it speaks, so that pages full of faces load no drawing code.
 * A photo that does not load is reported, and a drawn portrait takes its place.
 */
export function Picture(props: PictureProps) {
  const { human, colorMode, isSpeaking = false, isAlive = false, viseme, ring } = props;
  const [failed, setFailed] = useState<string | null>(null);
  if (human.avatar && failed === human.avatar)
    return (
      <Suspense>
        <StandIn human={human} isSpeaking={isSpeaking} viseme={viseme} />
      </Suspense>
    );
  const onFailure = () => {
    if (!human.avatar) return;
    setFailed(human.avatar);
    reportPictureFailure(paths.media(human.avatar));
  };
  const still = <Still colorMode={colorMode} human={human} onFailure={onFailure} />;
  if (!human.avatar && !human.portrait)
    return <DrawnFromScratch human={human} isSpeaking={isSpeaking} viseme={viseme} />;
  if (!human.avatar && (isSpeaking || isAlive))
    return (
      <Suspense fallback={still}>
        <Face human={human} isSpeaking={isSpeaking} viseme={viseme} />
      </Suspense>
    );
  return (
    <>
      {still}
      {isSpeaking && ring}
    </>
  );
}

/**
 * The face of someone whose upstream tells neither picture nor parameters. Drawn on the server too, so it is updated only
 * when its own properties change: React gives up on a boundary that gets an update while it hydrates.
 */
const DrawnFromScratch = memo((props: Pick<PictureProps, "human" | "viseme"> & { isSpeaking: boolean }) => (
  <Suspense fallback={null}>
    <Face {...props} />
  </Suspense>
));

interface StillProps extends Pick<PictureProps, "colorMode"> {
  human: Pick<Human, "avatar" | "portrait">;
  onFailure?(): void;
}

function Still({ human, colorMode, onFailure }: StillProps) {
  // An image that failed before hydration fires no event afterwards.
  const findFailure = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) onFailure?.();
  };
  const drawn = (mode: "light" | "dark") =>
    human.avatar ? paths.media(human.avatar) : paths.portrait(human.portrait, mode);
  return (
    <picture>
      {colorMode === "system" && !human.avatar && (
        <source media="(prefers-color-scheme: dark)" srcSet={drawn("dark")} />
      )}
      <img
        alt=""
        className="still"
        decoding={human.avatar ? "async" : undefined}
        height={200}
        loading="lazy"
        onError={onFailure}
        ref={findFailure}
        src={drawn(colorMode === "dark" ? "dark" : "light")}
        width={250}
      />
    </picture>
  );
}

/** A digital human as pages show it. */
export interface Human {
  roleId: string;
  name: string;
  describe: string;
  /** An image's address at the upstream; drawn from `portrait` where it is empty. */
  avatar?: string;
  portrait?: unknown;
  /** Address of the preview; empty while there is none. */
  voiceUrl: string;
  /** What sounds when in the preview, where the upstream tells. */
  timelineUrl?: string;
}

type Listener = (address: string) => void;

const waiting: string[] = [];
let listener: Listener | null = null;

/** Reports a picture that did not load, by its address at this site. */
export function reportPictureFailure(address: string): void {
  if (listener) listener(address);
  else waiting.push(address);
}

/** Calls `next` for every failed picture, those before it came included; answers how to stop. */
export function listenToPictureFailures(next: Listener): () => void {
  listener = next;
  for (const address of waiting.splice(0)) next(address);
  return () => {
    if (listener === next) listener = null;
  };
}
