import { type ReactNode, Suspense } from "react";
import { paths } from "~/paths";
import { lazyPart } from "~/ui/lazy-part";
import type { Human } from "./human";
import type { Viseme } from "./mouth";

const Face = lazyPart(
  async () => ({ default: (await import("./face")).Face }),
  ({ human }) => (human.portrait ? <Still colorMode="system" human={human} /> : null),
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

/** A human's face: a still picture, drawn live only while it speaks, so that pages full of faces load no drawing code. */
export function Picture(props: PictureProps) {
  const { human, colorMode, isSpeaking = false, isAlive = false, viseme, ring } = props;
  const still = <Still colorMode={colorMode} human={human} />;
  if (!human.avatar && (isSpeaking || isAlive || !human.portrait))
    return (
      <Suspense fallback={human.portrait ? still : null}>
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

interface StillProps extends Pick<PictureProps, "colorMode"> {
  human: Pick<Human, "avatar" | "portrait">;
}

function Still({ human, colorMode }: StillProps) {
  const drawn = (mode: "light" | "dark") =>
    human.avatar ? paths.media(human.avatar) : paths.portrait(human.portrait, mode);
  return (
    <picture>
      {colorMode === "system" && !human.avatar && (
        <source media="(prefers-color-scheme: dark)" srcSet={drawn("dark")} />
      )}
      <img
        alt=""
        className="block h-full w-full object-cover object-bottom"
        decoding="async"
        height={200}
        loading="lazy"
        src={drawn(colorMode === "dark" ? "dark" : "light")}
        width={250}
      />
    </picture>
  );
}
