import { useEffect, useState } from "react";
import { paths } from "~/paths";

export type ColorMode = "system" | "light" | "dark";

/** Follows the system where the mode does. */
export function useIsDark(colorMode: ColorMode): boolean {
  const [prefersDark, setPrefersDark] = useState(
    () => typeof matchMedia === "function" && matchMedia("(prefers-color-scheme: dark)").matches,
  );
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => setPrefersDark(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return colorMode === "system" ? prefersDark : colorMode === "dark";
}

interface StillProps {
  human: Pick<Human, "roleId" | "name" | "avatar" | "portrait">;
  colorMode: ColorMode;
  /** `small`: drawn with fewer strokes, for sizes up to about 100 px. `face`: pixels, for squares up to 48 px in long lists. */
  detail?: "small" | "face";
  /** In the first viewport: loads at once. */
  isFirst?: boolean;
}

/**
 * A photo or a drawn portrait as a picture, so that pages full of faces need no drawing code. A picture that does not
 * load is reported: a portrait drawn for that person takes a photo's place, and the name's initial that of a drawing, or
 * a moon and a sound wave where the work has no name.
 */
export function Still({ human, colorMode, detail, isFirst = false }: StillProps) {
  const [failed, setFailed] = useState<readonly string[]>([]);
  const { avatar, portrait, roleId, name } = human;
  const photo = avatar ? paths.media(avatar) : null;
  const isPhoto = photo !== null && !failed.includes(photo);
  const drawn = (mode: "light" | "dark") =>
    isPhoto ? photo : avatar ? paths.standIn(roleId, mode) : paths.portrait(portrait, mode, detail);
  const address = drawn(colorMode === "dark" ? "dark" : "light");
  if ((!avatar && !portrait) || failed.includes(address))
    return (
      <div aria-hidden="true" className="faceless">
        <span className="faceless-initial">{[...name][0]}</span>
      </div>
    );
  const onFailure = () => {
    setFailed((before) => [...before, address]);
    reportPictureFailure(address);
  };
  // An image that failed before hydration fires no event afterwards. Drawings state no size: Firefox reports 0 for them.
  const findFailure = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) image.decode().catch(onFailure);
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
        src={address}
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
  voiceUrl: string;
  /** Address of the preview's timeline, if the upstream provides one. */
  timelineUrl?: string;
}

type StillListener = (address: string) => void;

const waiting: string[] = [];
let listener: StillListener | null = null;

/** Reports a picture that did not load, by its address at this site. */
export function reportPictureFailure(address: string): void {
  if (listener) listener(address);
  else waiting.push(address);
}

/** Calls `next` for every failed picture, those before it came included; answers how to stop. */
export function listenToPictureFailures(next: StillListener): () => void {
  listener = next;
  for (const address of waiting.splice(0)) next(address);
  return () => {
    if (listener === next) listener = null;
  };
}
