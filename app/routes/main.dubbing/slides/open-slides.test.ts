import { DOMParser as XmlParser } from "@xmldom/xmldom";
import { strToU8, zipSync } from "fflate";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, test } from "vitest";
import { pdfBytes, pptxBytes } from "../../../../tests/support/slide-files";
import type { MarkupParser } from "../importing/unpack";
import { type Deck, pictureOf, toLines } from "./deck";
import { openSlides, readDocument, readPieces, type TextPiece } from "./open-slides";
import { joinParagraphs, readPptx } from "./pptx";

const parser = new XmlParser({ errorHandler: () => {} }) as unknown as MarkupParser;
const file = (bytes: BlobPart, name: string) => new File([bytes], name);

test("a PowerPoint file is read in the order of its slides, the notes before the slide's own text", () => {
  const slides = readPptx(
    pptxBytes([
      { title: "光合作用", rows: ["叶绿体", "氧气"], notes: "同学们好。\n今天讲光合作用" },
      { title: "原料", rows: ["水", "二氧化碳"] },
      { title: "备用", isHidden: true },
    ]),
    parser,
  );
  expect(slides).toEqual({
    slides: [
      { title: "光合作用", text: "同学们好。今天讲光合作用", isHidden: false },
      { title: "原料", text: "原料。水。二氧化碳", isHidden: false },
      { title: "备用", text: "备用", isHidden: true },
    ],
  });
});

test("a Word file and an archive that unpacks to too much are no slides", () => {
  expect(readPptx(zipSync({ "word/document.xml": strToU8("<document/>") }), parser)).toEqual({ fault: "unreadable" });
  const bomb = zipSync({ "ppt/presentation.xml": new Uint8Array(61 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(100_000);
  expect(readPptx(bomb, parser)).toEqual({ fault: "too-large" });
});

test("a PDF's pages are read with their headings", async () => {
  const data = pdfBytes([["Photosynthesis", "Light becomes sugar."], ["Leaves"], []]);
  const pdf = readDocument(await getDocument({ data, verbosity: 0 }).promise, () => {});
  expect(pdf.count).toBe(3);
  const texts = await Promise.all([1, 2, 3].map((page) => pdf.readText(page)));
  expect(texts).toEqual([
    { text: "Photosynthesis. Light becomes sugar.", title: "Photosynthesis" },
    { text: "Leaves", title: "Leaves" },
    { text: "", title: "" },
  ]);
});

test.each([
  ["too-large", file(new Uint8Array(20 * 1024 * 1024 + 1), "a.pdf")],
  ["old-ppt", file(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), "a.ppt")],
  ["unreadable", file("你好", "a.pdf")],
  ["unreadable", file(new Uint8Array([0x50, 0x4b, 3, 4, 0]), "a.pptx")],
])("%s is said", async (fault, broken) => {
  expect(await openSlides(broken)).toEqual({ kind: "fault", fault });
});

test("a PDF shows the pages of its PowerPoint file, with or without the hidden ones", () => {
  const deck: Deck = { name: "", pdf: null, titles: ["一", "二", "三"], hiddenInShow: [2] };
  expect([1, 2, 3].map((page) => pictureOf(page, deck, 3))).toEqual([1, 2, 3]);
  expect([1, 2, 3].map((page) => pictureOf(page, deck, 2))).toEqual([1, null, 2]);
});

test("a line tells its page", () => {
  const [first, second] = toLines(
    [
      { text: "一", title: "" },
      { text: "", title: "" },
    ],
    "r",
  );
  expect([first, second].map((line) => line?.page)).toEqual([1, 2]);
});

const page = { number: 3, width: 600 };

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

test.each([
  ["that reaches the margin", [500], "植物利用光能，把二氧化碳和水变成有机物。放出氧气"],
  ["that is only the longest", [300], "植物利用光能，把二氧化碳和水变成。有机物。放出氧气"],
])("a row %s goes on in the next one, or not", (_, [width], text) => {
  const pieces = [
    piece("光合作用", { height: 40, width: 160 }),
    piece("植物利用光能，把二氧化碳和水变成", { width: width ?? 0 }),
    piece("有机物", { width: 60 }),
    piece("放出氧气", { width: 120 }),
  ];
  expect(readPieces(pieces, page)).toEqual({ text: `光合作用。${text}`, title: "光合作用" });
});

test("rows of a narrow column go on where two of them reach the same edge", () => {
  const pieces = [
    piece("植物利用光能", { width: 200 }),
    piece("把二氧化碳和", { width: 198 }),
    piece("水变成有机物", { width: 120 }),
  ];
  expect(readPieces(pieces, page).text).toBe("植物利用光能把二氧化碳和水变成有机物");
});

test("pieces of one row are joined, radicals are characters, and the page's number is no text", () => {
  const pieces = [piece("叶", { hasEOL: false }), piece("\u2F64\u2EDA", { left: 150 }), piece("3", { height: 8 })];
  expect(readPieces(pieces, page)).toEqual({ text: "叶用页", title: "叶用页" });
  expect(readPieces(pieces, { ...page, number: 4 }).text).toBe("叶用页。3");
});

test("a scanned page has no text", () => {
  expect(readPieces([], page)).toEqual({ text: "", title: "" });
});
