import type { ReactNode } from "react";
import { hairTones, ink, type PortraitParameters, skinTones, teeth } from "./parameters";

type Face = PortraitParameters["face"];

/** The skull is the same for everyone, so that all hair fits; the jaw makes the face. */
const jaws: Record<Face, string> = {
  oval: "C134 106 120 131 100 131S66 106 66 84",
  round: "C136 110 123 128 100 128S64 110 66 84",
  long: "C134 108 120 137 100 137S66 108 66 84",
  square: "C134 102 132 113 126 121C118 130 110 133 100 133S82 130 74 121C68 113 66 102 66 84",
  child: "C138 108 124 123 100 123S62 108 66 84",
};

const necks: Record<Face, number> = { oval: 14, round: 15, long: 15, square: 18, child: 12 };

export function Neck({ portrait }: { portrait: PortraitParameters }) {
  const { base, shade } = skinTones[portrait.skin];
  const half = necks[portrait.face];
  const [left, right] = [100 - half, 100 + half];
  return (
    <>
      <path
        d={`M${left} 108V138C${left - 2} 146 78 146 70 149L100 178 130 149C122 146 ${right + 2} 146 ${right} 138V108z`}
        fill={base}
      />
      <path
        d={`M${left} 118C${left + 6} 136 ${right - 6} 140 ${right} 122V138C${right - 8} 148 ${left + 8} 144 ${left} 130z`}
        fill={shade}
      />
    </>
  );
}

export function Head({ portrait }: { portrait: PortraitParameters }) {
  const { base, shade, blush } = skinTones[portrait.skin];
  const cheek = portrait.face === "child" ? 104 : 103;
  return (
    <>
      <g fill={base}>
        <ellipse cx="65.5" cy="92" rx="6" ry="9" />
        <ellipse cx="134.5" cy="92" rx="6" ry="9" />
      </g>
      <path
        d="M63 88c3 0 4 4 2 9M137 88c-3 0-4 4-2 9"
        fill="none"
        stroke={shade}
        strokeLinecap="round"
        strokeWidth="1.6"
      />
      <path d={`M66 84C66 56 80 40 100 40S134 56 134 84${jaws[portrait.face]}z`} fill={base} />
      <g fill={blush} opacity=".28">
        <ellipse cx="77.5" cy={cheek} rx="7" ry="4.5" />
        <ellipse cx="122.5" cy={cheek} rx="7" ry="4.5" />
      </g>
    </>
  );
}

/** What years leave: corners of the eyes and mouth first, then the forehead and under the eyes. */
export function AgeLines({ portrait }: { portrait: PortraitParameters }) {
  if (portrait.lines === 0) return null;
  const old = portrait.lines === 2;
  return (
    <g fill="none" stroke={skinTones[portrait.skin].shade} strokeLinecap="round" strokeWidth={old ? 1.8 : 1.4}>
      <path d="M88.5 106c-2.5 1.5-3.5 4-3.5 6M111.5 106c2.5 1.5 3.5 4 3.5 6" opacity={old ? 1 : 0.7} />
      <path d="M71.5 93.5l-2.5 1.5M128.5 93.5l2.5 1.5" />
      {old && (
        <path d="M86 61c9-2 19-2 28 0M84 68c10-2 22-2 32 0M78 98c4 2 8 2 11 0M122 98c-4 2-8 2-11 0M72 90l-4-1M128 90l4-1" />
      )}
    </g>
  );
}

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
      <path d={brows[portrait.brows]} fill={hairTones[portrait.hairColor].brow} />
      <g fill={ink}>{blink ? closedEye : openEyes[portrait.eyes]}</g>
      {portrait.eyes === "smiling" && !blink && (
        <path
          d="M79 97c3 1.5 7 1.5 10 0"
          fill="none"
          stroke={skinTones[portrait.skin].shade}
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
  return <path d={d} fill="none" stroke={skinTones[portrait.skin].shade} strokeLinecap="round" strokeWidth="2" />;
}

export function Beard({ portrait }: { portrait: PortraitParameters }) {
  const { base, sheen } = hairTones[portrait.hairColor];
  switch (portrait.beard) {
    case "none":
      return null;
    case "stubble":
      return (
        <path
          d="M68 98C68 114 76 133 100 133S132 114 132 98C128 108 122 110 115 108 108 105 92 105 85 108 78 110 72 108 68 98z"
          fill={base}
          opacity=".2"
        />
      );
    case "goatee":
      return (
        <g fill={base}>
          <path d="M100 108.5C95 106 88 108 84.5 115 90 112.5 96 112.5 100 111.5 104 112.5 110 112.5 115.5 115 112 108 105 106 100 108.5z" />
          <path d="M89 122C94 125 106 125 111 122 113 133 107 145 100 147 93 145 87 133 89 122z" />
        </g>
      );
    case "full":
      return (
        <path
          d="M65.5 86C64 116 76 143 100 144S136 116 134.5 86C132 98 127 106 119 108 110 104 104 105.5 100 107.5 96 105.5 90 104 81 108 73 106 68 98 65.5 86zM88 114C95 110.5 105 110.5 112 114 110 123 90 123 88 114z"
          fill={base}
          fillRule="evenodd"
        />
      );
    case "long":
      return (
        <>
          <path d="M80 120C84 150 90 174 101 186 110 172 116 148 120 120 112 128 88 128 80 120z" fill={base} />
          <path
            d="M100 108C93 105 82 110 77 130 85 119 94 114.5 100 112.5 106 114.5 115 119 123 130 118 110 107 105 100 108z"
            fill={base}
          />
          <path
            d="M94 136c1 14 3 24 6 34M106 134c-1 12-2 20-3 28"
            fill="none"
            stroke={sheen}
            strokeLinecap="round"
            strokeWidth="1.6"
          />
        </>
      );
  }
}
