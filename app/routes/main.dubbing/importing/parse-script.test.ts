import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { wordBytes } from "../../../../tests/support/word-file";
import { decodeText, openScriptFile, parseScript } from "./parse-script";
import { castLines, matchNames, type NameDecision, namesOf } from "./pending-import";

describe("plain text", () => {
  test.each([
    ["沈砚：天刚亮。", "沈砚", "天刚亮。"],
    ["林小满: 老板！", "林小满", "老板！"],
    ["【阿福】都是今早到的", "阿福", "都是今早到的"],
    ["【阿福】：都是今早到的", "阿福", "都是今早到的"],
    ["（旁白）：夜深了", "旁白", "夜深了"],
    ["Tom：hi", "Tom", "hi"],
    ["【😀】：你好", "😀", "你好"],
    ["第十二章：出发", null, "第十二章：出发"],
    ["第3段：天亮了", null, "第3段：天亮了"],
    ["她说，我觉得：不行", null, "她说，我觉得：不行"],
    ["12:30 开会", null, "12:30 开会"],
    ["https://example.com", null, "https://example.com"],
    ["就这样吧。", null, "就这样吧。"],
    ["2：0 赢了", null, "2：0 赢了"],
    ["[重读]我[/重读]没说", null, "[重读]我[/重读]没说"],
    ["[重读]他[/重读]：走吧", null, "[重读]他[/重读]：走吧"],
    ["沈砚：[重读]我[/重读]没说", "沈砚", "[重读]我[/重读]没说"],
    ["[沈砚][重读]我[/重读]没说", "沈砚", "[重读]我[/重读]没说"],
  ])("is parsed: %s", (line, name, text) => {
    expect(parseScript(line)).toEqual([{ name, text }]);
  });

  test("a line that contains only a name assigns the next line to that speaker", () => {
    expect(parseScript("沈砚：\r\n\r\n天亮了。\n走吧。")).toEqual([
      { name: "沈砚", text: "天亮了。" },
      { name: null, text: "走吧。" },
    ]);
  });

  test("matchNames finds roles by name, and castLines assigns the selected roles", () => {
    const lines = parseScript("沈砚：一\nＴＯＭ：二\n注意：三\n四");
    const roles = [
      { roleId: "1", name: "沈砚" },
      { roleId: "2", name: "tom" },
      { roleId: "3", name: "沈砚" },
    ];
    const matched = matchNames(namesOf(lines), roles);
    expect([...matched]).toEqual([
      ["沈砚", "1"],
      ["ＴＯＭ", "2"],
    ]);
    const decisions = new Map<string, NameDecision>([["注意", "text"]]);
    for (const [name, roleId] of matched) decisions.set(name, { roleId });
    expect(castLines(lines, decisions, "9")).toEqual([
      { roleId: "1", content: "一" },
      { roleId: "2", content: "二" },
      { roleId: "9", content: "注意：三" },
      { roleId: "9", content: "四" },
    ]);
  });

  test("parseScript keeps every character of the text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("沈砚", "：", "好", "\n", "【", "】", " ", "，", "1", ":")), (parts) => {
        const text = parts.join("");
        const parsed = parseScript(text).map(({ name, text: words }) => (name ?? "") + words);
        const letters = (all: string) => [...all].filter((char) => "好1，".includes(char)).join("");
        expect(letters(parsed.join(""))).toBe(letters(text));
      }),
    );
  });
});

const clock = (ms: number, dot: string) => {
  const two = (value: number) => String(value).padStart(2, "0");
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${two(h)}:${two(m)}:${two(s)}${dot}${String(ms % 1000).padStart(3, "0")}`;
};

describe("subtitles", () => {
  test("have the same times and texts in every format", () => {
    const cue = fc.record({
      startMs: fc.integer({ min: 0, max: 7_200_000 }),
      lengthMs: fc.integer({ min: 0, max: 20_000 }),
      words: fc.constantFrom("你好。", "沈砚：走吧", "第 2 天", "a < b"),
    });
    const style = fc.record({
      dot: fc.constantFrom(",", "."),
      newline: fc.constantFrom("\n", "\r\n", "\r"),
      isNumbered: fc.boolean(),
      isSpaced: fc.boolean(),
      bom: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(cue, { minLength: 1, maxLength: 8 }),
        style,
        (cues, { dot, newline, isNumbered, isSpaced, bom }) => {
          const rows = cues.flatMap(({ startMs, lengthMs, words }, index) => [
            ...(isNumbered ? [String(index + 1)] : []),
            `${clock(startMs, dot)} --> ${clock(startMs + lengthMs, dot)}`,
            words,
            ...(isSpaced ? [""] : []),
          ]);
          const text = (bom ? "\uFEFF" : "") + rows.join(newline);
          const expected = cues
            .map(({ startMs, lengthMs, words }) => ({
              startMs,
              endMs: startMs + lengthMs,
              words: words.replace("沈砚：", ""),
            }))
            .sort((a, b) => a.startMs - b.startMs);
          expect(parseScript(text).map(({ startMs, endMs, text: words }) => ({ startMs, endMs, words }))).toEqual(
            expected,
          );
        },
      ),
    );
  });

  test("are parsed without tags and positions, with rows joined, from WebVTT too", () => {
    const text =
      "WEBVTT\n\n00:01.5 --> 00:02.25 align:start\n<i>你好</i>\n{\\an8}世界\n\n00:03.000 --> 00:04.000\nhello\nworld\n";
    expect(parseScript(text)).toEqual([
      { name: null, text: "你好世界", startMs: 1500, endMs: 2250 },
      { name: null, text: "hello world", startMs: 3000, endMs: 4000 },
    ]);
  });

  test("keep emphasis marks inside their cues", () => {
    const text = "00:01.0 --> 00:02.0\n[重读]我[/重读]没说\n\n00:03.0 --> 00:04.0\n沈砚：是[重读]你[/重读]说的\n";
    expect(parseScript(text)).toMatchObject([
      { name: null, text: "[重读]我[/重读]没说" },
      { name: "沈砚", text: "是[重读]你[/重读]说的" },
    ]);
  });

  test("are parsed without an exception for any input", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => void parseScript(text)));
  });
});

describe("script files", () => {
  const gb = new Uint8Array([0xc9, 0xf2, 0xd1, 0xe2, 0xa3, 0xba, 0xc4, 0xe3, 0xba, 0xc3]);

  test("are decoded from GB 18030, UTF-16 and UTF-8", () => {
    expect(decodeText(gb)).toBe("沈砚：你好");
    expect(decodeText(new TextEncoder().encode("\uFEFF你好"))).toBe("你好");
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x60, 0x4f]))).toBe("你");
  });

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
      reason: "unreadable",
    });
    expect(await openScriptFile(new File([new Uint8Array([0x50, 0x4b, 3, 4])], "a.docx"))).toEqual({
      ok: false,
      reason: "unreadable",
    });
  });
});

test("openScriptFile reads the paragraphs and speakers of a Word document", async () => {
  const word = wordBytes(["沈砚：天刚亮。", "林小满：老板，这一行都是新到的吗？"]);
  const opened = await openScriptFile(new File([word], "清晨的菜市场.docx"));
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
  expect(await openScriptFile(file)).toEqual({ ok: false, reason });
});
