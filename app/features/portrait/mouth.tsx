import { mouthInside, type PortraitParameters, skinTones, teeth } from "./parameters";
/** The 15 mouth positions an engine's timeline speaks of (Oculus visemes). */
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

type Shape = "rest" | "pressed" | "bite" | "narrow" | "wide" | "open" | "round" | "pucker";

/** Which of the eight drawn mouths a viseme has. */
export const mouthShapes: Record<Viseme, Shape> = {
  sil: "rest",
  PP: "pressed",
  FF: "bite",
  TH: "narrow",
  DD: "narrow",
  kk: "narrow",
  nn: "narrow",
  SS: "narrow",
  CH: "pucker",
  RR: "pucker",
  ou: "pucker",
  E: "wide",
  ih: "wide",
  oh: "round",
  aa: "open",
};

/** Lips around the dark of the mouth, and how far the upper teeth show. */
const opened: Partial<Record<Shape, { lips: string; teeth?: string; tongue?: boolean }>> = {
  bite: {
    lips: "M92 112.5C96 110.5 104 110.5 108 112.5 105 117 95 117 92 112.5z",
    teeth: "M94.5 112.5h11l-1.5 3h-8z",
  },
  narrow: {
    lips: "M91 112.5C96 110.5 104 110.5 109 112.5 105 118.5 95 118.5 91 112.5z",
    teeth: "M94 112.5h12l-1.5 2h-9z",
  },
  wide: {
    lips: "M89 111.5C95 109.5 105 109.5 111 111.5 107 121 93 121 89 111.5z",
    teeth: "M92 112h16l-2 3H94z",
  },
  open: {
    lips: "M90 111C95 108.5 105 108.5 110 111 110 127 90 127 90 111z",
    teeth: "M92.5 111.3h15l-1.5 3.2H94z",
    tongue: true,
  },
  round: { lips: "M93.5 115C93.5 107 106.5 107 106.5 115S93.5 124 93.5 115z" },
  pucker: { lips: "M95 114.5C95 109.5 105 109.5 105 114.5S95 119.5 95 114.5z" },
};

export function Mouth({ portrait, viseme }: { portrait: PortraitParameters; viseme: Viseme }) {
  const { lip } = skinTones[portrait.skin];
  const shape = mouthShapes[viseme];
  const open = opened[shape];
  const lift =
    portrait.face === "child"
      ? "translate(9 9.5) scale(.91 .92)"
      : portrait.face === "long"
        ? "translate(0 2)"
        : undefined;
  return (
    <g data-mouth={shape} transform={lift}>
      {open ? (
        <>
          <path
            d={open.lips}
            fill={mouthInside}
            stroke={lip}
            strokeLinejoin="round"
            strokeWidth={shape === "pucker" ? 3 : 2}
          />
          {open.teeth && <path d={open.teeth} fill={teeth} />}
          {open.tongue && <path d="M94.5 119.5c3-2 8-2 11 0-2 3.5-9 3.5-11 0z" fill="#D8766A" />}
        </>
      ) : (
        <path
          d={shape === "pressed" ? "M92 114.5c5 1 11 1 16 0" : "M90.5 112.5C95 117.5 105 117.5 109.5 112.5"}
          fill="none"
          stroke={lip}
          strokeLinecap="round"
          strokeWidth={shape === "pressed" ? 3 : 2.6}
        />
      )}
    </g>
  );
}
