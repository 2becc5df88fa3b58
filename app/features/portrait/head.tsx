import type { PortraitParameters } from "./parameters";
import { skins } from "./tones";

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
  const { base, shade } = skins[portrait.skin];
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
  const { base, shade, blush } = skins[portrait.skin];
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
    <g fill="none" stroke={skins[portrait.skin].shade} strokeLinecap="round" strokeWidth={old ? 1.8 : 1.4}>
      <path d="M88.5 106c-2.5 1.5-3.5 4-3.5 6M111.5 106c2.5 1.5 3.5 4 3.5 6" opacity={old ? 1 : 0.7} />
      <path d="M71.5 93.5l-2.5 1.5M128.5 93.5l2.5 1.5" />
      {old && (
        <path d="M86 61c9-2 19-2 28 0M84 68c10-2 22-2 32 0M78 98c4 2 8 2 11 0M122 98c-4 2-8 2-11 0M72 90l-4-1M128 90l4-1" />
      )}
    </g>
  );
}
