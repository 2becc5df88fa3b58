/** The 15 mouth positions of a timeline (Oculus visemes). */
export const visemes = [
  "sil",
  "PP",
  "FF",
  "TH",
  "DD",
  "kk",
  "CH",
  "SS",
  "nn",
  "RR",
  "aa",
  "E",
  "ih",
  "oh",
  "ou",
] as const;

export type Viseme = (typeof visemes)[number];

/** The eight mouths that are drawn; a frame is a mixture of them. */
export type MouthShape = "rest" | "pressed" | "bite" | "narrow" | "wide" | "open" | "round" | "pucker";

/** The drawn mouth, one of eight, of each viseme. */
export const mouthShapes: Record<Viseme, MouthShape> = {
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

interface PosePoint {
  x: number;
  y: number;
}

/** Everything about a person that moves, at one moment. */
export interface Pose {
  mouth: {
    /** Share of each drawn mouth; what is missing to 1 is rest. */
    weights: Partial<Record<MouthShape, number>>;
    /** 1 holds the lips together whatever the weights are. */
    closure: number;
    /** Opening: about 0.5 for soft speech, 1.15 for loud speech. */
    size: number;
  };
  /** Roll of the head in degrees, clockwise. */
  headAngle: number;
  /** Units of the 200-unit drawing. */
  headShift: PosePoint;
  /** −1 left or up to 1 right or down: features move on the head, hair behind it the other way. */
  turn: PosePoint;
  /** −0.3 lowered, 0 at rest, 1 raised. */
  brow: number;
  /** 0 open, 1 closed. */
  blink: number;
  /** −1 to 1 on each axis. */
  gaze: PosePoint;
  /** 0 exhaled, 1 inhaled. */
  breath: number;
}

/** A person who looks ahead and is silent; stills are drawn in it. */
export const restPose: Pose = {
  mouth: { weights: {}, closure: 0, size: 1 },
  headAngle: 0,
  headShift: { x: 0, y: 0 },
  turn: { x: 0, y: 0 },
  brow: 0,
  blink: 0,
  gaze: { x: 0, y: 0 },
  breath: 0,
};

/** For people who asked for less motion: lips move, all else rests. */
export const toMouthOnly = ({ mouth }: Pose): Pose => ({ ...restPose, mouth });

/** Eases from one pose (share 0) to another (share 1). The mouth is the second one's at once: lips must not lag. */
export function mixPoses(from: Pose, to: Pose, share: number): Pose {
  const mix = (a: number, b: number) => a + (b - a) * share;
  const mixPoints = (a: PosePoint, b: PosePoint) => ({ x: mix(a.x, b.x), y: mix(a.y, b.y) });
  return {
    mouth: to.mouth,
    headAngle: mix(from.headAngle, to.headAngle),
    headShift: mixPoints(from.headShift, to.headShift),
    turn: mixPoints(from.turn, to.turn),
    brow: mix(from.brow, to.brow),
    blink: mix(from.blink, to.blink),
    gaze: mixPoints(from.gaze, to.gaze),
    breath: mix(from.breath, to.breath),
  };
}

/** The drawn mouth that a pose resembles most. */
export function nearestMouth({ weights, closure }: Pose["mouth"]): MouthShape {
  if (closure > 0.5) return "pressed";
  let best: MouthShape = "rest";
  let most = 1 - Object.values(weights).reduce((sum, weight) => sum + weight, 0) + (weights.rest ?? 0);
  for (const [shape, weight] of Object.entries(weights) as [MouthShape, number][]) {
    if (shape === "rest" || weight <= most) continue;
    best = shape;
    most = weight;
  }
  return best;
}

/** Numbers from 0 to below 1 that follow from a text: FNV-1a, then mulberry32. */
export function createRandom(seed: string): () => number {
  let state = 2166136261;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const clamp = (value: number, low = 0, high = 1) => Math.min(high, Math.max(low, value));

/** 0 up to 0, 1 from 1 on, without corners between. */
export function easeInOut(value: number): number {
  const x = clamp(value);
  return x * x * (3 - 2 * x);
}

/** Rises to 1 within `attack` seconds before 0, falls within `release` seconds after it. */
export const bump = (seconds: number, attack: number, release: number) =>
  seconds < 0 ? easeInOut((seconds + attack) / attack) : easeInOut((release - seconds) / release);
