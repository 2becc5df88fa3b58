import {
  type FacePoint,
  type FacePoints,
  meshPlaces,
  type PhotoFace,
  type PictureRegion,
  readPoints,
  toPointCode,
} from "./photo-face";
import { clamp } from "./pose";

/** Moves and sizes the mouth's or an eye's points with its region; `part` is `mouth` or the eye's number. */
export function movePart(face: PhotoFace, part: "mouth" | number, to: PictureRegion): PhotoFace {
  const from = part === "mouth" ? face.mouth : face.eyes[part];
  const moved =
    part === "mouth"
      ? { ...face, mouth: to }
      : { ...face, eyes: face.eyes.map((eye, index) => (index === part ? to : eye)) };
  if (!face.points || !from) return moved;
  const side = part === 0 ? "Left" : "Right";
  const isOwn = (name: string) => (part === "mouth" ? /Outer|Inner/.test(name) : name.endsWith(side));
  const own = new Set(Object.entries(meshPlaces).flatMap(([name, places]) => (isOwn(name) ? places : [])));
  const read = readPoints(face.points);
  const mesh = (place: number) => {
    const { x, y } = read(place);
    if (!own.has(place)) return { x, y };
    return { x: to.x + ((x - from.x) * to.width) / from.width, y: to.y + ((y - from.y) * to.height) / from.height };
  };
  return { ...moved, points: toPointCode(mesh) };
}

/** The same face in a part of the picture; `cut` is in shares of the picture. */
export function cropFace({ mouth, eyes, points }: PhotoFace, cut: FaceCut): PhotoFace {
  const move = ({ x, y }: FacePoint) => ({ x: (x - cut.left) / cut.width, y: (y - cut.top) / cut.height });
  const crop = ({ width, height, ...middle }: PictureRegion): PictureRegion => ({
    ...move(middle),
    width: width / cut.width,
    height: height / cut.height,
  });
  const read = points && readPoints(points);
  return {
    mouth: crop(mouth),
    eyes: eyes.map(crop),
    ...(read && { points: toPointCode((place) => move(read(place))) }),
  };
}

interface FaceCut {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The regions around mouth and eyes, a little larger than they are. */
export function toRegions({ lips, eyes }: FacePoints): Pick<PhotoFace, "mouth" | "eyes"> {
  return {
    mouth: regionAround([...lips.upperOuter, ...lips.lowerOuter]),
    eyes: eyes.map(({ upper, lower }) => regionAround([...upper, ...lower])),
  };
}

/** Of the width and of the height, on each side. */
const margin = { side: 0.06, end: 0.15 };

function regionAround(points: readonly FacePoint[]): PictureRegion {
  const around = (values: readonly number[], share: number) => {
    const [from, to] = [Math.min(...values), Math.max(...values)];
    const room = share * (to - from);
    return [clamp(from - room), clamp(to + room)] as const;
  };
  const [left, right] = around(
    points.map(({ x }) => x),
    margin.side,
  );
  const [top, bottom] = around(
    points.map(({ y }) => y),
    margin.end,
  );
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}
