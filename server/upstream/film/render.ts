import { createHash } from "node:crypto";
import sharp from "sharp";
import type { FilmSize } from "~server/portrait/film-picture";
import { AppError } from "../errors";
import { framesPerSecond } from "./film";
import { filmLabel, type Overlay } from "./overlay";
import type { FilmStage } from "./stage";

interface RenderParts extends FilmSize {
  stage: FilmStage;
  overlay: Overlay;
  frames: number;
  /** I420 in BT.709; valid until the second frame after it. */
  write(frame: Uint8Array): Promise<void>;
  onProgress(done: number): void;
}

const progressEveryFrames = 10;
/** Two frames are drawn at a time: one core alone draws 36 a second at 720 × 1280. */
const framesAhead = 1;

const toSvg = ({ width, height }: FilmSize, markup: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${markup}</svg>`);

const rasterize = (size: FilmSize, markup: string) => sharp(toSvg(size, markup)).ensureAlpha().raw().toBuffer();

/** Draws all frames in order, the next ones while one is written. Returns the hash of all frames. */
export async function renderFrames(parts: RenderParts): Promise<string> {
  const { frames, write, onProgress } = parts;
  sharp.cache(false);
  const hash = createHash("sha256");
  const convert = createI420Converter(parts);
  const draw = createDrawing(parts);
  const drawn: Promise<Buffer>[] = [];
  let converted: { from: Buffer; to: Uint8Array } | undefined;
  for (let index = 0, next = 0; index < frames; index++) {
    for (; next < Math.min(frames, index + 1 + framesAhead); next++) drawn.push(draw(next));
    const frame = (await drawn.shift()) as Buffer;
    if (frame !== converted?.from) converted = { from: frame, to: convert(frame) };
    hash.update(converted.to);
    await write(converted.to);
    if ((index + 1) % progressEveryFrames === 0 || index + 1 === frames) onProgress(index + 1);
  }
  return hash.digest("hex");
}

/** Frames by number; a frame that equals the one before is not drawn again. */
function createDrawing({ stage, overlay, ...size }: RenderParts) {
  let last: { markup: string; frame: Promise<Buffer> } | undefined;
  return (index: number) => {
    const seconds = index / framesPerSecond;
    const markup = stage.at(seconds) + overlay.at(seconds);
    if (last?.markup !== markup) last = { markup, frame: rasterize(size, markup) };
    // Its rejection is seen when it is awaited.
    last.frame.catch(() => {});
    return last.frame;
  };
}

/** Draws the opening label alone and measures it: throws where it is lower than the standard demands. */
export async function requireVisibleLabel({ opening }: Overlay, size: FilmSize): Promise<void> {
  // Only dark pixels count: the plate behind the letters is light.
  const frame = await rasterize(size, `<rect width="100%" height="100%" fill="#fff"/>${opening}`);
  let [first, end] = [-1, -1];
  for (let i = 0; i < frame.length; i += 4) {
    if ((frame[i] as number) > 128) continue;
    const row = Math.floor(i / 4 / size.width);
    if (first < 0) first = row;
    end = row + 1;
  }
  const share = (end - first) / Math.min(size.width, size.height);
  if (first < 0 || share < filmLabel.minShare)
    throw new AppError("failure", `the label is ${(share * 100).toFixed(1)} % high`);
}

/** BT.709 in the limited range, in 65,536ths; the offsets also round. */
const lumaOffset = (16 << 16) + 32768;
const chromaOffset = (128 << 16) + 32768;

/**
 * Converts frames of even width and height; a result is valid until the third frame after it. Plain numbers instead of
 * small functions and arrays: 92 ms became 4 for a frame of 720 × 1280.
 */
export function createI420Converter({ width, height }: FilmSize): (rgba: Uint8Array) => Uint8Array {
  const pixels = width * height;
  // The pipe reads a frame while the next one is converted.
  const buffers = [0, 1, 2].map(() => new Uint8Array(pixels * 1.5));
  let turn = 0;
  return (rgba) => {
    const yuv = buffers[turn++ % buffers.length] as Uint8Array;
    const words = new Uint32Array(rgba.buffer, rgba.byteOffset, pixels);
    for (let y = 0; y < height; y += 2) convertRows(words, yuv, { y, width, height });
    return yuv;
  };
}

interface Rows extends FilmSize {
  y: number;
}

/** Two rows of pixels, each a word of red, green, blue and alpha from the lowest byte on. */
function convertRows(words: Uint32Array, yuv: Uint8Array, { y, width, height }: Rows): void {
  let u = width * height + (y / 2) * (width / 2);
  let v = u + (width * height) / 4;
  for (let at = y * width; at < (y + 1) * width; at += 2) {
    const a = words[at] as number;
    const b = words[at + 1] as number;
    const c = words[at + width] as number;
    const d = words[at + width + 1] as number;
    yuv[at] = lumaOf(a);
    yuv[at + 1] = lumaOf(b);
    yuv[at + width] = lumaOf(c);
    yuv[at + width + 1] = lumaOf(d);
    const red = (a & 255) + (b & 255) + (c & 255) + (d & 255);
    const green = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255);
    const blue = ((a >> 16) & 255) + ((b >> 16) & 255) + ((c >> 16) & 255) + ((d >> 16) & 255);
    // The matrix applies to the sum of four pixels, so the shift is two bits more.
    yuv[u++] = (-6596 * red - 22188 * green + 28784 * blue + 4 * chromaOffset) >> 18;
    yuv[v++] = (28784 * red - 26145 * green - 2639 * blue + 4 * chromaOffset) >> 18;
  }
}

const lumaOf = (word: number): number =>
  (11966 * (word & 255) + 40254 * ((word >> 8) & 255) + 4064 * ((word >> 16) & 255) + lumaOffset) >> 16;
