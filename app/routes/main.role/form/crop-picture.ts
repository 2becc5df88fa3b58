interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** As wide as the largest place that shows it, on a sharp screen. */
const widest = 1000;

/** The chosen part of a picture, upright, as a WebP (or what this browser can write instead); null where it cannot be read. */
export async function cropPicture(picture: Blob, { x, y, width, height }: Area): Promise<Blob | null> {
  const bitmap = await createImageBitmap(picture, { imageOrientation: "from-image" }).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, widest / width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(bitmap, x, y, width, height, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/webp", 0.9));
}
