import { clamp, type MouthShape, nearestMouth, type Pose } from "./pose";

/** SVG attributes of each element that moves; the elements carry the part's name as `data-part`. */
export type MovingParts = Record<string, Record<string, string>>;

export const round = (value: number) => Math.round(value * 100) / 100;

/** SVG path data: letters and numbers, rounded to hundredths of a unit. */
export const path = (...steps: (string | number)[]) =>
  steps.map((step) => (typeof step === "number" ? ` ${round(step)}` : step)).join("");

export const shift = (x: number, y: number) => `translate(${round(x)} ${round(y)})`;

/** A drawn mouth, measured from its middle; mixtures are weighted means. */
interface MouthForm {
  width: number;
  /** Top of the upper lip, inner edges of both lips, bottom of the lower lip. */
  top: number;
  innerTop: number;
  innerBottom: number;
  bottom: number;
  /** Below the middle is positive; smiling corners are above. */
  corner: number;
  teeth: number;
  tongue: number;
}

const mouthForms: Record<MouthShape, MouthForm> = {
  rest: { width: 9.8, top: -2.4, innerTop: 0.9, innerBottom: 1, bottom: 4.3, corner: -1.5, teeth: 0, tongue: 0 },
  pressed: { width: 9.2, top: -1.7, innerTop: 0.5, innerBottom: 0.6, bottom: 3.2, corner: 0, teeth: 0, tongue: 0 },
  bite: { width: 9, top: -2.8, innerTop: -0.9, innerBottom: 1.6, bottom: 4, corner: 0, teeth: 1, tongue: 0 },
  narrow: { width: 9, top: -2.8, innerTop: -1, innerBottom: 2.8, bottom: 5.9, corner: -0.2, teeth: 0.9, tongue: 0 },
  wide: { width: 10.6, top: -3, innerTop: -1.6, innerBottom: 4.6, bottom: 7.9, corner: -0.7, teeth: 1, tongue: 0.3 },
  open: { width: 9.6, top: -3.6, innerTop: -2, innerBottom: 9.8, bottom: 13.2, corner: 0.2, teeth: 1, tongue: 1 },
  round: {
    width: 6.6,
    top: -4.2,
    innerTop: -2.4,
    innerBottom: 6.8,
    bottom: 10.2,
    corner: 1.6,
    teeth: 0.35,
    tongue: 0.5,
  },
  pucker: { width: 5.4, top: -3.6, innerTop: -0.8, innerBottom: 2.8, bottom: 6.2, corner: 0.8, teeth: 0, tongue: 0 },
};

const formKeys = Object.keys(mouthForms.rest) as (keyof MouthForm)[];

/** The drawn mouth that a pose mixes, measured from its middle. */
export function mixMouth({ weights, closure, size }: Pose["mouth"]): MouthForm {
  const mixed = { ...mouthForms.rest };
  for (const key of formKeys) mixed[key] = 0;
  const add = (shape: MouthShape, weight: number) => {
    const form = mouthForms[shape];
    const isClosed = shape === "rest" || shape === "pressed";
    for (const key of formKeys) {
      const opens = key === "innerBottom" || key === "bottom" || key === "innerTop";
      mixed[key] += weight * (isClosed || !opens ? form[key] : form[key] * size + restOf(key) * (1 - size));
    }
  };
  let given = 0;
  for (const [shape, weight] of Object.entries(weights) as [MouthShape, number][]) {
    add(shape, weight * (1 - closure));
    given += weight;
  }
  if (given < 1) add("rest", (1 - given) * (1 - closure));
  if (closure > 0) add("pressed", closure);
  return mixed;
}

const restOf = (key: keyof MouthForm) => mouthForms.rest[key];

/** Lips, teeth and tongue of a pose, around the middle of a face's mouth. */
export function mouthParts(place: { y: number; size: number }, pose: Pose): MovingParts {
  const { width, top, innerTop, innerBottom, bottom, corner, teeth, tongue } = mixMouth(pose.mouth);
  const inner = width - 1.1;
  const gap = innerBottom - innerTop;
  const upperEdge = ["C", -inner * 0.5, innerTop, -inner * 0.2, innerTop + 0.25, 0, innerTop + 0.3] as const;
  const upperEdgeOut = ["C", inner * 0.2, innerTop + 0.25, inner * 0.5, innerTop, inner, corner] as const;
  const lowerEdge = ["C", inner * 0.72, innerBottom, -inner * 0.72, innerBottom, -inner, corner] as const;
  const opening = path("M", -inner, corner, ...upperEdge, ...upperEdgeOut, ...lowerEdge, "z");
  const upperLip = path(
    ...["M", -width, corner, "C", -width * 0.62, top * 0.72, -width * 0.36, top * 1.2, 0, top * 0.74],
    ...["C", width * 0.36, top * 1.2, width * 0.62, top * 0.72, width, corner],
    ...["C", inner * 0.5, innerTop + 0.5, inner * 0.2, innerTop + 0.6, 0, innerTop + 0.7],
    ...["C", -inner * 0.2, innerTop + 0.6, -inner * 0.5, innerTop + 0.5, -width, corner, "z"],
  );
  const lowerLip = path(
    ...["M", -width, corner, "C", -width * 0.78, bottom * 1.02, -width * 0.4, bottom * 1.06, 0, bottom * 1.02],
    ...["C", width * 0.4, bottom * 1.06, width * 0.78, bottom * 1.02, width, corner],
    ...["C", inner * 0.72, innerBottom - 0.3, -inner * 0.72, innerBottom - 0.3, -width, corner, "z"],
  );
  const edge = innerTop + Math.min(3.2, 0.42 * gap);
  const upperTeeth = path("M", -inner, corner - 4, "H", inner, "V", corner, "Q", 0, edge + 1.2, -inner, corner, "z");
  return {
    mouth: {
      "data-mouth": nearestMouth(pose.mouth),
      transform: `translate(100 ${place.y}) scale(${place.size})`,
    },
    opening: { d: opening },
    "opening-clip": { d: opening },
    teeth: { d: upperTeeth, "fill-opacity": String(round(gap < 0.7 ? 0 : clamp(2 * teeth))) },
    tongue: {
      transform: `translate(0 ${round(innerBottom - 0.1 * gap)}) scale(${round(width / 9.6)} ${round(clamp(gap / 10, 0.05, 1.2))})`,
      "fill-opacity": String(round(clamp(1.5 * tongue))),
    },
    "upper-lip": { d: upperLip },
    "lower-lip": { d: lowerLip },
    "lip-shine": { transform: shift(0, 0.55 * bottom + 0.45 * innerBottom) },
  };
}

/** Drop of the chin, in units. */
export const jawDrop = (mouth: Pose["mouth"]) => 0.32 * clamp(mixMouth(mouth).innerBottom - 1, 0, 12);
