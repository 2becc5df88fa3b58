import type { Detail } from "./face";
import type { PortraitParameters } from "./parameters";
import { gold, hairTones, mixColors } from "./pigments";
import { createRandom } from "./pose";

interface HairShape {
  /** Behind neck and coat. */
  back?: string;
  /** Behind the head, before the coat. */
  behind?: string;
  /** Over the forehead and down the sides. */
  front: string;
  /** Start of the strands. */
  part?: readonly [number, number];
  /** Position of the pin. */
  pin?: string;
}

/** The outlines below fit a face from y 28 to 131; this stretches them over the drawn head. */
const fit = "matrix(1.05 0 0 1.165 -5 -5.5)";

const round = (value: number) => Math.round(value * 10) / 10;

/** Gradients and the clip of the strands. */
export function drawHairDefinitions({ hair, hairColor }: PortraitParameters): string {
  const { base, sheen } = hairTones[hairColor];
  const dark = mixColors(base, "#0E0A0A", 0.42);
  return `<linearGradient id="pt-hair" x1=".1" y1="0" x2=".7" y2="1"><stop offset="0" stop-color="${mixColors(base, sheen, 0.55)}"/><stop offset=".5" stop-color="${base}"/><stop offset="1" stop-color="${dark}"/></linearGradient><linearGradient id="pt-hair-back" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${base}"/><stop offset="1" stop-color="${dark}"/></linearGradient><radialGradient id="pt-sheen"><stop offset="0" stop-color="${mixColors(sheen, "#FFFFFF", 0.3)}" stop-opacity=".75"/><stop offset="1" stop-color="${sheen}" stop-opacity="0"/></radialGradient><clipPath id="pt-hair-clip"><path d="${hairShapes[hair].front}"/></clipPath>`;
}

/** Hair behind the neck (`back`) and behind the head (`behind`), two units wider so that a turning head shows no gap. */
export function drawBackHair({ hair, hairColor, accessories }: PortraitParameters, detail: Detail): string {
  const { back, behind, pin } = hairShapes[hair];
  const { base, sheen } = hairTones[hairColor];
  const outline = mixColors(base, "#0E0A0A", 0.5);
  const paths = [back, behind]
    .filter(Boolean)
    .map(
      (d) => `<path d="${d}" fill="url(#pt-hair-back)" stroke="${outline}" stroke-width="2" stroke-linejoin="round"/>`,
    );
  const locks = back && detail === "large" ? drawLocks({ hair, back, sheen }) : "";
  const held =
    pin && accessories.includes("hairpin")
      ? `<path d="${pin}" fill="none" stroke="${gold}" stroke-linecap="round" stroke-width="3.4"/><circle cx="${pin.slice(1).split(" ")[0]}" cy="${pin.slice(1).split(/[ L]/)[1]}" r="3" fill="#C8371F"/>`
      : "";
  return `<g transform="${fit}">${paths.join("")}${locks}${held}</g>`;
}

/** Long strands down both sides, within the outline `back`. */
function drawLocks({ hair, back, sheen }: { hair: string; back: string; sheen: string }): string {
  const random = createRandom(`${hair} locks`);
  const lines = [0, 1, 2, 3, 4, 5].map((index) => {
    const x = (index < 3 ? 53 + 5 * index : 137 + 5 * (index - 3)) + 2 * random();
    const sway = 3 * (random() - 0.5);
    return `M${round(x)} ${round(84 + 20 * random())}C${round(x + sway)} 120 ${round(x - 2 * sway)} 140 ${round(x + sway)} ${round(164 + 12 * random())}`;
  });
  return (
    `<clipPath id="pt-locks"><path d="${back}"/></clipPath>` +
    `<path d="${lines.join("")}" fill="none" stroke="${sheen}" stroke-width=".8" stroke-linecap="round" opacity=".5" clip-path="url(#pt-locks)"/>`
  );
}

/** The hair's shadow on the forehead, clipped by the face. */
export const drawHairShadow = ({ hair }: PortraitParameters) =>
  hair === "bald"
    ? ""
    : `<g transform="translate(0 3.2)"><path d="${hairShapes[hair].front}" transform="${fit}" fill="#8A4A32" opacity=".26"/></g>`;

export function drawFrontHair({ hair, hairColor }: PortraitParameters, detail: Detail): string {
  const { front, part } = hairShapes[hair];
  const { base, sheen } = hairTones[hairColor];
  const outline = mixColors(base, "#0E0A0A", 0.55);
  const shape = `<path d="${front}" fill="url(#pt-hair)" stroke="${outline}" stroke-width="${hair === "buzz" ? 0 : 0.9}" stroke-linejoin="round"${hair === "buzz" ? ' opacity=".82"' : ""}/>`;
  if (detail === "small") return `<g transform="${fit}">${shape}</g>`;
  const strands = part ? drawStrands(hair, part) : hair === "curls" ? drawCurls() : "";
  const light =
    hair === "bald"
      ? ""
      : '<ellipse cx="92" cy="44" rx="30" ry="7.5" fill="url(#pt-sheen)" transform="rotate(-7 92 44)"/>';
  return `<g transform="${fit}">${shape}<g clip-path="url(#pt-hair-clip)">${light}<g fill="none" stroke-linecap="round"><path d="${strands}" stroke="${mixColors(base, sheen, 0.9)}" stroke-width=".75" opacity=".75"/><path d="${part ? drawStrands(`${hair} dark`, part) : ""}" stroke="${outline}" stroke-width=".9" opacity=".5"/></g></g></g>`;
}

/** Strands from the part over the crown to fringe and temples, on both sides. */
function drawStrands(seed: string, [x, y]: readonly [number, number]): string {
  const random = createRandom(seed);
  const lines: string[] = [];
  for (const side of [-1, 1]) {
    for (let index = 0; index < 7; index++) {
      const share = (index + 0.8 * random()) / 7;
      const endX = 100 + side * (38 - 26 * share) + 3 * (random() - 0.5);
      const endY = 112 - 50 * share ** 0.7 + 8 * random();
      const startX = x + side * (1 + 2 * share);
      const bulgeX = startX + side * (12 + 22 * (1 - share)) * (random() * 0.3 + 0.85);
      lines.push(
        `M${round(startX)} ${round(y - 2 + 6 * share)}C${round((startX + bulgeX) / 2)} ${round(y - 4 + 4 * share)} ${round(bulgeX + side * 4)} ${round(y + 10 + 8 * share)} ${round(endX)} ${round(endY)}`,
      );
    }
  }
  return lines.join("");
}

/** Small arcs all over a curly head. */
function drawCurls(): string {
  const random = createRandom("curls");
  return Array.from({ length: 34 }, () => {
    const [x, y, size] = [50 + 100 * random(), 34 + 74 * random() ** 1.5, 3 + 2.5 * random()];
    return `M${round(x - size)} ${round(y)}c0-${round(1.4 * size)} ${round(2 * size)}-${round(1.4 * size)} ${round(2 * size)} 0s-${round(size)} ${round(size)}-${round(1.3 * size)} ${round(0.2 * size)}`;
  }).join("");
}

const hairShapes: Record<PortraitParameters["hair"], HairShape> = {
  "side-part": {
    part: [119, 46],
    front:
      "M64 93C55 52 72 29 103 27 136 26 146 54 136 93L133.5 90C134.5 78 132 68 126 61L118 52C110 61 92 66 75 62 69 70 67 80 66.5 90z",
  },
  crop: {
    part: [100, 30],
    front:
      "M64 90C57 52 73 30 100 30S143 52 136 90L133.5 88C134 76 132 69 128 64L121 58 116 62 108 56 101 62 92 56 85 62 79 58 72 64C68 69 66 76 66.5 88z",
  },
  buzz: {
    front:
      "M65.5 88C61 54 76 35 100 35S139 54 134.5 88C133.5 72 130 64 124 60 112 54 88 54 76 60 70 64 66.5 72 65.5 88z",
  },
  swept: {
    part: [88, 42],
    front:
      "M64 92C56 66 60 46 74 39 84 22 118 17 136 33 147 45 143 72 136 92L133.5 89C134.5 76 132 68 128 62 112 64 97 59 88 50 86 60 70 66 66.5 89z",
  },
  curtain: {
    part: [101, 40],
    front:
      "M63 98C53 56 70 27 100 26 130 27 147 56 137 98 135 92 134.5 86 132 79 118 74 107 62 101 47 95 62 82 74 68 79 65.5 86 65 92 63 98z",
  },
  bald: {
    front:
      "M67 99C60 100 55 93 58 87 53 79 58 67 66 63 69 57 73 54 76 54 71 62 70 72 70.5 82 70 90 69 96 67 99zM133 99C140 100 145 93 142 87 147 79 142 67 134 63 131 57 127 54 124 54 129 62 130 72 129.5 82 130 90 131 96 133 99z",
  },
  bowl: {
    part: [100, 26],
    front:
      "M60 90C53 48 74 27 100 27S147 48 140 90C138 94 135 93 134 86L131.5 77C122 73 112 72 100 72S78 73 68.5 77L66 86C65 93 62 94 60 90z",
  },
  topknot: {
    part: [100, 24],
    back: "M68 60C60 96 60 140 52 176L148 176C140 140 140 96 132 60z",
    pin: "M74 24L128 16",
    front:
      "M87 20C87 10 113 10 113 20 113 27 110 31 106 33 128 36 141 54 136 88 134.5 72 128 61 118 54 108 49 92 49 82 54 72 61 65.5 72 64 88 59 54 72 36 94 33 90 31 87 27 87 20zM78 55C61 74 61 112 70 132 67 112 65.5 88 76 64zM122 55C139 74 139 112 130 132 133 112 134.5 88 124 64z",
  },
  bob: {
    part: [108, 30],
    behind:
      "M58 80C52 42 74 24 100 24S148 42 142 80C143 102 148 118 143 132 132 141 120 138 112 130H88C80 138 68 141 57 132 52 118 57 102 58 80z",
    front:
      "M60 84C54 44 74 26 100 26S146 44 140 84C141 104 145 118 141 131 133 128 130 108 131.5 88L130 76C124 77 119 74 116 70 115 74 112 76 109 77 107 75 105 72 104 69 98 76 84 79 70 76L68.5 88C70 108 67 128 59 131 55 118 59 104 60 84z",
  },
  pixie: {
    part: [116, 42],
    behind: "M64 84C60 104 66 122 76 126H124C134 122 140 104 136 84z",
    front:
      "M63 101C52 58 68 28 103 27 137 27 148 60 137 101 135 94 135.5 84 131 72 124 67 118 59 116 49 106 64 86 73 70 75 66.5 84 66 93 63 101z",
  },
  long: {
    part: [100, 40],
    back: "M58 76C52 42 74 25 100 25S148 42 142 76C144 120 154 150 152 186H48C46 150 56 120 58 76z",
    front:
      "M100 46C96 58 84 70 71 79 68 96 72 118 66 144 64 158 58 168 50 172 52 146 57 114 59 80 55 46 74 27 100 26 126 27 145 46 141 80 143 114 148 146 150 172 142 168 136 158 134 144 128 118 132 96 129 79 116 70 104 58 100 46z",
  },
  wavy: {
    part: [115, 40],
    back: "M58 78C50 40 74 22 102 23S150 44 142 78C150 92 144 104 152 118 160 132 148 142 154 156 156 170 146 180 134 178H64C52 180 44 168 48 154 40 140 54 132 48 118 56 104 50 92 58 78z",
    front:
      "M116 45C106 60 86 72 70 77 66 90 72 100 66 112 60 122 66 132 58 144 50 138 52 128 49 120 56 106 50 94 59 80 53 44 74 25 102 25 132 25 148 48 141 80 150 94 144 106 151 120 148 128 150 138 142 144 134 132 140 122 134 112 128 100 134 90 130 76 124 70 118 58 116 45z",
  },
  ponytail: {
    part: [115, 44],
    behind:
      "M122 32C132 16 158 20 164 48 170 76 158 92 164 112 166 124 160 134 150 138 154 126 146 118 145 104 143 82 146 66 130 52z",
    front:
      "M64 95C55 54 72 29 101 28 131 28 146 54 136 95 134.5 84 133 74 128 66 122 64 117 60 114 55 106 66 88 72 73 71 69 78 66 86 64 95z",
  },
  bun: {
    part: [101, 44],
    front:
      "M84 26C80 8 120 8 116 26 138 31 144 58 136 92 134.5 80 131 68 124 59 112 58 101 54 94 47 88 58 78 66 70 70 67 77 66 84 64 92 56 58 62 31 84 26z",
  },
  "low-bun": {
    part: [99, 40],
    behind: "M112 94C130 86 149 98 147 116 145 132 124 135 113 124z",
    pin: "M158 90L129 127",
    front:
      "M64 93C55 54 72 29 100 29S145 54 136 93C135 82 133 74 129 68 117 66 105 60 99 49 94 60 82 67 71 69 67 75 65 84 64 93z",
  },
  "twin-buns": {
    part: [100, 28],
    front:
      "M62 92C55 70 58 56 64 48 46 46 44 22 62 19 74 17 80 24 81 32 93 27 107 27 119 32 120 24 126 17 138 19 156 22 154 46 136 48 142 56 145 70 138 92 135.5 88 134 84 132 78 126 79 120 77 116 73 112 77 107 77 103 73 97 78 88 79 84 75 80 79 74 80 68 78 66 84 64.5 88 62 92z",
  },
  curls: {
    behind:
      "M62 118C48 116 50 98 52 94 42 84 48 68 56 64 52 48 66 38 74 38H126C134 38 148 48 144 64 152 68 158 84 148 94 150 98 152 116 138 118z",
    front:
      "M62 108C52 104 54 92 57 88 49 80 53 68 60 65 58 52 68 43 76 43 82 33 94 32 100 37 106 32 118 33 124 43 132 43 142 52 140 65 147 68 151 80 143 88 146 92 148 104 138 108 134 100 136 90 132 84 136 76 130 68 124 69 122 62 112 62 109 66 104 60 95 61 92 66 86 62 78 64 77 70 70 70 66 77 68 84 64 90 66 100 62 108z",
  },
};
