import { faceShapes, hasLongLashes, slot } from "./moving-parts";
import type { PortraitParameters } from "./parameters";
import { hairTones, mixColors, mouthInside, skinTones, teeth } from "./pigments";

/** `large` has shading, strands and folds; `small` stays clear at 64 px. */
export type Detail = "small" | "large";

/** Gradients and clips that the face refers to. Ids start with `pt-`, which each page replaces by another prefix. */
export function drawFaceDefinitions(portrait: PortraitParameters): string {
  const { base, shade, blush } = skinTones[portrait.skin];
  const light = mixColors(base, "#FFF6EC", 0.42);
  const deep = mixColors(base, shade, 0.75);
  const stops = (...list: [number, string, number?][]) =>
    list
      .map(
        ([at, color, opacity]) =>
          `<stop offset="${at}" stop-color="${color}"${opacity === undefined ? "" : ` stop-opacity="${opacity}"`}/>`,
      )
      .join("");
  return `<linearGradient id="pt-skin" x1=".1" y1="0" x2=".9" y2="1">${stops([0, light], [0.58, base], [1, deep])}</linearGradient>
<linearGradient id="pt-side" x1="0" x2="1">${stops([0, shade, 0], [0.62, shade, 0.06], [1, mixColors(shade, "#8A4A32", 0.25), 0.62])}</linearGradient>
<radialGradient id="pt-blush">${stops([0, blush, 0.5], [1, blush, 0])}</radialGradient>
<radialGradient id="pt-iris" cx=".5" cy=".78" r=".75">${stops([0, "#9A6A45"], [1, "#38221A"])}</radialGradient>
<linearGradient id="pt-neck" x1="0" y1="0" x2="0" y2="1">${stops([0, mixColors(shade, "#8A4A32", 0.35)], [0.55, shade], [1, base])}</linearGradient>
<clipPath id="pt-face"><path${slot("skin-clip")}/></clipPath>
<clipPath id="pt-mouth"><path${slot("opening-clip")}/></clipPath>
<clipPath id="pt-eye-left"><path${slot("eye-clip-left")}/></clipPath>
<clipPath id="pt-eye-right"><path${slot("eye-clip-right")}/></clipPath>`;
}

const neckHalf: Record<PortraitParameters["face"], number> = {
  oval: 15,
  round: 16,
  long: 15.5,
  square: 19,
  child: 12.5,
};

export function drawNeck(portrait: PortraitParameters, detail: Detail): string {
  const { base, shade } = skinTones[portrait.skin];
  const half = neckHalf[portrait.face];
  const [left, right] = [100 - half, 100 + half];
  const outline = `M${left} 120V142C${left - 1} 152 ${left - 8} 157 72 161L100 192 128 161C${right + 8} 157 ${right + 1} 152 ${right} 142V120z`;
  const bones = `<path d="M76 166c7 0 13 2 18 6M124 166c-7 0-13 2-18 6" fill="none" stroke="${mixColors(shade, "#8A4A32", 0.3)}" stroke-width="1.1" stroke-linecap="round" opacity=".45"/>`;
  return `<path d="${outline}" fill="${base}"/><path d="M${left} 128V146C${left + 8} 160 ${right - 8} 160 ${right} 146V128z" fill="url(#pt-neck)" opacity=".85"/>${detail === "large" ? bones : ""}`;
}

/** Ears and the modelled face, without features. */
export function drawSkull(portrait: PortraitParameters, detail: Detail): string {
  const { base, shade } = skinTones[portrait.skin];
  const ear = `<path d="M67 95c-7-4-11 2-9 11 1.5 8 5 13 10.5 12z" fill="${base}"/><path d="M65.5 100c-4-1.5-5.5 3-3.5 8M63.5 112c2 .5 3-1 2.5-3" fill="none" stroke="${shade}" stroke-width="1.3" stroke-linecap="round"/>`;
  const ears = `${ear}<g transform="matrix(-1 0 0 1 200 0)">${ear}</g>`;
  const skin = `<path${slot("skin")} fill="url(#pt-skin)"/>`;
  if (detail === "small") return ears + skin;
  const cheek = faceShapes[portrait.face].eyes.y + 16;
  return `${ears}${skin}<g clip-path="url(#pt-face)"><path d="M96 40H142V160H92C118 150 124 92 96 40z" fill="url(#pt-side)"/><circle cx="78" cy="${cheek}" r="12" fill="url(#pt-blush)"/><circle cx="122" cy="${cheek}" r="12" fill="url(#pt-blush)"/></g><path${slot("jaw")} fill="none" stroke="#2B1A14" stroke-width=".9" opacity=".3"/>`;
}

/** Draws the lines of age: corners of eyes and mouth first, then forehead and cheeks. */
export function drawAgeLines({ lines, skin, face }: PortraitParameters): string {
  if (lines === 0) return "";
  const stroke = mixColors(skinTones[skin].shade, "#6E3A26", 0.4);
  const { y } = faceShapes[face].eyes;
  const near = `<path d="M${87} ${y + 16}c-3 3-4.5 6.5-4.5 10M${113} ${y + 16}c3 3 4.5 6.5 4.5 10" opacity="${lines === 2 ? 0.85 : 0.5}"/><path d="M70.5 ${y + 2}l-3.5 1.500M70.5 ${y + 4.5}l-3 3M129.5 ${y + 2}l3.5 1.500M129.5 ${y + 4.5}l3 3" opacity="${lines === 2 ? 0.7 : 0.4}"/>`;
  const old = `<path d="M84 72c10-2 22-2 32 0M86 66.500c9-1.5 19-1.5 28 0M81 77.500c12-2 26-2 38 0" opacity=".45"/><path d="M75 ${y + 9}c4 3 10 3.5 14 .5M125 ${y + 9}c-4 3-10 3.5-14 .5M73 ${y + 18}c1 5 3 9 6 12M127 ${y + 18}c-1 5-3 9-6 12" opacity=".36"/>`;
  return `<g fill="none" stroke="${stroke}" stroke-width="1.1" stroke-linecap="round">${near}${lines === 2 ? old : ""}</g>`;
}

export function drawNose({ face, skin }: PortraitParameters, detail: Detail): string {
  const line = mixColors(skinTones[skin].shade, "#8A4430", 0.45);
  const { nose } = faceShapes[face];
  if (face === "child")
    return `<g fill="none" stroke="${line}" stroke-linecap="round"><path d="M96.5 119c1 1.8 5.5 1.8 7 0" stroke-width="1.4"/>${detail === "large" ? '<path d="M100.5 110v5" stroke="#fff" stroke-width="2.4" opacity=".4"/>' : ""}</g>`;
  const bridge = `<path d="M98.5 102c-1.5 7-4 12-4.5 15.5 1.5 2.5 4 3 6 3s4-1 5.5-2.5" stroke-width="${detail === "large" ? 1.1 : 1.7}"/>`;
  const fine = `<path d="M95 118.500c1-1.5 2.5-1.5 3.5 0M102 118.500c1-1.5 2.5-1.5 3.5 0" stroke="${mixColors(line, "#5A2A1C", 0.4)}" stroke-width="1.1"/><path d="M100.7 100c-.5 6-.5 11 0 14.5" stroke="#fff" stroke-width="2" opacity=".34"/>`;
  return `<g transform="translate(0 ${nose})" fill="none" stroke="${line}" stroke-linecap="round">${bridge}${detail === "large" ? fine : ""}</g>`;
}

/** Right brow; the left one is its mirror image. */
const brows: Record<PortraitParameters["brows"], string> = {
  soft: "M106.5 93.300c1.5-3 4.5-4.9 10.5-5.9 6-.5 11.5 1.5 15 5.5-4.5-2.5-9.5-3.5-14.5-3-4.5.500-8 1.9-11 3.400z",
  flat: "M106 91.800c3-2.6 7-3.7 12-3.7 6 0 10 1.5 13.5 4.3-4.5-1.3-9-1.7-13.5-1.3-4.5.300-8.5 1.1-12 .7z",
  arched: "M106.5 92.200c2-3.5 6-6.5 11.5-7.7 6-.8 11 2.3 14.5 7.2-4.5-3.4-9-5.1-14-4.5-4.8.700-8.6 2.9-12 5z",
  bold: "M105 93.600c1.5-4.3 6-7.3 12.8-7.9 7-.3 12.2 2 15.7 6.8-4.5-1.9-9-2.3-14.7-1.7-5.3.600-10.3 1.4-13.8 2.800z",
};

/** Brows, whites, irises, lids. */
export function drawEyes(portrait: PortraitParameters, detail: Detail): string {
  const { eyes } = faceShapes[portrait.face];
  const { brow } = hairTones[portrait.hairColor];
  const crease = mixColors(skinTones[portrait.skin].shade, "#7A3E2A", 0.35);
  const size = portrait.eyes === "round" ? 6.3 : portrait.eyes === "almond" ? 5.7 : 5.2;
  const iris =
    detail === "large"
      ? `<circle r="${size}" fill="#2A1712"/><circle r="${size - 0.4}" fill="url(#pt-iris)"/><circle r="${size * 0.48}" fill="#120B09"/><circle cx="-1.8" cy="-2.3" r="1.6" fill="#fff"/><circle cx="2" cy="2.3" r=".7" fill="#fff" opacity=".75"/>`
      : `<circle r="${size + 0.3}" fill="#2A1712"/><circle cx="-1.8" cy="-2.2" r="1.9" fill="#fff"/>`;
  const eye = (side: "left" | "right") =>
    `<path${slot(`eye-${side}`)} fill="#FFFDF9"/><g clip-path="url(#pt-eye-${side})"><g${slot(`iris-${side}`)}>${iris}</g>${detail === "large" ? `<path d="M${side === "left" ? 68 : 106} ${eyes.y - 10}h26v7c-8-2.5-18-2.5-26 0z" fill="#7A4A3A" opacity=".22"/>` : ""}</g><path${slot(`lash-${side}`)} fill="#221713"/>`;
  const fold = `<path d="M${100 + eyes.apart - 8} ${eyes.y - 4.5}c5-4 13-4.2 18 .3" fill="none" stroke="${crease}" stroke-width=".9" stroke-linecap="round" opacity=".8"/><path d="M${100 + eyes.apart - 7} ${eyes.y + (portrait.eyes === "smiling" ? 6.5 : 5.5)}c4.5 2.3 10.5 1.8 15-1.8" fill="none" stroke="${crease}" stroke-width=".8" stroke-linecap="round" opacity="${portrait.eyes === "smiling" ? 0.8 : 0.45}"/>`;
  const browPath = `<path d="${brows[portrait.brows]}" fill="${brow}" opacity=".92"${detail === "small" ? ` stroke="${brow}" stroke-width=".8"` : ""}/>`;
  const mirrored = (markup: string) => `${markup}<g transform="matrix(-1 0 0 1 200 0)">${markup}</g>`;
  const lift = eyes.y - 103;
  return `${detail === "large" ? mirrored(fold) : ""}${eye("left")}${eye("right")}<g transform="translate(0 ${lift})"><g${slot("brows")}>${mirrored(browPath)}</g></g>`;
}

export function drawMouth(portrait: PortraitParameters, detail: Detail): string {
  const tone = skinTones[portrait.skin];
  const lip = hasLongLashes(portrait) ? tone.lip : mixColors(tone.lip, tone.base, 0.36);
  const lower = mixColors(lip, "#F3A58E", 0.24);
  const dark = mixColors(mouthInside, lip, 0.2);
  const tongue = `<ellipse${slot("tongue")} cx="0" cy="0" rx="6" ry="3.2" fill="#CE6F69"/>`;
  const shine = `<g${slot("lip-shine")}><path d="M-3.5 0c2.3.800 4.7.800 7 0" fill="none" stroke="#fff" stroke-width=".9" stroke-linecap="round" opacity=".42"/></g>`;
  return `<g${slot("mouth")}><path${slot("lower-lip")} fill="${lower}"/><path${slot("upper-lip")} fill="${lip}"/><path${slot("opening")} fill="${mouthInside}" stroke="${dark}" stroke-width="${detail === "large" ? 1 : 1.5}" stroke-linejoin="round"/><g clip-path="url(#pt-mouth)">${tongue}<path${slot("teeth")} fill="${teeth}"/></g>${detail === "large" ? shine : ""}</g>`;
}

/** Stubble and beards in two layers: what stays with the cheeks, and what follows the chin. */
export function drawBeard({ beard, hairColor }: PortraitParameters): { cheeks: string; chin: string } {
  const { base, sheen } = hairTones[hairColor];
  const strands = (d: string) =>
    `<path d="${d}" fill="none" stroke="${sheen}" stroke-width=".9" stroke-linecap="round" opacity=".7"/>`;
  const mustache = `<path d="M100 123.500c-4-2-10-.5-14.5 5.5-1 1.5-1.5 2.5-2 3.5 5.5-3.5 12-4 16.5-5 4.5 1 11 1.5 16.5 5-.5-1-1-2-2-3.5-4.5-6-10.5-7.5-14.5-5.500z" fill="${base}"/>`;
  switch (beard) {
    case "none":
      return { cheeks: "", chin: "" };
    case "stubble":
      return {
        cheeks: `<g clip-path="url(#pt-face)"><path d="M64 106C68 128 78 150 100 152S132 128 136 106C130 119 122 123 114 121 108 119 92 119 86 121 78 123 70 119 64 106z" fill="${base}" opacity=".2"/></g>`,
        chin: "",
      };
    case "goatee":
      return {
        cheeks: mustache,
        chin: `<path d="M90 139c5 3 15 3 20 0 2 10-2 20-10 24-8-4-12-14-10-24z" fill="${base}"/>${strands("M96 144c0 6 1 11 3 15M104 144c0 6-1 11-3 15")}`,
      };
    case "full":
      return {
        cheeks: `<g clip-path="url(#pt-face)"><path d="M65 92C66 122 74 152 100 156S134 122 135 92C132 110 126 119 118 121 110 120 105 121 100 123.5 95 121 90 120 82 121 74 119 68 110 65 92z" fill="${base}"/></g>`,
        chin: `<path d="M68 112C72 142 84 158 100 159S128 142 132 112C127 128 121 134 113 134 112 141 108 145 100 145S88 141 87 134C79 134 73 128 68 112z" fill="${base}"/>${strands("M76 132c3 9 8 15 14 19M124 132c-3 9-8 15-14 19M92 148c2 3 4 6 6 7M108 148c-2 3-4 6-6 7M72 120c1 4 2 7 3 9M128 120c-1 4-2 7-3 9")}`,
      };
    case "long":
      return {
        cheeks: mustache,
        chin: `<path d="M79 134c2 26 8 46 22 64 13-17 19-38 20-64-10 12-32 12-42 0z" fill="${base}"/><path d="M86 128c-5 6-8 14-9 26 3-9 8-16 14-22zM114 128c5 6 8 14 9 26-3-9-8-16-14-22z" fill="${base}"/>${strands("M90 146c1 14 4 26 8 38M96 146c0 16 2 30 5 44M104 146c1 14 0 26-2 38M110 146c0 12-2 22-5 32M84 142c1 8 2 14 4 19M116 142c0 8-2 14-4 19")}`,
      };
  }
}
