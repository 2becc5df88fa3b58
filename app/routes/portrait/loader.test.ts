import type { LoaderFunctionArgs } from "@remix-run/node";
import sharp from "sharp";
import { expect, test } from "vitest";
import { paths } from "~/paths";
import { createRandom } from "~server/portrait/pose";
import { randomPortrait } from "~server/portrait/random-portrait";
import { loader } from "./route";

const read = async (address: string) => {
  const request = new Request(`http://localhost${address}`);
  const response = await loader({ request } as LoaderFunctionArgs);
  return { type: response.headers.get("content-type"), bytes: Buffer.from(await response.arrayBuffer()) };
};

test("a portrait is a drawing of 5:4, and for long lists of faces a square of pixels", async () => {
  const portrait = randomPortrait("unknown", createRandom("face"));
  const drawing = await read(paths.portrait(portrait, "light", "small"));
  expect(drawing.type).toBe("image/svg+xml");
  expect(drawing.bytes.toString()).toContain('viewBox="-25 0 250 200"');
  const face = await read(paths.portrait(portrait, "light", "face"));
  const { format, width, height } = await sharp(face.bytes).metadata();
  expect([face.type, format, width, height]).toEqual(["image/webp", "webp", 144, 144]);
});
