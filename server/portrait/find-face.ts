import type { PhotoFace, PictureRegion } from "./parameters";
import type { Pixels } from "./photo-warp";
import { clamp } from "./pose";

/** Width of the copy that is searched. */
const searchWidth = 160;

/**
 * Finds a mouth below two eyes in a photo of one face that looks ahead: dark spots and a redder one amid skin. A proposal
 * that a person has to confirm; null if nothing looks like a face.
 */
export function findPhotoFace(picture: Pixels): PhotoFace | null {
  const small = shrink(picture);
  const skin = findSkin(small);
  if (!skin) return null;
  const found = findTriple(small, skin);
  return found && toFace(small, found);
}

interface Planes {
  width: number;
  height: number;
  /** Brightness, and red against green, of each pixel; 0 to 255 and about −60 to 120. */
  light: Float32Array;
  red: Float32Array;
  skin: Uint8Array;
}

function shrink({ width, height, data }: Pixels): Planes {
  const step = Math.max(1, width / searchWidth);
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)];
  const size = columns * rows;
  const planes: Planes = {
    width: columns,
    height: rows,
    light: new Float32Array(size),
    red: new Float32Array(size),
    skin: new Uint8Array(size),
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [red, green, blue] = meanColor({ width, data }, { left: column * step, top: row * step, size: step });
      const at = row * columns + column;
      planes.light[at] = 0.299 * red + 0.587 * green + 0.114 * blue;
      planes.red[at] = red - green;
      planes.skin[at] = isSkin(red, green, blue) ? 1 : 0;
    }
  }
  return planes;
}

function meanColor({ width, data }: Pick<Pixels, "width" | "data">, from: { left: number; top: number; size: number }) {
  const [left, top] = [Math.floor(from.left), Math.floor(from.top)];
  const size = Math.max(1, Math.floor(from.size));
  let [red, green, blue] = [0, 0, 0];
  for (let y = top; y < top + size; y++) {
    for (let x = left; x < left + size; x++) {
      const place = 4 * (y * width + x);
      red += data[place] ?? 0;
      green += data[place + 1] ?? 0;
      blue += data[place + 2] ?? 0;
    }
  }
  const count = size * size;
  return [red / count, green / count, blue / count] as const;
}

/** The range of skin in chrominance, which light hardly changes (Chai and Ngan, 1999, widened for shade). */
function isSkin(red: number, green: number, blue: number): boolean {
  const cb = 128 - 0.169 * red - 0.331 * green + 0.5 * blue;
  const cr = 128 + 0.5 * red - 0.419 * green - 0.081 * blue;
  return cb > 75 && cb < 128 && cr > 132 && cr < 176 && red > 55;
}

interface Skin {
  /** Mean brightness. */
  light: number;
  /** Share of skin within a box. */
  shareOf: BoxMean;
}

type BoxMean = (left: number, top: number, right: number, bottom: number) => number;

const leastSkin = 0.02;

function findSkin({ width, height, light, skin }: Planes): Skin | null {
  const shareOf = createBoxMean({ width, height }, (at) => skin[at] ?? 0);
  let [count, lightSum] = [0, 0];
  for (let at = 0; at < width * height; at++) {
    if (!skin[at]) continue;
    count += 1;
    lightSum += light[at] ?? 0;
  }
  if (count < leastSkin * width * height) return null;
  return { light: lightSum / count, shareOf };
}

/** The mean of a plane within a box, by sums over the picture. */
function createBoxMean({ width, height }: { width: number; height: number }, valueAt: (at: number) => number): BoxMean {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += valueAt(y * width + x);
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  const sumTo = (x: number, y: number) => sums[y * (width + 1) + x] ?? 0;
  const column = (x: number) => Math.round(clamp(x, 0, width));
  const line = (y: number) => Math.round(clamp(y, 0, height));
  return (...edges) => {
    const [left, top, right, bottom] = [column(edges[0]), line(edges[1]), column(edges[2]), line(edges[3])];
    const inside = sumTo(right, bottom) - sumTo(left, bottom) - sumTo(right, top) + sumTo(left, top);
    return inside / Math.max(1, (right - left) * (bottom - top));
  };
}

interface Spot {
  x: number;
  y: number;
  weight: number;
}

interface Triple {
  left: Spot;
  right: Spot;
  mouth: Spot;
}

/** Differs from the ring around it by so much in the mean: the places of eyes and mouths, strongest first. */
function findSpots({ width, height }: Planes, values: (at: number) => number, radius: number): Spot[] {
  const spots: Spot[] = [];
  const meanOf = createBoxMean({ width, height }, values);
  const mean = (x: number, y: number, across: number, down: number) =>
    meanOf(x - across, y - down, x + across + 1, y + down + 1);
  const [across, down] = [radius, Math.max(1, Math.round(radius / 2))];
  for (let y = 3 * down; y < height - 3 * down; y++)
    for (let x = 2 * across; x < width - 2 * across; x++) {
      const weight = mean(x, y, across, down) - mean(x, y, 2 * across, 3 * down);
      if (weight > leastContrast) spots.push({ x, y, weight });
    }
  spots.sort((a, b) => b.weight - a.weight);
  const kept: Spot[] = [];
  for (const spot of spots) {
    if (kept.every(({ x, y }) => Math.abs(x - spot.x) > across || Math.abs(y - spot.y) > 2 * down)) kept.push(spot);
    if (kept.length === spotsMax) break;
  }
  return kept;
}

const leastContrast = 4;
const spotsMax = 40;
/** Half the widths of eyes that are searched. */
const radii = [2, 3, 5, 7];

function findTriple(planes: Planes, skin: Skin): Triple | null {
  let best: { triple: Triple; score: number } | null = null;
  for (const radius of radii) {
    const eyes = findSpots(planes, (at) => skin.light - (planes.light[at] ?? 0), radius);
    const mouths = findSpots(planes, (at) => (planes.red[at] ?? 0) - 0.25 * (planes.light[at] ?? 0), radius);
    for (const left of eyes)
      for (const right of eyes) {
        const apart = right.x - left.x;
        if (apart < 4.2 * radius || apart > 9 * radius || Math.abs(right.y - left.y) > 0.16 * apart) continue;
        for (const mouth of mouths) {
          const score = scoreOf(skin, { left, right, mouth }, apart);
          if (score > (best?.score ?? leastScore)) best = { triple: { left, right, mouth }, score };
        }
      }
  }
  return best?.triple ?? null;
}

const leastScore = 9;

/** Likeness to a face: contrasts, the place of the mouth below the eyes, and skin on cheeks and nose. */
function scoreOf(skin: Skin, { left, right, mouth }: Triple, apart: number): number {
  const [x, y] = [(left.x + right.x) / 2, (left.y + right.y) / 2];
  const below = (mouth.y - y) / apart;
  const aside = (mouth.x - x) / apart;
  if (below < 0.5 || below > 1.25 || Math.abs(aside) > 0.22) return 0;
  const cheeks = skin.shareOf(left.x, y + 0.3 * apart, right.x, mouth.y - 0.15 * apart);
  const around = skin.shareOf(left.x - 0.25 * apart, y + 0.15 * apart, right.x + 0.25 * apart, y + 0.6 * apart);
  if (cheeks < 0.55 || around < 0.5) return 0;
  const place = Math.exp(
    -(((below - 0.8) / 0.22) ** 2) - (aside / 0.1) ** 2 - ((right.y - left.y) / (0.1 * apart)) ** 2,
  );
  const contrast = Math.min(left.weight, right.weight, 45) + 1.5 * Math.min(mouth.weight, 30);
  return contrast * place * cheeks * around;
}

/** Sizes follow from the distance between the eyes, which is measured best. */
function toFace({ width, height }: Planes, { left, right, mouth }: Triple): PhotoFace {
  const apart = right.x - left.x;
  const region = ({ x, y }: Spot, across: number, down: number): PictureRegion => ({
    x: (x + 0.5) / width,
    y: (y + 0.5) / height,
    width: across / width,
    height: down / height,
  });
  return {
    mouth: region(mouth, 0.62 * apart, 0.24 * apart),
    eyes: [left, right].map((eye) => region(eye, 0.56 * apart, 0.3 * apart)),
  };
}
