import { createHash } from "node:crypto";
import sharp from "sharp";
import { AppError } from "../errors";
import { createI420Converter } from "./encoders/i420";
import { type FilmSize, framesPerSecond } from "./film";
import { filmLabel, type Overlay } from "./overlay";
import type { Stage } from "./stage";

interface RenderParts extends FilmSize {
  stage: Stage;
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
