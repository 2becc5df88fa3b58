import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { pageBox } from "~server/portrait/film-layers";
import type { FilmSize } from "~server/portrait/film-picture";
import type { FilmRequest } from "./film";

/** Own pictures of a film, as addresses that carry them. */
export type FilmPictures = Awaited<ReturnType<typeof readPictures>>;

/** Reads the pictures, scaled to what the frame shows of them. */
export async function readPictures({ pictures, ...size }: Pick<FilmRequest, "pictures" | "width" | "height">) {
  const { picturePath, logoPath, pages } = pictures;
  const pictureAt = picturePath ? await readLoop(picturePath, size) : () => null;
  const logo = logoPath
    ? await sharp(logoPath)
        .resize({ ...logoBox(size), fit: "inside" })
        .png()
        .toBuffer()
    : null;
  const { width, height } = pageBox(size);
  const box = { width: Math.round(width), height: Math.round(height), fit: "inside" } as const;
  const shown: Array<{ start: number; href: string }> = [];
  for (const { path, start } of pages) {
    const page = sharp(await readFile(path))
      .resize(box)
      .flatten({ background: "#fff" });
    shown.push({ start, href: toAddress(await page.jpeg({ quality: 92 }).toBuffer(), "jpeg") });
  }
  return {
    /** Behind everything; a loop begins again at its end. */
    pictureAt,
    logo: logo && toAddress(logo, "png"),
    pageAt: (seconds: number): string | null =>
      (shown.findLast(({ start }) => start <= seconds) ?? shown[0])?.href ?? null,
  };
}

const logoBox = ({ width, height }: FilmSize) => {
  const short = Math.min(width, height);
  return { width: Math.round(short * 0.26), height: Math.round(short * 0.11) };
};

const toAddress = (bytes: Buffer, format: "jpeg" | "png") => `data:image/${format};base64,${bytes.toString("base64")}`;

/** The frame of a moving picture at each time; a still one has one. */
async function readLoop(path: string, { width, height }: FilmSize): Promise<(seconds: number) => string> {
  // All at once: frames of an animation are decoded one after the other from its beginning.
  const decoded = sharp(await readFile(path), { pages: -1 })
    .flatten({ background: "#fff" })
    .removeAlpha();
  const { data, info } = await decoded.raw().toBuffer({ resolveWithObject: true });
  const { delay = [] } = await decoded.metadata();
  const pageHeight = info.pageHeight ?? info.height;
  const raw = { width: info.width, height: pageHeight, channels: info.channels };
  const bytesPerPage = info.width * pageHeight * info.channels;
  const frames: Array<{ end: number; href: string }> = [];
  let end = 0;
  for (let at = 0; at < data.length; at += bytesPerPage) {
    end += delay[at / bytesPerPage] || 100;
    const frame = sharp(data.subarray(at, at + bytesPerPage), { raw }).resize({ width, height, fit: "cover" });
    frames.push({ end, href: toAddress(await frame.jpeg({ quality: 88 }).toBuffer(), "jpeg") });
  }
  return (seconds) => {
    const at = (seconds * 1000) % end;
    return (frames.find((frame) => at < frame.end) ?? frames[0])?.href ?? "";
  };
}
