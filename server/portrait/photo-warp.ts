import { mixMouth } from "./mouth-parts";
import type { PhotoFace, PictureRegion } from "./parameters";
import { clamp, easeInOut, type Pose } from "./pose";

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

/**
 * Prepares a photo to speak: the result draws the parts of it that a pose changes, jaw and lips around the mouth and the
 * lids, each fading into the photo at its edges. Pure: pages and films show the same pixels.
 */
export function createPhotoWarp(picture: Pixels, face: PhotoFace): (pose: Pose) => Patch[] {
  const mouth = createMouth(picture, face.mouth);
  const lids = face.eyes.map((eye) => createLid(picture, eye));
  return (pose) => [...mouth(pose.mouth), ...(pose.blink < 0.05 ? [] : lids.map((lid) => lid(pose.blink)))];
}

/** The patch covers so many widths of the mouth to each side, above and below. */
const reach = { side: 1.2, above: 0.5, below: 1.5 };
/** Half the width of the drawn mouth at rest: its other measures are scaled by it. */
const restHalf = 9.8;
/** Photographed lips open less than drawn ones, which show little else. */
const opening = 0.75;

function createMouth(picture: Pixels, region: PictureRegion) {
  const full = region.width * picture.width;
  const [cx, cy] = [region.x * picture.width, region.y * picture.height];
  const box = toBox(picture, {
    left: cx - reach.side * full,
    right: cx + reach.side * full,
    top: cy - reach.above * full,
    bottom: cy + reach.below * full,
  });
  const light = clamp(brightness(picture, cx, cy - 0.35 * full) / 190, 0.3, 1.1);
  return (mouth: Pose["mouth"]): Patch[] => {
    const form = mixMouth(mouth);
    const gap = (Math.max(0, form.innerBottom - form.innerTop - 0.1) * opening * full) / (2 * restHalf);
    const stretch = clamp(form.width / restHalf, 0.62, 1.1);
    if (gap < 0.3 && Math.abs(stretch - 1) < 0.02) return [];
    const half = 0.46 * full * stretch;
    const [up, down] = [0.22 * gap, 0.78 * gap];
    const teeth = Math.min(0.42 * gap, 0.1 * full) * clamp(2 * form.teeth);
    return [
      draw(picture, box, (x, y, put) => {
        const [dx, dy] = [x - cx, y - cy];
        const across = dx / half;
        const arch = Math.max(0, 1 - across * across);
        const [top, bottom] = [-up * arch, down * arch];
        const inside = Math.min(dy - top, bottom - dy);
        const narrowing = Math.exp(-((dx / (0.8 * full)) ** 2) - (dy / (0.6 * full)) ** 2);
        const sx = cx + dx / (1 + (stretch - 1) * narrowing);
        if (inside < 0.5 || arch === 0) put(sx, y - shiftOf(dy, { arch, top, bottom, across, up, down, full }));
        if (arch === 0 || inside <= -0.5) return;
        const share = clamp(inside + 0.5);
        const depth = clamp((dy - top) / Math.max(1, bottom - top));
        const shade = light * (0.55 + 0.45 * arch);
        if (dy - top < teeth * Math.sqrt(arch)) put.color(230 * shade, 220 * shade, 208 * shade, share * 0.94);
        else
          put.color(
            (52 + 74 * depth * depth) * shade,
            (16 + 36 * depth * depth) * shade,
            (20 + 34 * depth * depth) * shade,
            share,
          );
      }),
    ];
  };
}

interface Lips {
  arch: number;
  top: number;
  bottom: number;
  across: number;
  up: number;
  down: number;
  full: number;
}

/** Downward shift of skin at a height: with the lip at its edge, not at all at the nose and below the chin. */
function shiftOf(dy: number, { arch, top, bottom, across, up, down, full }: Lips): number {
  if (dy < bottom && dy - top < bottom - dy) return -up * arch * (1 - easeInOut((top - dy) / (0.48 * full)));
  const below = Math.max(0, dy - bottom) / (1.45 * full);
  const jaw = Math.exp(-((across / 1.7) ** 2));
  return down * (arch + (jaw - arch) * easeInOut(below / 0.45)) * (1 - easeInOut(below));
}

/** Stretches the skin above an eye down over it. */
function createLid(picture: Pixels, region: PictureRegion) {
  const [cx, cy] = [region.x * picture.width, region.y * picture.height];
  const [half, height] = [(region.width * picture.width) / 2, region.height * picture.height];
  const box = toBox(picture, {
    left: cx - 1.25 * half,
    right: cx + 1.25 * half,
    top: cy - 1.5 * height,
    bottom: cy + height,
  });
  const lash = Math.max(0.8, 0.09 * height);
  return (blink: number): Patch =>
    draw(picture, box, (x, y, put) => {
      const arch = Math.max(0, 1 - ((x - cx) / half) ** 2);
      const dy = y - cy;
      const open = -0.5 * height * arch;
      const edge = open + (0.36 * height * arch - open) * blink;
      const skin = 0.4 * height * arch;
      if (dy < edge && dy > open - skin) put(x, cy + open - skin + ((dy - open + skin) * skin) / (edge - open + skin));
      else put(x, y);
      const near = clamp(1 - Math.abs(dy - edge) / lash);
      if (near > 0) put.color(44, 28, 24, 0.8 * near * blink * Math.sqrt(arch));
    });
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

function toBox({ width, height }: Pixels, edges: { left: number; right: number; top: number; bottom: number }): Box {
  const left = Math.floor(clamp(edges.left, 0, width - 1));
  const top = Math.floor(clamp(edges.top, 0, height - 1));
  return {
    left,
    top,
    width: Math.max(1, Math.ceil(clamp(edges.right, 0, width)) - left),
    height: Math.max(1, Math.ceil(clamp(edges.bottom, 0, height)) - top),
  };
}

/** Sets a pixel to the picture's at x, y, or mixes a colour into it. */
interface Put {
  (x: number, y: number): void;
  color(red: number, green: number, blue: number, share: number): void;
}

/** Share of a patch in which it fades into the picture. */
const fade = 0.12;

function draw(picture: Pixels, box: Box, shade: (x: number, y: number, put: Put) => void): Patch {
  const { left, top, width, height } = box;
  const data = new Uint8ClampedArray(width * height * 4);
  let at = 0;
  const put = ((x, y) => sample(picture, { x, y, data, at })) as Put;
  put.color = (red, green, blue, share) => {
    for (const [channel, value] of [red, green, blue].entries())
      data[at + channel] = (data[at + channel] ?? 0) * (1 - share) + value * share;
  };
  for (let row = 0; row < height; row++) {
    const vertical = Math.min(row + 0.5, height - row - 0.5) / (fade * height);
    for (let column = 0; column < width; column++, at += 4) {
      shade(left + column, top + row, put);
      const horizontal = Math.min(column + 0.5, width - column - 0.5) / (fade * width);
      data[at + 3] = 255 * easeInOut(Math.min(vertical, horizontal));
    }
  }
  return { x: left, y: top, width, height, data };
}

/** Bilinear; beyond the picture its edge goes on. */
function sample(
  { width, height, data: from }: Pixels,
  to: { x: number; y: number; data: Uint8ClampedArray; at: number },
) {
  const x = to.x < 0 ? 0 : to.x > width - 1 ? width - 1 : to.x;
  const y = to.y < 0 ? 0 : to.y > height - 1 ? height - 1 : to.y;
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - column, y - row];
  const first = 4 * (row * width + column);
  const next = column + 1 < width ? 4 : 0;
  const below = row + 1 < height ? 4 * width : 0;
  for (let channel = 0; channel < 3; channel++) {
    const place = first + channel;
    const upper = (from[place] as number) * (1 - right) + (from[place + next] as number) * right;
    const lower = (from[place + below] as number) * (1 - right) + (from[place + below + next] as number) * right;
    to.data[to.at + channel] = upper * (1 - down) + lower * down;
  }
}

function brightness({ width, height, data }: Pixels, x: number, y: number): number {
  const place = 4 * (Math.round(clamp(y, 0, height - 1)) * width + Math.round(clamp(x, 0, width - 1)));
  return ((data[place] ?? 0) + (data[place + 1] ?? 0) + (data[place + 2] ?? 0)) / 3;
}
