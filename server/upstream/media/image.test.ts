import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { encodeImage } from "./image";

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 55, b: 31 } } });

describe("an uploaded picture", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif"] as const)("is converted to WebP from %s", async (format) => {
    const image = await encodeImage(await picture(40, 30).toFormat(format).toBuffer());
    expect(image).toMatchObject({ format: "webp", width: 40, height: 30 });
    expect((await sharp(image.bytes).metadata()).format).toBe("webp");
  });

  test("is scaled down if large and not enlarged if small", async () => {
    const large = await encodeImage(await picture(2400, 1200).jpeg().toBuffer());
    expect(large).toMatchObject({ width: 1024, height: 512 });
  });

  test("is accepted up to 10,000 pixels a side", async () => {
    expect(await encodeImage(await picture(10_000, 100).png().toBuffer())).toMatchObject({ width: 1024, height: 10 });
    await expect(encodeImage(await picture(10_001, 100).png().toBuffer())).rejects.toThrow(/cannot be read/);
  });

  test("loses its GPS position and keeps its orientation", async () => {
    const taken = picture(40, 20).withExif({ IFD0: { Artist: "A. Person" }, IFD3: { GPSLatitude: "31/1 0/1 0/1" } });
    const image = await encodeImage(await taken.withMetadata({ orientation: 6 }).jpeg().toBuffer());
    const metadata = await sharp(image.bytes).metadata();
    expect([metadata.width, metadata.height]).toEqual([20, 40]);
    expect([metadata.exif, metadata.xmp, metadata.icc, metadata.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each<[string, () => Promise<Uint8Array>]>([
    ["SVG", async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["text", async () => Buffer.from("no picture")],
    ["nothing", async () => new Uint8Array(0)],
    ["PDF", async () => Buffer.from("%PDF-1.7\n%\xe2\xe3")],
    ["a picture cut off", async () => (await picture(400, 400).jpeg().toBuffer()).subarray(0, 300)],
    ["far too many pixels", async () => picture(16_000, 4_000).png({ compressionLevel: 1 }).toBuffer()],
  ])("is refused for %s", async (_, make) => {
    await expect(encodeImage(await make())).rejects.toMatchObject({ code: "image-unreadable" });
  });
});
