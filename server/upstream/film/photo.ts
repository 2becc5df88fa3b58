import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import type { Motion } from "~server/portrait/motion";
import { type PhotoFace, parsePhotoFace } from "~server/portrait/parameters";
import { createPhotoWarp, type Patch } from "~server/portrait/photo-warp";
import { clamp } from "~server/portrait/pose";

/** Pixels of a side of the square that films show. */
const side = 640;
/** Place of the square within the 200 units of a performer: an upright film shows 164 of them. */
const place = { x: 26, y: 16, side: 148 };
const pixelsMax = 100_000_000;

/** A photo in a round frame: its confirmed mouth and eyes move with the sound, without any it stays still. */
export async function createPhotoPerformer(bytes: Buffer, portrait: unknown, poseAt: Motion) {
  const face = parsePhotoFace(portrait);
  const { picture, seen } = await cutSquare(bytes, face);
  const jpeg = await picture.clone().jpeg({ quality: 90 }).toBuffer();
  const [x, y, radius] = [place.x + place.side / 2, place.y + place.side / 2, place.side / 2];
  const circle = `cx="${x}" cy="${y}" r="${radius}"`;
  const still =
    `<clipPath id="photo"><circle ${circle}/></clipPath><circle cx="${x}" cy="${y}" r="${radius + 3}" fill="#FFFDF8" fill-opacity=".9"/>` +
    toImage(`data:image/jpeg;base64,${jpeg.toString("base64")}`, { x: 0, y: 0, width: side, height: side });
  if (!seen) return { draw: () => still };
  const { data } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const warp = createPhotoWarp({ width: side, height: side, data }, seen);
  const draw = (seconds: number, detail: "small" | "large") =>
    detail === "small"
      ? still
      : still +
        warp(poseAt(seconds))
          .map((patch) => toImage(toPng(patch), patch))
          .join("");
  return { draw };
}

type Rectangle = Pick<Patch, "x" | "y" | "width" | "height">;

function toImage(href: string, { x, y, width, height }: Rectangle): string {
  const scale = place.side / side;
  const box = `x="${place.x + x * scale}" y="${place.y + y * scale}" width="${width * scale}" height="${height * scale}"`;
  return `<image href="${href}" ${box} preserveAspectRatio="none" clip-path="url(#photo)"/>`;
}

/** The largest square around the confirmed face, or around what catches the eye; the face's regions within it. */
async function cutSquare(bytes: Buffer, face: PhotoFace | null) {
  const upright = sharp(bytes, { limitInputPixels: pixelsMax }).rotate();
  if (!face)
    return { picture: upright.resize(side, side, { fit: "cover", position: "attention" }).removeAlpha(), seen: null };
  const { data, info } = await upright.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const cut = Math.min(width, height);
  const left = Math.round(clamp(face.mouth.x * width - cut / 2, 0, width - cut));
  const top = Math.round(clamp(face.mouth.y * height - 0.6 * cut, 0, height - cut));
  const move = (region: PhotoFace["mouth"]) => ({
    x: (region.x * width - left) / cut,
    y: (region.y * height - top) / cut,
    width: (region.width * width) / cut,
    height: (region.height * height) / cut,
  });
  const picture = sharp(data, { raw: { width, height, channels } })
    .extract({ left, top, width: cut, height: cut })
    .resize(side, side);
  return { picture, seen: { mouth: move(face.mouth), eyes: face.eyes.map(move) } };
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
