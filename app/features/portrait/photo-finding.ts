import { toRegions } from "~server/portrait/face-edits";
import {
  type FacePoint,
  type FacePoints,
  type PhotoFace,
  type PictureRegion,
  toFacePoints,
  toPointCode,
} from "~server/portrait/photo-face";
import type { Pixels } from "~server/portrait/photo-patch";

/** A face of a picture: 468 points and its width, in shares of the picture. */
export interface FoundFace {
  points: readonly FacePoint[];
  width: number;
}

/** What was found in a photo, or why it cannot speak; with the place of the largest face. */
export type PhotoFinding = (
  | { kind: "found"; face: PhotoFace }
  | { kind: "none" | "several" | "turned" | "covered" | "dark" | "small" | "failed" }
) & { place?: PictureRegion };

/** Beside the largest face, one of this share of its width is another person. */
const otherShare = 0.4;
/** Of the picture's width. */
const smallestFace = 0.1;
/** Distances from the nose to both edges of a face that looks ahead are alike; their least ratio. */
const leastEvenness = 0.3;
/** Brightness that a tenth of the pixels exceeds, of 255. */
const leastLight = 50;

/** One face that looks ahead, with eyes to be seen and enough light; `faces` has the largest first. */
export function judgeFaces(picture: Pixels, faces: readonly FoundFace[]): PhotoFinding {
  const [first, ...others] = faces;
  if (brightestTenth(picture, first?.points) < leastLight) return { kind: "dark" };
  if (!first) return { kind: "none" };
  if (others.some(({ width }) => width > otherShare * first.width)) return { kind: "several" };
  if (first.width < smallestFace) return { kind: "small" };
  const at = (place: number) => first.points[place] ?? { x: 0, y: 0 };
  if (evennessOf(picture, at) < leastEvenness) return { kind: "turned" };
  if (areEyesCovered(picture, at)) return { kind: "covered" };
  const regions = toRegions(toFacePoints(at));
  const eyes = hasGlasses(picture, toFacePoints(at)) ? [] : regions.eyes;
  return { kind: "found", face: { ...regions, eyes, points: toPointCode(at) } };
}

export function placeOf({ points }: FoundFace): PictureRegion {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}

export const cropAspect = 5 / 4;
/** Heights of a face in its crop: below the least one the crop goes nearer, up to the other. */
const [leastFaceHeight, nearFaceHeight] = [1 / 3, 0.45];
/** Hair needs room above the face. */
const faceMiddle = 0.52;

/** The part of a photo to propose for a face: the largest one with room around it, in pixels. */
export function cropAround(face: PictureRegion, photo: { width: number; height: number }) {
  const largest = Math.min(photo.height, photo.width / cropAspect);
  const faceHeight = face.height * photo.height;
  const height = faceHeight < leastFaceHeight * largest ? faceHeight / nearFaceHeight : largest;
  const width = height * cropAspect;
  const inside = (from: number, most: number) => Math.min(Math.max(0, from), most);
  return {
    x: inside(face.x * photo.width - width / 2, photo.width - width),
    y: inside(face.y * photo.height - faceMiddle * height, photo.height - height),
    width,
    height,
  };
}

/** Places of the mesh. */
const nose = 1;
const edges = [234, 454] as const;

function evennessOf({ width, height }: Pixels, at: (place: number) => FacePoint): number {
  const [left, right] = edges.map((edge) =>
    Math.hypot((at(edge).x - at(nose).x) * width, (at(edge).y - at(nose).y) * height),
  ) as [number, number];
  return Math.min(left, right) / Math.max(left, right);
}

const sockets = [
  { above: [29, 27, 28], below: [229, 230, 231], eye: [33, 133, 159, 145], cheek: [50, 205] },
  { above: [259, 257, 258], below: [449, 450, 451], eye: [263, 362, 386, 374], cheek: [280, 425] },
] as const;

/** Dark glasses darken lid and skin below the eye; a hand or a bar leaves nothing that differs. */
function areEyesCovered(picture: Pixels, at: (place: number) => FacePoint): boolean {
  return sockets.some(({ above, below, eye, cheek }) => {
    const mean = (places: readonly number[]) =>
      places.reduce((sum, place) => sum + lightAt(picture, at(place)), 0) / places.length;
    const skin = mean(cheek);
    const isShaded = mean(above) < 0.5 * skin && mean(below) < 0.5 * skin;
    const [from, to] = [at(eye[0]), at(eye[1])];
    const middle = at(eye[2]).y + at(eye[3]).y;
    const across = Array.from({ length: 24 }, (_, index) => {
      const share = index / 23;
      return lightAt(picture, { x: from.x + (to.x - from.x) * share, y: middle / 2 });
    });
    return isShaded || Math.max(...across) - Math.min(...across) < 0.12 * skin;
  });
}

const rimShare = 0.2;

/** A rim between lid and brow would be drawn down with the lid. */
function hasGlasses(picture: Pixels, { eyes }: FacePoints): boolean {
  return eyes.some(({ upper, brow }) => {
    const [lid, line] = [upper[4], brow[2]];
    if (!lid || !line) return false;
    // Above the lashes and below the brow.
    const lights = Array.from({ length: 16 }, (_, index) => {
      const share = 0.2 + index / 32;
      return lightAt(picture, { x: lid.x + (line.x - lid.x) * share, y: lid.y + (line.y - lid.y) * share });
    });
    return Math.min(...lights) < rimShare * Math.max(...lights);
  });
}

function brightestTenth(picture: Pixels, points?: readonly FacePoint[]): number {
  const grid = Array.from({ length: 32 * 32 }, (_, index) => ({
    x: (index % 32) / 31,
    y: Math.floor(index / 32) / 31,
  }));
  const lights = (points ?? grid).map((point) => lightAt(picture, point)).sort((a, b) => a - b);
  return lights[Math.floor(0.9 * lights.length)] ?? 0;
}

function lightAt({ width, height, data }: Pixels, { x, y }: FacePoint): number {
  const [column, row] = [Math.round(x * (width - 1)), Math.round(y * (height - 1))];
  const place = 4 * (Math.min(height - 1, Math.max(0, row)) * width + Math.min(width - 1, Math.max(0, column)));
  return 0.3 * (data[place] ?? 0) + 0.59 * (data[place + 1] ?? 0) + 0.11 * (data[place + 2] ?? 0);
}
