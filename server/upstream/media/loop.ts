import { spawn } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { fileTypeFromBuffer } from "file-type";
import pLimit from "p-limit";
import { videoPictureMaxPx } from "~server/contract/limits";
import { AppError } from "../errors";
import { type EncodedImage, encodeImage } from "./image";

/** Frames and pixels a frame: all frames lie in memory at once, 98 MB of them. */
const framesPerSecond = 10;
const videoLoopSeconds = 8;
const maxPixels = 854 * 480;
const maxInputPixels = 100_000_000;
const timeoutMs = 30_000;
/** Uploads in memory that wait for the one that is encoded. */
const waitingMax = 4;
const animated = ["gif", "webp"];
const demuxers: Record<string, string> = { mp4: "mov", mov: "mov", m4v: "mov", webm: "matroska" };

type LoopEncoder = (bytes: Uint8Array, path: string) => Promise<EncodedImage>;

/**
 * Re-encodes a moving picture as animated WebP, which has no sound: its first seconds, scaled down. GIF and WebP are read
 * here, MP4 and WebM by the ffmpeg at `ffmpegPath`. Throws loop-unreadable, and loop-needs-ffmpeg without a program.
 */
export function createLoopEncoder(ffmpegPath: string | undefined): LoopEncoder {
  const limit = pLimit(1);
  return (bytes, path) => {
    if (limit.pendingCount >= waitingMax) throw new AppError("too-many", "too many loops wait", { status: 429 });
    return limit(() => encode({ bytes, path, ffmpegPath }));
  };
}

interface LoopParts {
  bytes: Uint8Array;
  path: string;
  ffmpegPath: string | undefined;
}

async function encode({ bytes, path, ffmpegPath }: LoopParts): Promise<EncodedImage> {
  const ext = (await fileTypeFromBuffer(bytes))?.ext ?? "";
  const demuxer = demuxers[ext];
  if (demuxer && !ffmpegPath) throw new AppError("loop-needs-ffmpeg", "no program decodes films");
  if (!demuxer && !animated.includes(ext)) throw refusal(`a loop of type ${ext || "unknown"}`);
  try {
    return await (demuxer && ffmpegPath
      ? toWebp(await decodeFilm({ path, ffmpegPath, demuxer }))
      : readAnimation(bytes));
  } catch (error) {
    throw refusal("a loop that cannot be read", error);
  }
}

async function readAnimation(bytes: Uint8Array): Promise<EncodedImage> {
  const { default: sharp } = await import("sharp");
  const input = { limitInputPixels: maxInputPixels, failOn: "error" } as const;
  const { width, height, delay = [] } = await sharp(bytes, input).metadata();
  if (delay.length < 2) return encodeImage(bytes, videoPictureMaxPx);
  const allowed = Math.max(1, Math.floor((videoLoopSeconds * framesPerSecond * maxPixels) / (width * height)));
  let [pages, ms] = [0, 0];
  while (pages < delay.length && pages < allowed && ms < videoLoopSeconds * 1000) ms += delay[pages++] ?? 0;
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  const moving = sharp(bytes, { ...input, pages: Math.max(1, pages) }).resize({ width: Math.round(width * scale) });
  return encodeWebp(moving, delay.slice(0, pages));
}

interface DecodedVideo {
  frames: Uint8Array;
  width: number;
  height: number;
  count: number;
}

const toWebp = async ({ frames, width, height, count }: DecodedVideo) => {
  const { default: sharp } = await import("sharp");
  const raw = { width, height: height * count, channels: 3, pageHeight: height } as const;
  return encodeWebp(
    sharp(frames, { raw, limitInputPixels: maxInputPixels }),
    Array(count).fill(1000 / framesPerSecond),
  );
};

async function encodeWebp(moving: import("sharp").Sharp, delay: number[]): Promise<EncodedImage> {
  const timed = delay.length > 1 ? { delay, loop: 0 } : {};
  const webp = moving.timeout({ seconds: timeoutMs / 1000 }).webp({ quality: 76, effort: 1, ...timed });
  const { data, info } = await webp.toBuffer({ resolveWithObject: true });
  return { bytes: data, format: "webp", width: info.width, height: info.pageHeight ?? info.height };
}

interface FilmSource {
  path: string;
  ffmpegPath: string;
  demuxer: string;
}

/** In a process of its own that opens nothing but the file, as the format that was recognised. */
async function decodeFilm({ path, ffmpegPath, demuxer }: FilmSource): Promise<DecodedVideo> {
  const share = `min(1\\,sqrt(${maxPixels}/(iw*ih)))`;
  const scale = `scale=trunc(iw*${share}/2)*2:trunc(ih*${share}/2)*2`;
  const child = spawn(
    ffmpegPath,
    [
      ...["-hide_banner", "-nostdin", "-loglevel", "error", "-threads", "1", "-max_pixels", String(maxInputPixels)],
      ...["-protocol_whitelist", "file", "-f", demuxer, "-t", String(videoLoopSeconds), "-i", path],
      ...["-map", "0:v:0", "-an", "-sn", "-dn", "-vf", `fps=${framesPerSecond},${scale}`],
      ...["-frames:v", String(videoLoopSeconds * framesPerSecond), "-f", "image2pipe"],
      ...["-c:v", "ppm", "-pix_fmt", "rgb24", "pipe:1"],
    ],
    { stdio: ["ignore", "pipe", "ignore"], env: { NODE_ENV: "production" }, timeout: timeoutMs, killSignal: "SIGKILL" },
  );
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", resolve);
    child.once("error", () => resolve(null));
  });
  const pictures = await buffer(child.stdout);
  if ((await ended) !== 0) throw new Error("the program could not decode it");
  return readPortablePixmaps(pictures);
}

/** Pictures of one size, one behind another, each behind its header. */
function readPortablePixmaps(pictures: Buffer): DecodedVideo {
  const [header = "", width = "", height = ""] =
    /^P6\s(\d+)\s(\d+)\s255\s/.exec(pictures.subarray(0, 40).toString("latin1")) ?? [];
  const size = Number(width) * Number(height) * 3;
  const count = size > 0 ? Math.floor(pictures.length / (size + header.length)) : 0;
  if (count === 0) throw new Error("no pictures");
  // In place: the pictures take 98 MB.
  for (let i = 0; i < count; i++) {
    const from = i * (size + header.length) + header.length;
    pictures.copyWithin(i * size, from, from + size);
  }
  return { frames: pictures.subarray(0, size * count), width: Number(width), height: Number(height), count };
}

const refusal = (what: string, cause?: unknown) => new AppError("loop-unreadable", what, { cause });
