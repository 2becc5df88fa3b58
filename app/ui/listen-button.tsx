import type { ButtonHTMLAttributes } from "react";
import { Icon } from "./icons/icon";

export type Sound = "silent" | "loading" | "playing";

interface ListenButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What a press does, in words. */
  label: string;
  sound: Sound;
  size?: "normal" | "large";
}

const icons = { silent: "play", loading: "spinner", playing: "pause" } as const;

/** Lets something be heard: a vermilion triangle in a ring, celadon while it sounds. */
export function ListenButton({ label, sound, size = "normal", className = "", ...rest }: ListenButtonProps) {
  const look =
    sound === "playing" ? "border-transparent bg-celadon text-on-celadon" : "border-line text-seal hover:border-edge";
  return (
    <button
      aria-label={label}
      className={`grid shrink-0 place-items-center rounded-full border transition-colors disabled:text-muted disabled:opacity-60 ${size === "large" ? "h-12 w-12" : "h-11 w-11"} ${look} ${className}`}
      title={label}
      type="button"
      {...rest}
    >
      <Icon className={sound === "loading" ? "animate-spin" : undefined} name={icons[sound]} size={18} />
    </button>
  );
}
