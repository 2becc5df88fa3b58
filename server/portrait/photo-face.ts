/** A part of a picture, in shares of its width and height; x and y are the middle. */
export interface PictureRegion {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What moves in a photo, as its owner saw it before it was kept. */
export interface PhotoFace {
  mouth: PictureRegion;
  /** None or two; without them the photo does not blink. */
  eyes: readonly PictureRegion[];
  /** Lips, lids, brows and jaw as found, see `toPointCode`; without them the mouth moves gently and the eyes not. */
  points?: string;
}

/** A role keeps it where a drawn portrait has its parameters. */
export const toPhotoPortrait = (face: PhotoFace) => ({ photo: face });

/** Reads a confirmed face from a role's field; null if there is none. */
export function parsePhotoFace(portrait: unknown): PhotoFace | null {
  const photo = fieldOf(portrait, "photo");
  const mouth = parseRegion(fieldOf(photo, "mouth"));
  const [eyes, points] = [fieldOf(photo, "eyes"), fieldOf(photo, "points")];
  const regions = Array.isArray(eyes) ? eyes.map(parseRegion) : [];
  if (!mouth || regions.length > 2 || regions.some((eye) => eye === null)) return null;
  return { mouth, eyes: regions as PictureRegion[], ...(isPointCode(points) && { points }) };
}

const smallestShare = 0.005;

function parseRegion(value: unknown): PictureRegion | null {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((key) => fieldOf(value, key));
  if (typeof x !== "number" || typeof y !== "number" || typeof width !== "number" || typeof height !== "number")
    return null;
  const isInside = (middle: number, size: number) =>
    size >= smallestShare && middle - size / 2 >= -0.001 && middle + size / 2 <= 1.001;
  return isInside(x, width) && isInside(y, height) ? { x, y, width, height } : null;
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

/** In shares of the picture's width and height, or in pixels. */
export interface FacePoint {
  x: number;
  y: number;
}

type PointList = readonly FacePoint[];

/** Each list goes from the left of the picture to the right; those of lips and lids include the corners. */
export interface FacePoints {
  lips: { upperOuter: PointList; upperInner: PointList; lowerInner: PointList; lowerOuter: PointList };
  /** Along the lower edge of the face. */
  jaw: PointList;
  /** Below the nose. */
  nose: PointList;
  /** Left and right in the picture; `brow` is the brow's lower edge. */
  eyes: readonly { upper: PointList; lower: PointList; brow: PointList }[];
}

/** Places of the points in MediaPipe's mesh of 468. */
export const meshPlaces = {
  upperOuter: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
  upperInner: [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
  lowerInner: [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
  lowerOuter: [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291],
  jaw: [172, 136, 149, 176, 152, 400, 378, 365, 397],
  nose: [98, 2, 327],
  upperLeft: [33, 246, 161, 160, 159, 158, 157, 173, 133],
  lowerLeft: [33, 7, 163, 144, 145, 153, 154, 155, 133],
  browLeft: [46, 53, 52, 65, 55],
  upperRight: [362, 398, 384, 385, 386, 387, 388, 466, 263],
  lowerRight: [362, 382, 381, 380, 374, 373, 390, 249, 263],
  browRight: [285, 295, 282, 283, 276],
};

/** Every place once, in the order of a code: append, never reorder, because roles keep codes. */
const codedPlaces = [...new Set(Object.values(meshPlaces).flat())];
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const steps = digits.length ** 2 - 1;
const charactersPerPoint = 4;

/** The points as a short text: two digits of base 64 per coordinate. `mesh` is in shares of the picture. */
export function toPointCode(mesh: (place: number) => FacePoint): string {
  const write = (share: number) => {
    const step = Math.round(Math.min(1, Math.max(0, share)) * steps);
    return `${digits[Math.floor(step / digits.length)]}${digits[step % digits.length]}`;
  };
  return codedPlaces.map((place) => write(mesh(place).x) + write(mesh(place).y)).join("");
}

export const isPointCode = (value: unknown): value is string =>
  typeof value === "string" && value.length === charactersPerPoint * codedPlaces.length && /^[\w-]+$/.test(value);

/** The points of a confirmed face; shapes that fill its regions where it has none. */
export const getFacePoints = (face: PhotoFace): FacePoints =>
  face.points ? toFacePoints(readPoints(face.points)) : guessPoints(face);

/** Reads a code by places of the mesh. */
export function readPoints(code: string): (place: number) => FacePoint {
  const digit = (at: number) => digits.indexOf(code.charAt(at));
  const share = (at: number) => (digit(at) * digits.length + digit(at + 1)) / steps;
  return (place) => {
    const at = charactersPerPoint * codedPlaces.indexOf(place);
    return { x: share(at), y: share(at + 2) };
  };
}

export function toFacePoints(mesh: (place: number) => FacePoint): FacePoints {
  const pick = (name: keyof typeof meshPlaces) => meshPlaces[name].map(mesh);
  return {
    lips: {
      upperOuter: pick("upperOuter"),
      upperInner: pick("upperInner"),
      lowerInner: pick("lowerInner"),
      lowerOuter: pick("lowerOuter"),
    },
    jaw: pick("jaw"),
    nose: pick("nose"),
    eyes: [
      { upper: pick("upperLeft"), lower: pick("lowerLeft"), brow: pick("browLeft") },
      { upper: pick("upperRight"), lower: pick("lowerRight"), brow: pick("browRight") },
    ],
  };
}

/** Closed lips and a chin in the proportions of a face that looks ahead. */
function guessPoints({ mouth }: PhotoFace): FacePoints {
  const arc = ({ x, y, width }: PictureRegion, lift: number, count = 9) =>
    Array.from({ length: count }, (_, index) => {
      const across = (2 * index) / (count - 1) - 1;
      return { x: x + (across * width) / 2, y: y + lift * (1 - across ** 2) };
    });
  const tall = Math.max(mouth.height, 0.3 * mouth.width);
  return {
    lips: {
      upperOuter: arc(mouth, -mouth.height / 2),
      upperInner: arc(mouth, 0),
      lowerInner: arc(mouth, 0),
      lowerOuter: arc(mouth, mouth.height / 2),
    },
    jaw: arc({ ...mouth, width: 2.4 * mouth.width }, 2.6 * tall),
    nose: arc({ ...mouth, y: mouth.y - 1.4 * tall }, 0, 3),
    eyes: [],
  };
}
