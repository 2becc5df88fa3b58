import { drawAccessories, drawClothDefinitions, drawClothes } from "./clothes";
import {
  type Detail,
  drawAgeLines,
  drawBeard,
  drawEyes,
  drawFaceDefinitions,
  drawMouth,
  drawNeck,
  drawNose,
  drawSkull,
} from "./face";
import { drawBackHair, drawFrontHair, drawHairDefinitions, drawHairShadow } from "./hair";
import { fillSlots, poseParts, slot, splitAtSlots } from "./moving-parts";
import type { PortraitParameters } from "./parameters";
import { createRandom, type Pose, restPose } from "./pose";

type GroundMode = "light" | "dark";

interface Ground {
  light: readonly [string, string];
  dark: readonly [string, string];
  /** The brushed stroke beside the moon. */
  stroke: string;
  scene: keyof typeof scenes;
}

/** Bamboo, plum, mountains and reeds as one-coloured brush strokes around the 200-unit square. */
const scenes = {
  bamboo: `<g fill="none" stroke-linecap="round"><path d="M178 12C170 60 176 105 165 168" stroke-width="2.6"/><path d="M176 48c-11 2-22 10-29 20M173 90c9-5 17-6 25-4M170 123c-10 1-18 6-24 13M-8 20C0 62-8 110 2 170M-5 84c8-6 15-8 22-7" stroke-width="1.2"/></g><path d="M147 68c7-8 15-13 29-20-11 11-19 17-29 20zM198 86c-9 2-18 3-25 4 8-6 17-8 25-4zM146 136c5-7 13-12 24-13-6 8-14 12-24 13zM152 40c6 0 14 2 22 8-9 0-17-3-22-8zM17 77c-8 2-15 4-22 7 5-8 13-11 22-7zM-28 60c9-2 16 1 22 7-9 1-17-2-22-7zM215 40c-10-1-19 3-26 9 10 1 19-3 26-9z"/>`,
  plum: `<g fill="none" stroke-linecap="round"><path d="M210 4C190 22 184 40 168 46 156 51 150 60 149 70" stroke-width="3"/><path d="M184 34c6 8 8 18 7 30M192 24c-10-2-18-1-26 4M-26 160C-14 140-6 132 4 118" stroke-width="1.6"/></g><g class="bloom"><circle cx="168" cy="45" r="4"/><circle cx="150" cy="72" r="3.2"/><circle cx="191" cy="66" r="3.6"/><circle cx="164" cy="27" r="3"/><circle cx="204" cy="14" r="4"/><circle cx="4" cy="116" r="3.4"/><circle cx="178" cy="58" r="2"/></g>`,
  mountains: `<path d="M-300 150C-60 150-30 128-6 104 6 92 14 96 24 112 34 126 60 138 110 142 150 144 300 150 500 156V500H-300z" opacity=".7"/><path d="M500 150C260 150 236 110 214 92 200 81 190 92 180 106 166 126 140 138 90 142 0 146-100 150-300 154V500H500z"/><path d="M226 84c-10-2-16-10-22-14-10 12-16 24-26 30 10-2 14-6 20-8 4 4 12 6 28-8z" opacity=".5"/>`,
  reeds: `<g fill="none" stroke-linecap="round"><path d="M170 204C174 150 178 96 192 44M182 204C184 160 192 120 208 84M-2 204C-4 150-10 110-20 70M12 204C10 172 4 140 0 118" stroke-width="1.5"/></g><path d="M192 44c-5 6-7 18-8 30 6-6 9-18 8-30zM208 84c-6 5-9 14-11 24 6-4 10-13 11-24zM-20 70c0 10 2 20 8 27 1-10-2-20-8-27zM0 118c-1 8 0 16 4 22 2-8 0-16-4-22z"/>`,
  clouds: `<g fill="none" stroke-linecap="round" stroke-width="1.8"><path d="M142 50c8-10 22-8 25 1 9-5 18 1 17 9h30M176 64c-8 0-14-2-18-8M-24 96c6-9 18-8 21 0 8-4 15 0 15 8H-30M150 140c6-6 14-5 17 1 6-3 12 0 12 6h34"/></g>`,
} as const;

const grounds: Record<PortraitParameters["background"], Ground> = {
  paper: { light: ["#FBF6EA", "#E6DAC0"], dark: ["#4A463B", "#2A2823"], stroke: "#C8371F", scene: "bamboo" },
  mist: { light: ["#EFF3F3", "#C9D6DA"], dark: ["#3C4A51", "#222A30"], stroke: "#4E6B7A", scene: "mountains" },
  celadon: { light: ["#EEF5EF", "#C4DBD0"], dark: ["#37493F", "#202B27"], stroke: "#2F7D6B", scene: "bamboo" },
  dawn: { light: ["#F9EAE1", "#E9C9BC"], dark: ["#553C36", "#30241F"], stroke: "#C8371F", scene: "plum" },
  ochre: { light: ["#FAF0D9", "#E6CD98"], dark: ["#544526", "#302819"], stroke: "#A8721C", scene: "reeds" },
  dusk: { light: ["#F0EDF5", "#CDC6DC"], dark: ["#433E52", "#26232F"], stroke: "#6A5A94", scene: "clouds" },
};

const round = (value: number) => Math.round(value * 10) / 10;

/** A disc with the rough rim of a wet brush; several over each other make a wash. */
function washedDisc(random: () => number, [x, y, radius]: readonly [number, number, number]): string {
  const count = 26;
  let swell = 0;
  const points = Array.from({ length: count }, (_, index) => {
    swell = 0.6 * swell + (random() - 0.5) * 0.09;
    const angle = (2 * Math.PI * index) / count;
    const reach = radius * (1 + swell);
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)] as const;
  });
  const middle = (index: number) => {
    const [from, to] = [points[index % count] ?? [x, y], points[(index + 1) % count] ?? [x, y]];
    return `${round((from[0] + to[0]) / 2)} ${round((from[1] + to[1]) / 2)}`;
  };
  return `M${middle(count - 1)}${points.map(([px, py], index) => `Q${round(px)} ${round(py)} ${middle(index)}`).join("")}z`;
}

/** Draws paper, a moon of washes, a brushed stroke and a scene, beyond the 200-unit square on every side. */
function drawGround({ background }: PortraitParameters, detail: Detail, mode: GroundMode = "light"): string {
  const { [mode]: colors, stroke, scene } = grounds[background];
  const random = createRandom(background);
  const isDark = mode === "dark";
  const moon = isDark ? "#FFEFD8" : "#FFFFFF";
  const sheet = `<radialGradient id="pt-ground" gradientUnits="userSpaceOnUse" cx="100" cy="84" r="165"><stop offset="0" stop-color="${colors[0]}"/><stop offset="1" stop-color="${colors[1]}"/></radialGradient><path d="M-300-300H500V500H-300z" fill="url(#pt-ground)"/>`;
  if (detail === "small")
    return `${sheet}<circle cx="106" cy="88" r="70" fill="${moon}" opacity="${isDark ? 0.1 : 0.45}"/>`;
  const discs = Array.from({ length: 5 }, (_, index) => washedDisc(random, [107, 88, 73 - 2.6 * index]));
  const brush = Array.from({ length: 4 }, () => {
    const wobble = () => round(4 * (random() - 0.5));
    return `M${38 + wobble()} ${118 + wobble()}C${29 + wobble()} ${62 + wobble()} ${66 + wobble()} ${18 + wobble()} ${118 + wobble()} ${17 + wobble()} ${94 + wobble()} ${24 + wobble()} ${50 + wobble()} ${48 + wobble()} ${48 + wobble()} ${121 + wobble()}z`;
  });
  const ink = isDark ? "#EADFCB" : "#2B2320";
  return `${sheet}<g fill="${moon}" opacity="${isDark ? 0.45 : 1}">${discs.map((d) => `<path d="${d}" opacity=".12"/>`).join("")}</g><g fill="${stroke}">${brush.map((d) => `<path d="${d}" opacity="${isDark ? 0.1 : 0.06}"/>`).join("")}</g><g fill="${ink}" stroke="${ink}" stroke-width="0" opacity="${isDark ? 0.13 : 0.15}">${scenes[scene].replace(' class="bloom"', ` fill="${stroke}"`)}</g>`;
}

export type PersonDrawing = (pose: Pose) => string;

/** Children have narrower shoulders. */
const childBody = "matrix(.84 0 0 .94 16 12)";

/**
 * Prepares everything of a person that does not move; the result draws one pose as SVG inside the 200-unit square,
 * without the ground. Films draw every frame through it. Ids start with `pt-`: several people in one document need
 * different prefixes.
 */
export function createPersonDrawing(portrait: PortraitParameters, detail: Detail): PersonDrawing {
  const isChild = portrait.face === "child";
  const beard = drawBeard(portrait);
  const definitions = `<defs>${drawFaceDefinitions(portrait)}${drawHairDefinitions(portrait)}${drawClothDefinitions(portrait)}</defs>`;
  const body = drawClothes(portrait, detail) + drawAccessories(portrait, "body");
  const features =
    drawAgeLines(portrait) +
    drawNose(portrait, detail) +
    beard.cheeks +
    `<g${slot("chin")}>${beard.chin}</g>` +
    drawMouth(portrait, detail) +
    drawEyes(portrait, detail);
  const shadow = detail === "large" ? `<g clip-path="url(#pt-face)">${drawHairShadow(portrait)}</g>` : "";
  const template = withPaintOpacity(
    `${definitions}<g${slot("back")}>${drawBackHair(portrait, detail)}</g>` +
      `<g${slot("neck")}>${drawNeck(portrait, detail)}</g>` +
      `<g${slot("body")}><g${isChild ? ` transform="${childBody}"` : ""}>${body}</g></g>` +
      `<g${slot("head")}>${drawSkull(portrait, detail)}${shadow}<g${slot("features")}>${features}</g>` +
      `<g${slot("accessories")}>${drawAccessories(portrait, "face")}</g>` +
      `<g${slot("front")}>${drawFrontHair(portrait, detail)}${drawAccessories(portrait, "top")}</g></g>`,
  );
  const pieces = splitAtSlots(template);
  return (pose) => fillSlots(pieces, poseParts(portrait, pose));
}

/**
 * A shape with one paint gets that paint's opacity: the same picture, but `opacity` costs renderers a layer of the
 * frame's size for each shape (54 instead of 36 ms for a film's frame of 720 × 1280).
 */
const withPaintOpacity = (template: string) =>
  template.replace(/<(?:path|circle|ellipse|rect)\b[^>]*? opacity="[^>]*>/g, (shape) => {
    const [isFilled, isStroked] = [/ fill="(?!none)/.test(shape), / stroke="(?!none)/.test(shape)];
    if (isFilled && isStroked) return shape;
    // A shape without a paint has its group's.
    const both = shape.replace(/ opacity=("[^"]*")/, " fill-opacity=$1 stroke-opacity=$1");
    if (!isFilled && !isStroked) return both;
    return shape.replace(" opacity=", isStroked ? " stroke-opacity=" : " fill-opacity=");
  });

/** One pose of a person before the ground, as the inside of an SVG with the view box 0 0 200 200. Pure. */
export const drawPortrait = (portrait: PortraitParameters, pose: Pose, detail: Detail, mode: GroundMode = "light") =>
  drawGround(portrait, detail, mode) + createPersonDrawing(portrait, detail)(pose);

interface SvgOptions {
  detail: Detail;
  mode?: GroundMode;
  pose?: Pose;
  /** Part of the drawing that shows; the ground reaches beyond the 200-unit square on every side. */
  viewBox?: string;
}

/** A whole SVG document of a portrait. */
export function portraitSvg(portrait: PortraitParameters, options: SvgOptions): string {
  const { detail, mode, pose = restPose, viewBox = "0 0 200 200" } = options;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" preserveAspectRatio="xMidYMax slice">${drawPortrait(portrait, pose, detail, mode)}</svg>`;
}
