import { expect, test } from "vitest";
import { joinParagraphs, readPieces, type TextPiece } from "./slide-text";

const piece = (str: string, { left = 50, width = 100, height = 20, hasEOL = true } = {}): TextPiece => ({
  str,
  transform: [1, 0, 0, 1, left, 0],
  width,
  height,
  hasEOL,
});

test.each([
  [["光合作用", "植物怎样吃饭？", "叶绿体在叶子里"], "光合作用。植物怎样吃饭？叶绿体在叶子里"],
  [["Photosynthesis", "What plants  eat."], "Photosynthesis. What plants eat."],
  [[" ", ""], ""],
])("paragraphs %j are one text", (paragraphs, text) => {
  expect(joinParagraphs(paragraphs)).toBe(text);
});

test("a full row goes on in the next one, a short one ends its paragraph", () => {
  const pieces = [
    piece("光合作用", { height: 40, width: 160 }),
    piece("植物利用光能，把二氧化碳和水变成", { width: 500 }),
    piece("有机物", { width: 60 }),
    piece("同时放出氧气", { width: 120 }),
  ];
  expect(readPieces(pieces, 3)).toEqual({
    text: "光合作用。植物利用光能，把二氧化碳和水变成有机物。同时放出氧气",
    title: "光合作用",
  });
});

test("pieces of one row are joined, and the page's number is no text", () => {
  const pieces = [piece("叶", { hasEOL: false }), piece("绿体", { left: 150 }), piece("3", { height: 8 })];
  expect(readPieces(pieces, 3)).toEqual({ text: "叶绿体", title: "叶绿体" });
  expect(readPieces(pieces, 4).text).toBe("叶绿体。3");
});

test("a scanned page has no text", () => {
  expect(readPieces([], 1)).toEqual({ text: "", title: "" });
});
