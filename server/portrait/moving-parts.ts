import { jawDrop, type MovingParts, mouthParts, path, round, shift } from "./mouth-parts";
import type { PortraitParameters } from "./parameters";
import type { Pose } from "./pose";

interface FaceShape {
  /** Half a face to the right of the middle: controls of cheek, jaw and chin. */
  cheek: number;
  jawControl: readonly [number, number];
  jaw: readonly [number, number];
  chin: readonly [number, number];
  eyes: { y: number; apart: number; size: number };
  nose: number;
  mouth: { y: number; size: number };
}

const adultEyes = { y: 103, apart: 18, size: 1 };

/** The skull is the same for everyone, so that all hair fits; the jaw makes the face. */
export const faceShapes: Record<PortraitParameters["face"], FaceShape> = {
  oval: {
    cheek: 0,
    jawControl: [123, 137],
    jaw: [111, 145],
    chin: [104, 150],
    eyes: adultEyes,
    nose: 0,
    mouth: { y: 130, size: 1 },
  },
  round: {
    cheek: 3,
    jawControl: [128, 133],
    jaw: [113, 142.5],
    chin: [105, 148],
    eyes: adultEyes,
    nose: -0.5,
    mouth: { y: 128.5, size: 1 },
  },
  long: {
    cheek: -0.5,
    jawControl: [122, 141],
    jaw: [110.5, 149.5],
    chin: [104.5, 154],
    eyes: { ...adultEyes, apart: 17.5 },
    nose: 1.5,
    mouth: { y: 133, size: 1 },
  },
  square: {
    cheek: 1,
    jawControl: [130, 135],
    jaw: [114.5, 146],
    chin: [107, 150.5],
    eyes: { ...adultEyes, y: 102.5 },
    nose: 0.5,
    mouth: { y: 131, size: 1.04 },
  },
  child: {
    cheek: 5,
    jawControl: [130, 129],
    jaw: [113, 138],
    chin: [105, 142.5],
    eyes: { y: 107, apart: 18.5, size: 1.12 },
    nose: 1,
    mouth: { y: 128, size: 0.84 },
  },
};

function facePath(shape: FaceShape, drop: number): string {
  const { cheek, jawControl, jaw, chin } = shape;
  const [jawY, chinY] = [jaw[1] + 0.9 * drop, chin[1] + drop];
  const bend = jawControl[1] + 0.6 * drop;
  return path(
    "M66 89C66 61 81 45 100 45S134 61 134 89C",
    ...[134 + cheek, 119 + 0.2 * drop, jawControl[0], bend, jaw[0], jawY],
    "C",
    ...[chin[0], chinY, 200 - chin[0], chinY, 200 - jaw[0], jawY],
    "C",
    ...[200 - jawControl[0], bend, 66 - cheek, 119 + 0.2 * drop, 66, 89],
    "z",
  );
}

interface EyeShape {
  inner: readonly [number, number];
  /** Controls of the upper lid from the inner to the outer corner. */
  upper: readonly [number, number, number, number];
  outer: readonly [number, number];
  /** Controls of the lower lid from the outer to the inner corner. */
  lower: readonly [number, number, number, number];
}

/** Measured from the middle of the eye; x grows towards the temple. */
const eyeShapes: Record<PortraitParameters["eyes"], EyeShape> = {
  almond: { inner: [-10.5, 1.5], upper: [-7.5, -5.8, 4, -7.2], outer: [10, -0.5], lower: [6.5, 5.5, -6, 6.3] },
  round: { inner: [-9.6, 1.4], upper: [-7.5, -8.2, 5, -9], outer: [9.8, -0.2], lower: [7, 7, -5.8, 7.4] },
  smiling: { inner: [-10.2, 2.6], upper: [-6.5, -5.8, 5, -6.8], outer: [10.2, 1.6], lower: [5.5, 3.6, -5, 4.2] },
  narrow: { inner: [-11, 1.6], upper: [-7, -4, 4, -5.6], outer: [11, -1.8], lower: [6.5, 4, -6, 5] },
};

/** Lids, lashes and iris of one eye; `side` is −1 for the left one. */
function eyeParts(portrait: PortraitParameters, pose: Pose, side: -1 | 1) {
  const { eyes } = faceShapes[portrait.face];
  const { inner, upper, outer, lower } = eyeShapes[portrait.eyes];
  const x = (value: number) => 100 + side * (eyes.apart + value * eyes.size);
  const y = (value: number) => eyes.y + value * eyes.size;
  const mix = (open: number, shut: number) => open + (shut - open) * pose.blink;
  const shutY = 0.4;
  const lid = [
    mix(upper[0], lower[2]),
    mix(upper[1], lower[3] + shutY),
    mix(upper[2], lower[0]),
    mix(upper[3], lower[1] + shutY),
  ] as const;
  const opening = path(
    "M",
    ...[x(inner[0]), y(inner[1])],
    "C",
    ...[x(lid[0]), y(lid[1]), x(lid[2]), y(lid[3]), x(outer[0]), y(outer[1])],
    "C",
    ...[x(lower[0]), y(lower[1]), x(lower[2]), y(lower[3]), x(inner[0]), y(inner[1])],
    "z",
  );
  const wing = hasLongLashes(portrait) ? 3.4 : 1.4;
  const thick = hasLongLashes(portrait) ? 1.5 : 1.05;
  const lash = path(
    "M",
    ...[x(inner[0] - 0.5), y(inner[1])],
    "C",
    ...[x(lid[0]), y(lid[1] - thick), x(lid[2] - 0.5), y(lid[3] - thick - 0.6), x(outer[0] + 0.3), y(outer[1] - 0.8)],
    "Q",
    ...[x(outer[0] + wing * 0.5), y(outer[1] - 1), x(outer[0] + wing), y(outer[1] - wing * 0.75)],
    "Q",
    ...[x(outer[0] + wing * 0.7), y(outer[1] + 0.6), x(outer[0] - 0.2), y(outer[1] + 0.5)],
    "C",
    ...[x(lid[2]), y(lid[3] + 0.5), x(lid[0]), y(lid[1] + 0.5), x(inner[0] - 0.5), y(inner[1])],
    "z",
  );
  const gaze = shift(x(0.3) + 1.7 * pose.gaze.x, y(0.2) + 1.1 * pose.gaze.y);
  return { opening, lash, iris: `${gaze} scale(${eyes.size})` };
}

const softHair = "bob long wavy ponytail bun low-bun twin-buns pixie curls".split(" ");

/** Parameters know no gender; lashes and lips are drawn stronger with hair that mostly women wear. */
export const hasLongLashes = ({ hair, beard }: PortraitParameters) => beard === "none" && softHair.includes(hair);

/** Attributes of a portrait's moving parts for one pose: the same for pages and films. */
export function poseParts(portrait: PortraitParameters, pose: Pose): MovingParts {
  const shape = faceShapes[portrait.face];
  const drop = jawDrop(pose.mouth);
  const face = facePath(shape, drop);
  const { x, y } = pose.turn;
  const lift = -1.1 * pose.breath;
  const head = `${shift(pose.headShift.x, pose.headShift.y + 0.5 * lift)} rotate(${round(pose.headAngle)} 100 150)`;
  const swell = `translate(100 202) scale(${round(1 + 0.01 * pose.breath)} ${round(1 + 0.014 * pose.breath)}) translate(-100 -202)`;
  const brow = `translate(0 ${round(-2.8 * pose.brow)})`;
  const sides = ([-1, 1] as const).map((side) => ({
    name: side < 0 ? "left" : "right",
    ...eyeParts(portrait, pose, side),
  }));
  return {
    back: { transform: `${head} ${shift(-1.4 * x, -0.8 * y)}` },
    neck: { transform: `${shift(0.35 * pose.headShift.x, lift)} rotate(${round(0.3 * pose.headAngle)} 100 170)` },
    body: { transform: swell },
    head: { transform: head },
    skin: { d: face },
    "skin-clip": { d: face },
    jaw: { d: face },
    features: { transform: shift(2.6 * x, 1.9 * y) },
    chin: { transform: shift(0, drop) },
    accessories: { transform: shift(1.9 * x, 1.4 * y) },
    front: { transform: shift(0.6 * x, 0.5 * y) },
    brows: { transform: brow },
    ...mouthParts(shape.mouth, pose),
    ...Object.fromEntries(
      sides.flatMap(({ name, opening, lash, iris }) => [
        [`eye-${name}`, { d: opening }],
        [`eye-clip-${name}`, { d: opening }],
        [`lash-${name}`, { d: lash }],
        [`iris-${name}`, { transform: iris }],
      ]),
    ),
  };
}

/** Placeholder of an element's changing attributes in a template. */
export const slot = (name: string) => `\u0000${name}\u0000`;

/** A template with the attributes of one pose in its slots. */
export const fillSlots = (pieces: readonly string[], parts: MovingParts) =>
  pieces
    .map((piece, index) => {
      if (index % 2 === 0) return piece;
      const attributes = Object.entries(parts[piece] ?? {}).map(([name, value]) => ` ${name}="${value}"`);
      return ` data-part="${piece}"${attributes.join("")}`;
    })
    .join("");

export const splitAtSlots = (template: string) => template.split("\u0000");
