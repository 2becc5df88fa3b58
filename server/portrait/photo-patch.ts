import type { FacePoint, FacePoints } from "./photo-face";
import { clamp } from "./pose";

/** RGBA. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray | Uint8Array;
}

/** Pixels to draw over the picture at x, y. */
export interface Patch {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
  x: number;
  y: number;
}

/** Lengths in pixels along the line between two corners of a mouth or an eye, and across it. */
export interface FeatureFrame {
  /** Distance of the corners. */
  width: number;
  /** Half of the columns that a line has values for. */
  half: number;
  /** The frame's place of a point of the picture. */
  toLocal(point: FacePoint): FacePoint;
  /** Height of a line of points, given in shares of the picture, by column; level beyond its ends. */
  lineOf(points: readonly FacePoint[]): Float32Array;
  /** Draws what `shade` paints within the frame's part of the picture. */
  draw(shade: (u: number, v: number, brush: Brush) => void): Patch;
}

export type Color = readonly [red: number, green: number, blue: number];

interface FrameReach {
  /** Widths beyond the middle to each side, above and below. */
  side: number;
  above: number;
  below: number;
}

export function createFeatureFrame(
  picture: Pixels,
  ends: readonly [FacePoint, FacePoint],
  reach: FrameReach,
): FeatureFrame {
  const [from, to] = ends.map(({ x, y }) => ({ x: x * picture.width, y: y * picture.height })) as [
    FacePoint,
    FacePoint,
  ];
  const width = Math.max(2, Math.hypot(to.x - from.x, to.y - from.y));
  const [ax, ay] = [(to.x - from.x) / width, (to.y - from.y) / width];
  const [cx, cy] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const half = Math.ceil(reach.side * width) + 2;
  const toLocal = ({ x, y }: FacePoint) => ({
    x: (x - cx) * ax + (y - cy) * ay,
    y: (y - cy) * ax - (x - cx) * ay,
  });
  const corners = [-half, half].flatMap((u) =>
    [-reach.above * width, reach.below * width].map((v) => ({ x: cx + u * ax - v * ay, y: cy + v * ax + u * ay })),
  );
  const box = toBox(picture, corners);
  return {
    width,
    half,
    toLocal,
    lineOf: (points) =>
      toLine(
        points.map(({ x, y }) => toLocal({ x: x * picture.width, y: y * picture.height })),
        half,
        0.035 * width,
      ),
    draw(shade) {
      const brush = new Brush(picture, box, { cx, cy, ax, ay });
      for (let row = 0; row < box.height; row++) {
        const y = box.y + row - cy;
        for (let column = 0; column < box.width; column++, brush.at += 4) {
          const x = box.x + column - cx;
          shade(x * ax + y * ay, y * ax - x * ay, brush);
        }
      }
      return { ...box, data: brush.data };
    },
  };
}

type PatchBox = Omit<Patch, "data">;

interface FrameAxes {
  cx: number;
  cy: number;
  ax: number;
  ay: number;
}

/** Paints one pixel after the other; they stay transparent until `opacity`. A class without objects per pixel: films draw 200,000 of them a frame. */
export class Brush {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** Place of the pixel's red in `data`. */
  at = 0;
  readonly #picture: Pixels;
  readonly #axes: FrameAxes;

  constructor(picture: Pixels, { width, height }: PatchBox, axes: FrameAxes) {
    this.data = new Uint8ClampedArray(width * height * 4);
    this.#picture = picture;
    this.#axes = axes;
  }

  /** Takes the picture's colour at a place of the frame: bilinear; beyond the picture its edge goes on. */
  copy(u: number, v: number, share = 1): void {
    const { width, height, data: from } = this.#picture;
    const { cx, cy, ax, ay } = this.#axes;
    const x = clamp(cx + u * ax - v * ay, 0, width - 1);
    const y = clamp(cy + v * ax + u * ay, 0, height - 1);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const [right, down] = [x - column, y - row];
    const next = column + 1 < width ? 4 : 0;
    const below = row + 1 < height ? 4 * width : 0;
    let place = 4 * (row * width + column);
    for (let to = this.at; to < this.at + 3; to++, place++) {
      const upper = (from[place] as number) * (1 - right) + (from[place + next] as number) * right;
      const lower = (from[place + below] as number) * (1 - right) + (from[place + below + next] as number) * right;
      const before = this.data[to] as number;
      this.data[to] = before + (upper * (1 - down) + lower * down - before) * share;
    }
  }

  paint(color: Color, share: number): void {
    for (let channel = 0; channel < 3; channel++) {
      const before = this.data[this.at + channel] as number;
      this.data[this.at + channel] = before + ((color[channel] as number) - before) * share;
    }
  }

  opacity(value: number): void {
    this.data[this.at + 3] = 255 * value;
  }
}

function toBox({ width, height }: Pixels, corners: readonly FacePoint[]): PatchBox {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const x = Math.floor(clamp(Math.min(...xs), 0, width - 1));
  const y = Math.floor(clamp(Math.min(...ys), 0, height - 1));
  return {
    x,
    y,
    width: Math.max(1, Math.ceil(clamp(Math.max(...xs), 0, width)) - x),
    height: Math.max(1, Math.ceil(clamp(Math.max(...ys), 0, height)) - y),
  };
}

/** Straight between the points, its bends rounded over `radius` columns. */
function toLine(points: readonly FacePoint[], half: number, radius: number): Float32Array {
  const sorted = [...points].sort((a, b) => a.x - b.x);
  const heightAt = (u: number) => {
    const next = sorted.findIndex(({ x }) => x > u);
    const [a, b] = [sorted[next - 1], sorted[next]];
    if (!a || !b) return (next === 0 ? b : sorted.at(-1))?.y ?? 0;
    return a.y + ((b.y - a.y) * (u - a.x)) / Math.max(0.001, b.x - a.x);
  };
  const raw = Float32Array.from({ length: 2 * half + 1 }, (_, index) => heightAt(index - half));
  const around = Math.max(1, Math.round(radius));
  return raw.map((_, index) => {
    const near = raw.subarray(Math.max(0, index - around), index + around + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
}

/** Height of a line at a place between its columns. */
export function heightOf(line: Float32Array, u: number): number {
  const at = clamp(u + (line.length - 1) / 2, 0, line.length - 1.001);
  const column = Math.floor(at);
  const from = line[column] as number;
  return from + ((line[column + 1] as number) - from) * (at - column);
}

export type MouthColors = Record<"deep" | "tongue" | "teeth", Color>;

/** Colours inside a mouth, in the light of this photo and grey in a grey one. */
export function readMouthColors(picture: Pixels, { lips, nose }: FacePoints): MouthColors {
  const middles = (a: readonly FacePoint[], b: readonly FacePoint[]) =>
    a.flatMap(({ x, y }, index) => {
      const other = b[index];
      return other ? [{ x: (x + other.x) / 2, y: (y + other.y) / 2 }] : [];
    });
  const inner = (line: readonly FacePoint[]) => line.slice(2, -2);
  const lip = meanColor(picture, [
    ...middles(inner(lips.upperOuter), inner(lips.upperInner)),
    ...middles(inner(lips.lowerInner), inner(lips.lowerOuter)),
  ]);
  const middle = lips.upperOuter.filter((_, index) => index % 3 === 2);
  const skin = meanColor(picture, middles(nose, middle));
  const light = lightOf(skin);
  const teeth = skin.map((value) => 0.68 * clamp(light, 50, 215) + 0.27 * value) as unknown as Color;
  return { deep: tint(lip, 0.2), tongue: tint(lip, 0.55), teeth };
}

/** The mean colour around points in shares of the picture. */
function meanColor({ width, height, data }: Pixels, points: readonly FacePoint[]): Color {
  const sum = [0, 0, 0];
  for (const { x, y } of points) {
    const column = Math.round(clamp(x * width, 0, width - 1));
    const row = Math.round(clamp(y * height, 0, height - 1));
    for (let channel = 0; channel < 3; channel++)
      sum[channel] = (sum[channel] as number) + (data[4 * (row * width + column) + channel] as number);
  }
  return sum.map((value) => value / Math.max(1, points.length)) as unknown as Color;
}

const lightOf = ([red, green, blue]: Color) => 0.3 * red + 0.59 * green + 0.11 * blue;

/** Darker and more colourful. */
const tint = (color: Color, by: number) =>
  color.map((value) => by * (lightOf(color) + 1.5 * (value - lightOf(color)))) as unknown as Color;
