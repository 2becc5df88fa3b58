import { fileTypeFromBuffer } from "file-type";
import { AppError } from "../errors";

/** Accepted image types. SVG is not accepted: it can contain scripts. */
const readable = ["jpg", "png", "webp", "gif", "avif"];
/** Longest side of an upload in pixels; a picture is decoded whole to turn it upright. */
const maxUploadSide = 10_000;
const timeoutSeconds = 20;

export interface EncodedImage {
  bytes: Uint8Array;
  format: "webp";
  width: number;
  height: number;
}

/**
 * Re-encodes an uploaded image as WebP of at most `maxSide` pixels a side: upright, uncropped, without metadata (which may
 * contain the location). Detects the type from the bytes. Throws AppError image-unreadable for anything but an image.
 */
export async function encodeImage(bytes: Uint8Array, maxSide = 1024): Promise<EncodedImage> {
  const type = await fileTypeFromBuffer(bytes);
  if (!type || !readable.includes(type.ext)) throw refusal(`a picture of type ${type?.mime ?? "unknown"}`);
  // Loaded with the first picture: libvips takes 25 MB that an idle server does not need.
  const { default: sharp } = await import("sharp");
  try {
    const image = sharp(bytes, { limitInputPixels: maxUploadSide ** 2, failOn: "error" });
    const size = await image.metadata();
    if (Math.max(size.width, size.height) > maxUploadSide) throw new Error("more pixels a side than accepted");
    const { data, info } = await image
      .timeout({ seconds: timeoutSeconds })
      .rotate()
      .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 86 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, format: "webp", width: info.width, height: info.height };
  } catch (error) {
    throw refusal("a picture that cannot be read", error);
  }
}

/** A stored picture as JPEG of at most `maxSide` pixels a side, for files whose players read no WebP. */
export async function toJpeg(bytes: Uint8Array, maxSide: number): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const image = sharp(bytes).timeout({ seconds: timeoutSeconds });
  const size = { width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true } as const;
  return image.resize(size).flatten({ background: "#fff" }).jpeg({ quality: 85 }).toBuffer();
}

const refusal = (what: string, cause?: unknown) => new AppError("image-unreadable", what, { cause });
