import { useState } from "react";
import { paths } from "~/paths";

export type ColorMode = "system" | "light" | "dark";

interface StillProps {
  human: Pick<Human, "roleId" | "name" | "avatar" | "portrait">;
  colorMode: ColorMode;
  /** `small`: drawn with fewer strokes, for sizes up to about 100 px. `face`: pixels, for squares up to 48 px in long lists. */
  detail?: "small" | "face";
  /** In the first viewport: loads at once. */
  isFirst?: boolean;
}

/**
 * A photo or a drawn portrait as a picture, so that pages full of faces need no drawing code. A photo that does not load
 * is reported, and a portrait drawn for that person takes its place. A person with neither shows an initial.
 */
export function Still({ human, colorMode, detail, isFirst = false }: StillProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const { avatar, portrait, roleId, name } = human;
  const isPhoto = Boolean(avatar) && failed !== avatar;
  if (!avatar && !portrait)
    return (
      <div aria-hidden="true" className="grid h-full w-full place-items-center bg-wash font-song text-3xl text-muted">
        {[...name][0] ?? ""}
      </div>
    );
  const onFailure = () => {
    if (!isPhoto || !avatar) return;
    setFailed(avatar);
    reportPictureFailure(paths.media(avatar));
  };
  // An image that failed before hydration fires no event afterwards.
  const findFailure = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) onFailure();
  };
  const drawn = (mode: "light" | "dark") => {
    if (isPhoto && avatar) return paths.media(avatar);
    return avatar ? paths.standIn(roleId, mode) : paths.portrait(portrait, mode, detail);
  };
  return (
    <picture>
      {colorMode === "system" && !isPhoto && <source media="(prefers-color-scheme: dark)" srcSet={drawn("dark")} />}
      <img
        alt=""
        className="still"
        decoding={isPhoto ? "async" : undefined}
        height={200}
        loading={isFirst ? "eager" : "lazy"}
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
  /** Parameters of a drawing, or what was confirmed of the photo; see `isConfirmedPhoto`. */
  portrait?: unknown;
  /** Address of the preview; empty while there is none. */
  voiceUrl: string;
  /** Address of the preview's timeline, if the upstream provides one. */
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
