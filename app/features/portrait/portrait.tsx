import { memo } from "react";
import { Worn } from "./accessories";
import { Coat } from "./coat";
import { grounds } from "./colors";
import { Hair } from "./hair";
import { AgeLines, Beard, Gaze, Head, Neck, Nose } from "./head";
import { Mouth, type Viseme } from "./mouth";
import type { PortraitParameters } from "./parameters";

interface PortraitProps {
  portrait: PortraitParameters;
  viseme?: Viseme;
  blink?: boolean;
  /** What assistive technology calls it; without one it is decoration. */
  title?: string;
  className?: string;
}

/** The ground's one stroke: pressed at the shoulder, lifted past the crown. */
const brushedRing = "M16 133C4 74 42 20 100 17 132 15 158 30 173 53 154 36 130 26 101 27 54 29 19 74 16 133z";

/** A bust in ink and flat colour; drawn again only when something about it changes. Fills whatever box it is given, the bust standing on the lower edge. */
export const Portrait = memo(function Portrait(props: PortraitProps) {
  const { portrait, viseme = "sil", blink = false, title, className } = props;
  const small = portrait.face === "child" ? "matrix(.82 0 0 .9 18 20)" : undefined;
  return (
    <svg
      aria-hidden={title ? undefined : true}
      aria-label={title}
      className={className}
      preserveAspectRatio="xMidYMax meet"
      role={title ? "img" : undefined}
      viewBox="0 0 200 200"
    >
      <path d="M-300-300H500V500H-300z" fill={grounds[portrait.background]} />
      <path className="fill-wash" d="M-300-300H500V500H-300z" opacity=".56" />
      <circle cx="100" cy="104" fill="#fff" opacity=".2" r="86" />
      <path d={brushedRing} fill={grounds[portrait.background]} opacity=".75" />
      <Hair layer="back" portrait={portrait} />
      <Hair layer="behind" portrait={portrait} />
      <Neck portrait={portrait} />
      <g transform={small}>
        <Coat portrait={portrait} />
        <Worn layer="body" portrait={portrait} />
      </g>
      <Head portrait={portrait} />
      <AgeLines portrait={portrait} />
      <Nose portrait={portrait} />
      <Beard portrait={portrait} />
      <Mouth portrait={portrait} viseme={viseme} />
      <Gaze blink={blink} portrait={portrait} />
      <Worn layer="face" portrait={portrait} />
      <Hair layer="front" portrait={portrait} />
      <Worn layer="top" portrait={portrait} />
    </svg>
  );
});
