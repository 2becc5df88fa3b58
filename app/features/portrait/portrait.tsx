import type { PortraitParameters } from "./parameters";

/** The 15 mouth positions an engine's timeline speaks of. */
export type Viseme =
  | "sil"
  | "PP"
  | "FF"
  | "TH"
  | "DD"
  | "kk"
  | "CH"
  | "SS"
  | "nn"
  | "RR"
  | "aa"
  | "E"
  | "ih"
  | "oh"
  | "ou";

interface PortraitProps {
  portrait: PortraitParameters;
  viseme?: Viseme;
  blink?: boolean;
  /** What assistive technology calls it; without one it is decoration. */
  title?: string;
  className?: string;
}

/** A bust in ink and flat colour. Fills whatever box it is given; the bust stands on the lower edge. */
export function Portrait({ portrait, viseme = "sil", blink = false, title, className }: PortraitProps) {
  return (
    <svg
      aria-hidden={title ? undefined : true}
      aria-label={title}
      className={className}
      data-blink={blink || undefined}
      data-hair={portrait.hair}
      data-viseme={viseme}
      preserveAspectRatio="xMidYMax meet"
      role={title ? "img" : undefined}
      viewBox="0 0 200 200"
    >
      <path d="M20 200c6-42 36-58 80-58s74 16 80 58z" fill="#31424B" />
      <ellipse cx="100" cy="86" fill="#F2D3B8" rx="35" ry="44" />
    </svg>
  );
}
