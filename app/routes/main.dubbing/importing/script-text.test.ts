import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findBrokenRow, parseScriptFile as parseScript } from "./open-script-file";
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

  test.each([
    ["a long dash", "00:00:01,000 —> 00:00:02,500"],
    ["one character", "00:00:01,000 → 00:00:02,500"],
    ["escaped", "00:00:01,000 --&gt; 00:00:02,500"],
    ["full-width", "００：００：０１，０００ －－＞ ００：００：０２，５００"],
    ["full-width colons", "00：00：01,000 --> 00：00：02，500"],
    ["spaces inside", "00: 00: 01, 000 -- > 00: 00: 02, 500"],
    ["four digits", "00:00:01,0000 --> 00:00:02.5000"],
    ["microseconds", "0:00:01.000000 --> 0:00:02.500000"],
    ["milliseconds after a colon", "00:00:01:000 --> 00:00:02:500"],
  ])("have times with %s", (_case, row) => {
    const text = `1\n${row}\n大家好\n\n2\n00:00:03,000 --> 00:00:04,000\n再见\n`;
    expect(parseScript(text)).toEqual([
      { name: null, text: "大家好", startMs: 1000, endMs: 2500 },
      { name: null, text: "再见", startMs: 3000, endMs: 4000 },
    ]);
    expect(findBrokenRow(text)).toBeNull();
  });

  test("keep a text that looks like times", () => {
    const text = "1\n00:00:01,000 --> 00:00:02,000\n3:00 → 4:00 开会\n12:30 -> 走\n";
    expect(parseScript(text)).toMatchObject([{ text: "3:00 → 4:00 开会12:30 -> 走" }]);
    expect(findBrokenRow(text)).toBeNull();
  });

  test.each([
    ["letters", "00:00:0x,000 --> 00:00:02,500"],
    ["frames", "00:00:01:12 --> 00:00:02:24"],
    ["another sign between", "00:00:01,000 ~~ 00:00:02,500"],
    ["a start without digits", "xx:00 --> 00:00:02,500"],
  ])("with times that have %s name the row", (_case, row) => {
    expect(findBrokenRow(`1\n00:00:00,000 --> 00:00:00,900\n12:30 见\n\n2\n${row}\n好`)).toEqual({ number: 6, row });
  });

  test("have no notes, styles, regions, heads and cue names among their texts", () => {
    const text = [
      "WEBVTT - 标题\nKind: captions",
      "STYLE\n::cue { color: red }",
      "NOTE 只给译者看",
      "片头\n00:01.000 --> 00:02.000 line:0\n早上好\nNOTE 在句子里",
      "NOTE\n不念\n也不念",
      "id - 2\n00:03.000 --> 00:04.000\n<ruby>茶<rt>chá</rt></ruby>馆&#39;开门&quot;",
      "REGION\nid:left",
      "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000",
      "00:05.000 --> 00:06.000\n \n走吧",
    ].join("\n\n");
    expect(parseScript(text).map((line) => line.text)).toEqual(["早上好NOTE 在句子里", "茶馆'开门\"", "走吧"]);
    expect(parseScript(text.replace("WEBVTT - 标题", "字幕")).map((line) => line.text)).toHaveLength(3);
  });

  test("that roll say each row once", () => {
    const roll = (stamp: (words: string) => string) => `WEBVTT

00:00:01.000 --> 00:00:03.000
 
${stamp("早市开门了")}

00:00:03.000 --> 00:00:03.010
早市开门了
 

00:00:03.010 --> 00:00:05.000
早市开门了
${stamp("买菜的人很多")}

00:00:05.000 --> 00:00:05.010
买菜的人很多
 

00:00:05.010 --> 00:00:07.000
买菜的人很多
${stamp("好，好")}
`;
    const once = [
      { name: null, text: "早市开门了", startMs: 1000, endMs: 3010 },
      { name: null, text: "买菜的人很多", startMs: 3010, endMs: 5010 },
      { name: null, text: "好，好", startMs: 5010, endMs: 7000 },
    ];
    expect(parseScript(roll((words) => `${words.replace(/(?<=^..)/, "<00:00:01.500><c>")}</c>`))).toEqual(once);
    expect(parseScript(roll((words) => words))).toEqual(once);
  });

  test("that grow by words or move up by rows say each word once", () => {
    const cues = (texts: string[]) =>
      parseScript(texts.map((text, at) => `00:0${at}.000 --> 00:0${at + 1}.000\n${text}`).join("\n\n")).map(
        ({ text, startMs, endMs }) => [text, startMs, endMs],
      );
    expect(cues(["今天", "今天我们", "今天我们去爬山", "记得带水"])).toEqual([
      ["今天我们去爬山", 0, 3000],
      ["记得带水", 3000, 4000],
    ]);
    expect(cues(["甲\n乙", "甲\n乙\n丙", "乙\n丙\n丁", "丙\n丁\n戊"])).toEqual([
      ["甲乙", 0, 1000],
      ["丙", 1000, 2000],
      ["丁", 2000, 3000],
      ["戊", 3000, 4000],
    ]);
    expect(cues(["不！", "不！", "不行", "走吧", "快"]).map(([text]) => text)).toEqual([
      "不！",
      "不！",
      "不行",
      "走吧",
      "快",
    ]);
  });

  test("are parsed without an exception for any input", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => void parseScript(text)));
  });
});

test("lyrics have the time of the next row as their end, at each of their times", () => {
  const text =
    "\uFEFF[ti:早市]\n[offset:500]\n[00:01.50]天亮了\n[00:04.50][00:10.50]<00:04.60>开<00:05.00>门\n[00:08.50]\n[00:06：500]男：走吧\n";
  expect(parseScript(text)).toEqual([
    { name: null, text: "天亮了", startMs: 1000, endMs: 4000 },
    { name: null, text: "开门", startMs: 4000, endMs: 6000 },
    { name: "男", text: "走吧", startMs: 6000, endMs: 8000 },
    { name: null, text: "开门", startMs: 10_000, endMs: 10_500 },
  ]);
  expect(parseScript("他说\n[00:01]好\n走吧\n再见")[1]).toEqual({ name: null, text: "[00:01]好" });
});

test("lyrics are sung without the credits at their head", () => {
  const head =
    "[00:00.00]作词 : 张三\n[00:00.50]作曲：李四\n[00:01.00]编曲 王五\n[00:01.50]Lyrics by: Zhao\n[00:02]混音师/制作人：周六\n";
  expect(parseScript(`${head}[00:05]第一句\n[00:08]制作人：别停\n`)).toEqual([
    { name: null, text: "第一句", startMs: 5000, endMs: 8000 },
    { name: "制作人", text: "别停", startMs: 8000, endMs: 9500 },
  ]);
  expect(parseScript("[00:01]演唱的人都走了\n[00:03]走吧").map(({ text }) => text)).toEqual(["演唱的人都走了", "走吧"]);
});

test("lyrics with a time per character have their times", () => {
  const text =
    "[ti:早市]\n[1000,2000]今(1000,500)天(1500,500)好(2000,500)\n[3500,2000]明(3500,500,0)天(4000,500,0)见(4500,500)\n";
  expect(parseScript(text)).toEqual([
    { name: null, text: "今天好", startMs: 1000, endMs: 3000 },
    { name: null, text: "明天见", startMs: 3500, endMs: 5500 },
  ]);
  expect(parseScript("[1,2]是一个点\n走吧\n好")).toHaveLength(3);
});

test("subtitles with frames are read without the numbers and styles", () => {
  expect(parseScript("{1}{1}25\n{25}{50}你好|世界\n{75}{}{y:i}沈砚：再见\n")).toEqual([
    { name: null, text: "你好世界" },
    { name: "沈砚", text: "再见" },
  ]);
  expect(parseScript("{25}{50}好\n走吧\n快")[0]).toEqual({ name: null, text: "{25}{50}好" });
});

describe("Advanced SubStation Alpha", () => {
  const file = (events: string, format = "Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text") =>
    `[Script Info]\nTitle: 早市\n\n[V4+ Styles]\nStyle: Default,黑体,20\n\n[Events]\nFormat: ${format}\n${events}`;

  test("gives its dialogues without comments, overrides, drawings and layered copies", () => {
    const text = file(`Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,译者注
Dialogue: 0,0:00:03.00,0:00:04.50,Default,沈砚,0,0,0,,{\\an8\\k20}天亮了，{\\i1}走吧{\\i0}\\N快
Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,林小满：早\\h安
Dialogue: 1,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\blur3}林小满：早\\h安
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}
`);
    expect(parseScript(text)).toEqual([
      { name: "林小满", text: "早 安", startMs: 1000, endMs: 2500 },
      { name: "沈砚", text: "天亮了，走吧快", startMs: 3000, endMs: 4500 },
    ]);
  });

  test("is read by the columns of its format, and a broken time names its row", () => {
    const text = file("Dialogue: Marked=0,0:00:01.00,0:00:02.00,好，\\n,走", "Marked, Start, End, Text");
    expect(parseScript(text)).toEqual([{ name: null, text: "好，,走", startMs: 1000, endMs: 2000 }]);
    const short = file("Dialogue: 0:00:01.00,0:00:02.00,好", "Start, End, Text");
    expect([parseScript(short)[0]?.text, findBrokenRow(short)]).toEqual(["好", null]);
    const broken = file("Dialogue: 0,0:00:0x.00,0:00:02.00,Default,,0,0,0,,好");
    expect(findBrokenRow(broken)).toMatchObject({ number: 9 });
  });
});
