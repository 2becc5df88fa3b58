import { DOMParser as XmlParser } from "@xmldom/xmldom";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { wordBytes } from "../../../../tests/support/word-file";
import { openScriptFile } from "./open-script-file";

const parser = new XmlParser({ errorHandler: () => {} }) as unknown as DOMParser;

describe("script files", () => {
  const gb = new Uint8Array([0xc9, 0xf2, 0xd1, 0xe2, 0xa3, 0xba, 0xc4, 0xe3, 0xba, 0xc3]);

  test("are accepted as text and subtitles and refused in other formats", async () => {
    expect(await openScriptFile(new File([gb], "清晨.txt"))).toMatchObject({
      ok: true,
      title: "清晨",
      lines: [{ name: "沈砚" }],
    });
    expect(await openScriptFile(new File(["1\n00:00:01,000 --> 00:00:02,000\n好"], "a.srt"))).toMatchObject({
      lines: [{ startMs: 1000, endMs: 2000, text: "好" }],
    });
    expect(await openScriptFile(new File(["\n \n"], "a.txt"))).toEqual({ ok: false, reason: "empty" });
    expect(await openScriptFile(new File([new Uint8Array([1, 0, 2, 0])], "a.bin"))).toEqual({
      ok: false,
      reason: "unreadable",
    });
    expect(await openScriptFile(new File(["1\n00:00:xx -->\n好\n\n2"], "a.srt"))).toEqual({
      ok: false,
      reason: "broken-time",
      number: 2,
      row: "00:00:xx -->",
    });
    expect(await openScriptFile(new File(["12:30 --> 开会"], "a.txt"))).toMatchObject({ ok: true });
    expect(await openScriptFile(new File([new Uint8Array([0x50, 0x4b, 3, 4])], "a.docx"))).toEqual({
      ok: false,
      reason: "unreadable",
    });
  });
});

describe("a novel in one text", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => `第${i}句话。`);
  const open = (lines: string[]) => openScriptFile(new File([lines.join("\n")], "山中.txt"));

  test("of more lines than a script holds is cut at the titles among them", async () => {
    const opened = await open(["楔子", ...rows(300), "第一章 雾", ...rows(200), "第二章", "第三章没有来。"]);
    expect(opened).toMatchObject({ ok: true, withNotes: null, book: { book: "山中", bookId: expect.any(String) } });
    const chapters = opened.ok && "chapters" in opened ? opened.chapters : [];
    expect(chapters.map(({ title, lines }) => [title, lines.length])).toEqual([
      ["楔子", 301],
      ["第一章 雾", 201],
      ["第二章", 2],
    ]);
  });

  test("stays one script where it has room or no titles", async () => {
    expect(await open(["第一章", ...rows(10), "第二章"])).toHaveProperty("lines");
    expect(await open(rows(600))).toHaveProperty("lines");
  });
});

describe("the encoding of a text", () => {
  const open = (bytes: number[] | Uint8Array<ArrayBuffer>, encoding?: "big5") =>
    openScriptFile(new File([new Uint8Array(bytes)], "a.txt"), { encoding });
  const wide = (text: string, isBig: boolean) =>
    [...text].flatMap((char) => {
      const code = char.charCodeAt(0);
      return isBig ? [code >> 8, code & 255] : [code & 255, code >> 8];
    });
  // 老師說，天氣很好。
  const big5 = [
    0xa6, 0xd1, 0xae, 0x76, 0xbb, 0xa1, 0xa1, 0x41, 0xa4, 0xd1, 0xae, 0xf0, 0xab, 0xdc, 0xa6, 0x6e, 0xa1, 0x43,
  ];

  test.each([
    ["UTF-16 LE with a mark", [0xff, 0xfe, ...wide("你好", false)], "你好"],
    ["UTF-16 LE without a mark", wide("大家好，我们开始。\n", false), "大家好，我们开始。"],
    ["UTF-16 BE without a mark", wide("大家好，我们开始。\n", true), "大家好，我们开始。"],
    ["UTF-16 LE of letters", wide("Hello\n", false), "Hello"],
    ["Big5", big5, "老師說，天氣很好。"],
    [
      "UTF-8 with a cut last character",
      [...new TextEncoder().encode("大家好，我们开始吧。")].slice(0, -1),
      "大家好，我们开始吧\uFFFD",
    ],
    ["GBK with an end mark", [0xb4, 0xf3, 0xbc, 0xd2, 0xba, 0xc3, 0x1a], "大家好"],
  ])("is recognised: %s", async (_case, bytes, text) => {
    expect(await open(bytes)).toMatchObject({ ok: true, lines: [{ text }] });
  });

  test("is asked where none is clearly right, and used as chosen", async () => {
    const unclear = [0xc9, 0xf2, 0xd1, 0xe2];
    const asked = await open(unclear);
    expect(asked).toMatchObject({ ok: false, reason: "encoding" });
    expect(asked).toHaveProperty("choices", expect.arrayContaining([{ encoding: "gb18030", text: "沈砚" }]));
    expect(await open(unclear, "big5")).toMatchObject({ ok: true });
  });
});

test("openScriptFile tidies a text file that clearly is Markdown, and no other", async () => {
  const open = (text: string, name = "a.txt") => openScriptFile(new File([text], name));
  const table = "**款式** | 价格\n--- | ---\n小号 | 39元";
  expect(await open(table)).toMatchObject({ isTidied: true, lines: [{ text: "款式，价格" }, { text: "小号，39元" }] });
  expect(await open("- **好**")).toMatchObject({ isTidied: false, lines: [{ text: "- **好**" }] });
  expect(await open(`1\n00:00:01,000 --> 00:00:02,000\n${table}`)).toMatchObject({ isTidied: false });
});

test("openScriptFile reads the paragraphs and speakers of a Word document", async () => {
  const word = wordBytes(["沈砚：天刚亮。", "林小满：老板，这一行都是新到的吗？"]);
  const opened = await openScriptFile(new File([word], "清晨的菜市场.docx"), { parser });
  expect(opened).toMatchObject({
    ok: true,
    title: "清晨的菜市场",
    lines: [
      { name: "沈砚", text: "天刚亮。" },
      { name: "林小满", text: "老板，这一行都是新到的吗？" },
    ],
  });
});

test.each([
  ["a zip without a document", new File([zipSync({ "a.txt": strToU8("x") }).slice().buffer], "a.docx"), "unreadable"],
  ["a damaged book", new File(["PK\u0003\u0004bad"], "a.epub"), "unreadable"],
  ["a binary file", new File([new Uint8Array([0, 1, 2, 0, 0, 9])], "a.txt"), "unreadable"],
  ["a blank file", new File(["  \n "], "a.txt"), "empty"],
] as const)("openScriptFile refuses %s", async (_case, file, reason) => {
  expect(await openScriptFile(file, { parser })).toEqual({ ok: false, reason });
});
