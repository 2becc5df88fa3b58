import type { ReactNode } from "react";
import type { PortraitParameters } from "./parameters";
import { hairs, ink, skins, teeth } from "./tones";

const brows: Record<PortraitParameters["brows"], string> = {
  soft: "M75 80C79 75.5 87 74 93 76.5 87 77 80 78 75 80z",
  flat: "M74 79.5C80 75.5 88 75 94 77L93.5 79.5C87 78.5 80 79 75 81z",
  arched: "M74 81C78 74 86 72.5 93 77 87 75.5 80 77 74 81z",
  bold: "M73 81C77 73.5 88 72.5 95 76.5L94 80.5C88 78.5 80 79 74 83z",
};

/** Seen from the left eye; the right one is its mirror image. Lids are strokes of a brush: thin, swelling, thin. */
const openEyes: Record<PortraitParameters["eyes"], ReactNode> = {
  almond: (
    <>
      <ellipse cx="84.5" cy="91" rx="3.6" ry="4" />
      <path d="M74.5 91.5C77 85.5 87 84 93.5 90 86.5 87.5 80 87.5 74.5 91.5z" />
    </>
  ),
  round: (
    <>
      <ellipse cx="84" cy="91.5" rx="4.4" ry="5" />
      <path d="M75 90.5C78 84 88 83.5 92.5 89 87 86.5 80 86.5 75 90.5z" />
    </>
  ),
  smiling: (
    <>
      <ellipse cx="84.5" cy="91" rx="3.7" ry="3.2" />
      <path d="M75 93C78 85.5 89 85 93.5 92 88 88 80.5 88.5 75 93z" />
    </>
  ),
  narrow: (
    <>
      <ellipse cx="85" cy="91" rx="3.6" ry="3.2" />
      <path d="M72.5 88.5C78 87 88 86 94 91.5 87 89 80 89.5 72.5 88.5z" />
    </>
  ),
};
const closedEye = <path d="M75 90.5C79 96 89 96 93 91 88 93.5 80 93.5 75 90.5z" />;

export function Gaze({ portrait, blink }: { portrait: PortraitParameters; blink: boolean }) {
  const side = (
    <>
      <path d={brows[portrait.brows]} fill={hairs[portrait.hairColor].brow} />
      <g fill={ink}>{blink ? closedEye : openEyes[portrait.eyes]}</g>
      {portrait.eyes === "smiling" && !blink && (
        <path
          d="M79 97c3 1.5 7 1.5 10 0"
          fill="none"
          stroke={skins[portrait.skin].shade}
          strokeLinecap="round"
          strokeWidth="1.5"
        />
      )}
      {!blink && <circle cx="85" cy="89.5" fill={teeth} r="1.1" />}
    </>
  );
  const low = portrait.face === "child" ? "translate(0 3)" : undefined;
  return (
    <g transform={low}>
      {side}
      <g transform="matrix(-1 0 0 1 200 0)">{side}</g>
    </g>
  );
}

export function Nose({ portrait }: { portrait: PortraitParameters }) {
  const d = portrait.face === "child" ? "M97.5 105c1.5 1.5 3.5 1.5 5 0" : "M101 91c1 5 3.5 9.5 2.5 12s-4.5 2.5-6.5 1.5";
  return <path d={d} fill="none" stroke={skins[portrait.skin].shade} strokeLinecap="round" strokeWidth="2" />;
}
