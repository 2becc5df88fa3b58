import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { pageBox } from "~server/portrait/film-layers";
import type { FilmSize } from "~server/portrait/film-picture";
import type { FilmRequest } from "./film";

/** Own pictures of a film, as addresses that carry them. */
export interface FilmPictures {
  /** Behind everything; a loop begins again at its end. */
  pictureAt(seconds: number): string | null;
  pageAt(seconds: number): string | null;
  logo: string | null;
}

const loopPagesMax = 160;

/** Reads the pictures, scaled to what the frame shows of them. */
export async function readPictures({
  pictures,
  ...size
}: Pick<FilmRequest, "pictures" | "width" | "height">): Promise<FilmPictures> {
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
    pictureAt,
    logo: logo && toAddress(logo, "png"),
    pageAt: (seconds) => (shown.findLast(({ start }) => start <= seconds) ?? shown[0])?.href ?? null,
  };
}

const logoBox = ({ width, height }: FilmSize) => {
  const short = Math.min(width, height);
  return { width: Math.round(short * 0.26), height: Math.round(short * 0.11) };
};

const toAddress = (bytes: Buffer, format: "jpeg" | "png") => `data:image/${format};base64,${bytes.toString("base64")}`;

/** The frame of a moving picture at each time; a still one has one. */
async function readLoop(path: string, { width, height }: FilmSize): Promise<(seconds: number) => string> {
  const bytes = await readFile(path);
  const { delay = [] } = await sharp(bytes).metadata();
  const frames: Array<{ end: number; href: string }> = [];
  let end = 0;
  for (let page = 0; page < Math.min(loopPagesMax, Math.max(1, delay.length)); page++) {
    end += delay[page] || 100;
    const frame = sharp(bytes, { page }).flatten({ background: "#fff" }).resize({ width, height, fit: "cover" });
    frames.push({ end, href: toAddress(await frame.jpeg({ quality: 88 }).toBuffer(), "jpeg") });
  }
  return (seconds) => {
    const at = (seconds * 1000) % end;
    return (frames.find((frame) => at < frame.end) ?? frames[0])?.href ?? "";
  };
}
