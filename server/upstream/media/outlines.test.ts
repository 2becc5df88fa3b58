import sharp from "sharp";
import { expect, it } from "vitest";
import { createOutlines } from "./outlines";

const outlines = createOutlines();

/** Opaque pixels of a drawn path, and their height. */
async function draw(path: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><path d="${path}"/></svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const rows = new Set<number>();
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 0) > 128) rows.add(Math.floor(i / 4 / info.width));
  return rows.size;
}

it("writes numbers only, at any position of the text", () => {
  for (let x = 0; x < 60; x++) {
    const path = outlines.outline("今天的天气怎么样？", { x: 100 + x * 7.3, y: 592.4, size: 43, anchor: "middle" });
    expect(path).not.toMatch(/[^MLQCZ\d .-]/);
  }
});

it("draws Chinese, Latin and punctuation without a font of the machine", async () => {
  const path = outlines.outline("AI 生成，菜市场？", { x: 10, y: 70, size: 40 });
  expect(await draw(path)).toBeGreaterThan(30);
});

it("names the characters without a glyph and leaves them out", () => {
  expect(outlines.missing("你好😀吗𠮷")).toEqual(["😀", "𠮷"]);
  expect(outlines.outline("😀", { x: 0, y: 0, size: 40 })).toBe("");
  expect(outlines.width("好😀", 40)).toBe(outlines.width("好", 40));
});

it("anchors a text at its end and its middle", () => {
  const width = outlines.width("生成", 40);
  expect(width).toBeCloseTo(80, 0);
  const start = outlines.outline("生成", { x: 100 - width, y: 50, size: 40 });
  expect(outlines.outline("生成", { x: 100, y: 50, size: 40, anchor: "end" })).toBe(start);
});
