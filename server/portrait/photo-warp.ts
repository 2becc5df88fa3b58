import { mixMouth } from "./mouth-parts";
import { type FacePoint, type FacePoints, getFacePoints, type PhotoFace } from "./photo-face";
import {
  type Brush,
  createFeatureFrame,
  type FeatureFrame,
  heightOf,
  type MouthColors,
  type Patch,
  type Pixels,
  readMouthColors,
} from "./photo-patch";
import { clamp, easeInOut, type Pose } from "./pose";

/**
 * Prepares a photo to speak: the result draws the parts of it that a pose changes, jaw and lips around the mouth and the
 * lids. Columns of pixels move between the lines of the face's points. Pure: pages and films show the same pixels.
 */
export function createPhotoWarp(picture: Pixels, face: PhotoFace): (pose: Pose) => Patch[] {
  const points = getFacePoints(face);
  const mouth = createMouth(picture, points, face.points === undefined);
  const lids = face.eyes.length === 2 ? points.eyes.map((eye) => createLid(picture, eye)) : [];
  return (pose) => [...mouth(pose.mouth), ...(pose.blink < 0.05 ? [] : lids.map((lid) => lid(pose.blink)))];
}

const endsOf = (points: readonly FacePoint[]) => [points[0], points.at(-1)] as [FacePoint, FacePoint];

/** Half the width of the drawn mouth at rest: its other measures are scaled by it. */
const restHalf = 9.8;
/** Photographed lips open and narrow less than drawn ones, which show little else. */
const opening = 0.44;
const narrowing = 0.45;
/** Lips that are parted by more than this share of the mouth's width show teeth. */
const smileShare = 0.05;

interface Mouth {
  frame: FeatureFrame;
  /** Heights by column, from the nose down; nothing moves above the first line and below the last. */
  lines: Record<"nose" | "upperOuter" | "upperInner" | "lowerInner" | "lowerOuter" | "chin" | "neck", Float32Array>;
  jawHalf: number;
  isSmiling: boolean;
  colors: MouthColors;
}

function readMouth(picture: Pixels, points: FacePoints): Mouth {
  const { lips, jaw, nose } = points;
  const frame = createFeatureFrame(picture, endsOf(lips.upperInner), { side: 1.25, above: 0.9, below: 2 });
  const { width } = frame;
  const [upperInner, lowerInner] = [frame.lineOf(lips.upperInner), frame.lineOf(lips.lowerInner)];
  const lowerOuter = frame.lineOf(lips.lowerOuter);
  const chin = frame
    .lineOf(jaw)
    .map((height, column) => Math.max(height, (lowerOuter[column] as number) + 0.2 * width));
  const [left, right] = endsOf(jaw).map(({ x, y }) => frame.toLocal({ x: x * picture.width, y: y * picture.height }).x);
  return {
    frame,
    lines: {
      nose: frame.lineOf(nose),
      upperOuter: frame.lineOf(lips.upperOuter),
      upperInner,
      lowerInner: lowerInner.map((height, column) => Math.max(height, upperInner[column] as number)),
      lowerOuter,
      chin,
      neck: chin.map((height) => height + 0.5 * width),
    },
    jawHalf: 0.9 * Math.min(Math.abs(left ?? width), Math.abs(right ?? width), 1.25 * width),
    isSmiling: heightOf(lowerInner, 0) - heightOf(upperInner, 0) > smileShare * width,
    colors: readMouthColors(picture, points),
  };
}

/** What a pose does to the mouth, in pixels. */
interface MouthMove {
  up: number;
  down: number;
  /** Share of parted lips that closes. */
  close: number;
  stretch: number;
  teeth: number;
  isGuessed: boolean;
}

/** Lips that are known by their region only move gently, with nothing drawn between them: they may smile. */
function createMouth(picture: Pixels, points: FacePoints, isGuessed: boolean) {
  const mouth = readMouth(picture, points);
  const { width } = mouth.frame;
  const parted = heightOf(mouth.lines.lowerInner, 0) - heightOf(mouth.lines.upperInner, 0);
  return (pose: Pose["mouth"]): Patch[] => {
    const form = mixMouth(pose);
    const calm = isGuessed || mouth.isSmiling ? 0.38 : 1;
    const gap = (Math.max(0, form.innerBottom - form.innerTop - 0.1) * opening * calm * width) / (2 * restHalf);
    const stretch = 1 + (form.width / restHalf - 1) * narrowing * calm - (0.35 * gap) / width;
    const close = clamp(Math.max(pose.closure, pose.weights.pressed ?? 0));
    if (gap < 0.3 && Math.abs(stretch - 1) < 0.02 && close * parted < 0.3) return [];
    const move = { up: 0.13 * gap, down: 0.87 * gap, close, stretch, teeth: clamp(1.4 * form.teeth), isGuessed };
    const moving = { ...mouth, move, moved: moveLines(mouth, move) };
    return [mouth.frame.draw((u, v, brush) => shadeMouth(moving, u, v, brush))];
  };
}

type MovedLines = Record<"upperOuter" | "top" | "bottom" | "lowerOuter" | "chin", Float32Array>;

/** Where a pose puts the lines: lips open most in their middle, the chin follows in an arch as wide as the jaw. */
function moveLines({ frame, lines, jawHalf }: Mouth, { up, down, close }: MouthMove): MovedLines {
  const { upperOuter, upperInner, lowerInner, lowerOuter, chin } = lines;
  const moveBy = (line: Float32Array, shift: (column: number) => number) =>
    line.map((height, column) => height + shift(column));
  const archOf = (column: number) => Math.max(0, 1 - ((2.15 * (column - frame.half)) / frame.width) ** 2) ** 0.85;
  const jawOf = (column: number) => Math.max(0, 1 - ((column - frame.half) / jawHalf) ** 2) ** 2;
  const partedAt = (column: number) => (lowerInner[column] as number) - (upperInner[column] as number);
  const rise = (column: number) => 0.35 * close * partedAt(column) - up * archOf(column);
  const fall = (column: number) => down * archOf(column) - 0.65 * close * partedAt(column);
  return {
    upperOuter: moveBy(upperOuter, rise),
    top: moveBy(upperInner, rise),
    bottom: moveBy(lowerInner, fall),
    lowerOuter: moveBy(lowerOuter, fall),
    chin: moveBy(chin, (column) => 0.68 * down * jawOf(column)),
  };
}

interface MovedMouth extends Mouth {
  moved: MovedLines;
  move: MouthMove;
}

type Span = readonly [start: number, end: number];

/** Where `v` was, between two lines that moved from `still` to `moved`. */
const sourceOf = (v: number, moved: Span, still: Span) =>
  still[0] + ((v - moved[0]) * (still[1] - still[0])) / Math.max(0.01, moved[1] - moved[0]);

function shadeMouth(mouth: MovedMouth, u: number, v: number, brush: Brush) {
  const { frame, lines, moved, move } = mouth;
  const { width } = frame;
  const apart = (u / (1.25 * width)) ** 2 + (v / (1.1 * width)) ** 2;
  const from = u / (1 + (move.stretch - 1) * Math.max(0, 1 - apart) ** 2);
  const [nose, neck] = [heightOf(lines.nose, from), heightOf(lines.neck, from)];
  if (v <= nose || v >= neck) return;
  const [top, bottom] = [heightOf(moved.top, from), heightOf(moved.bottom, from)];
  if (v < (top + bottom) / 2) {
    const [lip, outer] = [heightOf(moved.upperOuter, from), heightOf(lines.upperOuter, from)];
    if (v < lip) brush.copy(from, sourceOf(v, [nose, lip], [nose, outer]));
    else brush.copy(from, sourceOf(Math.min(v, top), [lip, top], [outer, heightOf(lines.upperInner, from)]));
  } else {
    const [lip, chin] = [heightOf(moved.lowerOuter, from), heightOf(moved.chin, from)];
    const [outer, jaw] = [heightOf(lines.lowerOuter, from), heightOf(lines.chin, from)];
    if (v < lip)
      brush.copy(from, sourceOf(Math.max(v, bottom), [bottom, lip], [heightOf(lines.lowerInner, from), outer]));
    else if (v < chin) brush.copy(from, sourceOf(v, [lip, chin], [outer, jaw]));
    else brush.copy(from, sourceOf(v, [chin, neck], [jaw, neck]));
  }
  const inside = clamp(Math.min(v - top, bottom - v) / Math.max(1, 0.015 * width) + 0.5);
  if (inside > 0 && bottom - top > 0.4 && !move.isGuessed) shadeInside(mouth, { inside, from, v, top, bottom }, brush);
  const side = (frame.half - 2 - Math.abs(u)) / (0.25 * width);
  brush.opacity(easeInOut(Math.min(side, (v - nose) / (0.12 * width), (neck - v) / (0.15 * width))));
}

interface InsideOfMouth {
  /** Coverage of the pixel. */
  inside: number;
  from: number;
  v: number;
  top: number;
  bottom: number;
}

/** Photographed teeth stay where they are; below them, and between lips that were closed, the mouth is dark. */
function shadeInside(mouth: MovedMouth, { inside, from, v, top, bottom }: InsideOfMouth, brush: Brush) {
  const { colors, lines, isSmiling, frame, move } = mouth;
  const { width } = frame;
  const arch = Math.max(0, 1 - ((2.15 * from) / width) ** 2);
  const height = bottom - top;
  const depth = (v - top) / Math.max(1, height);
  const upper = heightOf(lines.upperInner, from);
  const parted = heightOf(lines.lowerInner, from) - upper;
  const teeth = isSmiling ? easeInOut((upper + 0.97 * parted - v) / Math.max(1, 0.25 * parted)) : 0;
  brush.paint(colors.deep, inside * (1 - teeth));
  const tongue = easeInOut((depth - 0.4) / 0.75) * easeInOut((height / width - 0.06) / 0.12) * arch;
  brush.paint(colors.tongue, 0.8 * inside * (1 - teeth) * tongue);
  if (teeth > 0) brush.copy(from, Math.max(v, upper), inside * teeth);
  if (isSmiling) return;
  const edge = Math.min(0.36 * height, 0.08 * width) * Math.sqrt(arch);
  const soft = Math.max(1, 0.55 * edge);
  const covered = easeInOut((edge - (v - top)) / soft) * easeInOut((v - top + 0.35 * soft) / (1.3 * soft));
  brush.paint(
    colors.teeth,
    0.7 * inside * covered * move.teeth * easeInOut(arch * 1.6) * easeInOut(height / width / 0.12),
  );
}

/** The lid comes down with its lashes; the skin between it and the brow is stretched, the brow itself stays. */
function createLid(picture: Pixels, eye: FacePoints["eyes"][number]) {
  const frame = createFeatureFrame(picture, endsOf(eye.upper), { side: 0.62, above: 0.7, below: 0.5 });
  const { width } = frame;
  const [upper, lower, brow] = [frame.lineOf(eye.upper), frame.lineOf(eye.lower), frame.lineOf(eye.brow)];
  return (blink: number): Patch =>
    frame.draw((u, v, brush) => {
      const [open, shut] = [heightOf(upper, u), heightOf(lower, u)];
      const side = (0.56 * width - Math.abs(u)) / (0.1 * width);
      if (side <= 0) return;
      const skin = open - 0.7 * Math.max(0, Math.min(open - heightOf(brow, u), 0.5 * width));
      const fall = Math.max(0, shut - open) * blink * easeInOut(side);
      const lid = open + fall;
      if (v <= skin || v > lid + 1) return;
      const lash = Math.min(0.12 * width, 0.6 * (open - skin));
      const [shown, start] = [Math.min(v, lid), lid - lash];
      if (shown < start) brush.copy(u, sourceOf(shown, [skin, start], [skin, open - lash]));
      else brush.copy(u, shown - fall);
      brush.opacity(easeInOut(Math.min(side, (v - skin) / (0.06 * width))) * clamp(lid + 1 - v));
    });
}
