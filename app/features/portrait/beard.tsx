import type { PortraitParameters } from "./parameters";
import { hairs } from "./tones";

export function Beard({ portrait }: { portrait: PortraitParameters }) {
  const { base, sheen } = hairs[portrait.hairColor];
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
