import { crc32, deflateSync } from "node:zlib";
import sharp, { type OutputInfo } from "sharp";
import { cropFace } from "~server/portrait/face-edits";
import type { FilmSize } from "~server/portrait/film-picture";
import type { Motion } from "~server/portrait/motion";
import { type PhotoFace, parsePhotoFace } from "~server/portrait/photo-face";
import type { Patch } from "~server/portrait/photo-patch";
import { createPhotoWarp } from "~server/portrait/photo-warp";
import { clamp } from "~server/portrait/pose";

/** Pixels of a side of the square that round frames show. */
const side = 640;
/** The square within the 200 units of a performer: an upright film shows 164 of them. */
const round = { x: 26, y: 16, width: 148, height: 148 };
const pixelsMax = 100_000_000;
/** Height of the eyes within what is shown; a mouth is so much lower. */
const eyesAt = { frame: 0.34, circle: 0.42 };
const eyesToMouth = 0.18;

/**
 * A photo whose face moves with the sound; without a confirmed face it stays still. It fills the frame of `fills`, or
 * stands in a round one. Listeners are small, round and still.
 */
export async function createPhotoPerformer(
  bytes: Buffer,
  portrait: unknown,
  { poseAt, fills }: { poseAt: Motion; fills: FilmSize | null },
) {
  const photo = { bytes, face: parsePhotoFace(portrait) };
  const circle = await cut(photo, { width: side, height: side }, eyesAt.circle);
  const [x, y, radius] = [round.x + round.width / 2, round.y + round.height / 2, round.width / 2];
  const ring = `cx="${x}" cy="${y}" r="${radius}"`;
  const frame =
    `<clipPath id="photo"><circle ${ring}/></clipPath>` +
    `<circle cx="${x}" cy="${y}" r="${radius + 3}" fill="#FFFDF8" fill-opacity=".9"/>`;
  const inRing = (markup: string) => `${frame}<g clip-path="url(#photo)">${markup}</g>`;
  if (fills) {
    const whole = createPhotoDrawing(await cut(photo, fills, eyesAt.frame), { x: 0, y: 0, ...fills });
    const still = inRing(createPhotoDrawing({ ...circle, face: null }, round)(null));
    return { draw: () => still, fill: (seconds: number) => whole(poseAt(seconds)) };
  }
  const drawing = createPhotoDrawing(circle, round);
  return {
    draw: (seconds: number, detail: "small" | "large") => inRing(drawing(detail === "small" ? null : poseAt(seconds))),
  };
}

interface PhotoCut extends FilmSize {
  /** RGBA. */
  data: Buffer;
  jpeg: Buffer;
  face: PhotoFace | null;
}

type Box = Pick<Patch, "x" | "y" | "width" | "height">;

/** The picture in a box of the drawing, and over it what a pose changes; without a pose it stays still. */
function createPhotoDrawing({ width, height, data, jpeg, face }: PhotoCut, box: Box) {
  const image = (href: string, { x, y, ...size }: Box) =>
    `<image href="${href}" x="${box.x + (x * box.width) / width}" y="${box.y + (y * box.height) / height}" width="${(size.width * box.width) / width}" height="${(size.height * box.height) / height}" preserveAspectRatio="none"/>`;
  const still = image(`data:image/jpeg;base64,${jpeg.toString("base64")}`, { x: 0, y: 0, width, height });
  const warp = face && createPhotoWarp({ width, height, data }, face);
  return (pose: ReturnType<Motion> | null) =>
    pose && warp
      ? still +
        warp(pose)
          .map((patch) => image(toPng(patch), patch))
          .join("")
      : still;
}

/** The largest part in the proportions of `size` around the face, or around what catches the eye; not enlarged. */
async function cut(
  { bytes, face }: { bytes: Buffer; face: PhotoFace | null },
  size: FilmSize,
  eyes: number,
): Promise<PhotoCut> {
  const upright = sharp(bytes, { limitInputPixels: pixelsMax }).rotate().removeAlpha();
  const { picture, seen } = face
    ? cutAround(await upright.raw().toBuffer({ resolveWithObject: true }), face, { ...size, eyes })
    : { picture: upright.resize({ ...size, fit: "cover", position: "attention" }), seen: null };
  const jpeg = await picture.clone().jpeg({ quality: 90 }).toBuffer();
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, jpeg, data, face: seen };
}

function cutAround(
  { data, info: { width, height, channels } }: { data: Buffer; info: OutputInfo },
  face: PhotoFace,
  { eyes, ...size }: FilmSize & { eyes: number },
) {
  const scale = Math.max(size.width / width, size.height / height);
  const part = { width: Math.round(size.width / scale), height: Math.round(size.height / scale) };
  const [eye] = face.eyes;
  const [line, place] = eye ? [eye.y, eyes] : [face.mouth.y, eyes + eyesToMouth];
  const left = Math.round(clamp(face.mouth.x * width - part.width / 2, 0, width - part.width));
  const top = Math.round(clamp(line * height - place * part.height, 0, height - part.height));
  const picture = sharp(data, { raw: { width, height, channels } }).extract({ left, top, ...part });
  const shares = { left: left / width, top: top / height, width: part.width / width, height: part.height / height };
  return { picture: scale < 1 ? picture.resize({ ...size, fit: "fill" }) : picture, seen: cropFace(face, shares) };
}

/** Synchronous, as frames are drawn: sharp encodes in another thread only. */
function toPng({ width, height, data }: Patch): string {
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let row = 0; row < height; row++)
    rows.set(data.subarray(row * width * 4, (row + 1) * width * 4), row * (width * 4 + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, RGBA.
  header.set([8, 6], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const png = [signature, toChunk("IHDR", header), toChunk("IDAT", deflateSync(rows, { level: 1 })), toChunk("IEND")];
  return `data:image/png;base64,${Buffer.concat(png).toString("base64")}`;
}

function toChunk(name: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  chunk.set(named, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}
