import { expect, it } from "vitest";
import { createI420Converter } from "./render";

it.each([
  ["black", [0, 0, 0], [16, 128, 128]],
  ["white", [255, 255, 255], [235, 128, 128]],
  ["red", [255, 0, 0], [63, 102, 240]],
  ["blue", [0, 0, 255], [32, 240, 118]],
])("converts %s to the limited range of BT.709", (_name, colour, [y, u, v]) => {
  const rgba = Uint8Array.from({ length: 8 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (colour[i % 4] as number)));
  const yuv = createI420Converter({ width: 4, height: 2 })(rgba);
  expect([...yuv]).toEqual([...Array(8).fill(y), u, u, v, v]);
});
