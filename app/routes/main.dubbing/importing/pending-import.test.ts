import fc from "fast-check";
import { expect, test } from "vitest";
import { createLine, type Script } from "../editor/script";
import { type ImportMode, type ImportReading, importLines, type PendingImport, unasked } from "./pending-import";
import { parseScript } from "./script-text";

const script = (...contents: string[]): Script => ({
  title: "",
  lines: contents.map((content, index) => createLine({ id: `line-${index}`, roleId: "narrator", content })),
});
const words = ({ lines }: Script) => lines.map(({ content }) => content);
const decisions = new Map([["沈砚", { roleId: "shen" }]]);
const pending = (spot: PendingImport["spot"]): PendingImport => ({
  lines: parseScript("沈砚：天亮了。\n走吧。"),
  spot,
  title: "早市",
});
const put = (before: Script, one: PendingImport, mode: ImportMode = "append", reading = unasked.reading) =>
  importLines(before, one, { decisions, mode, reading, defaultRoleId: "narrator" }).script;

test("pasted lines replace the selected range", () => {
  const spot = { id: "line-0", from: 2, to: 4, content: "前面选中后面" };
  const after = put(script("前面选中后面", "下一句"), pending(spot));
  expect(words(after)).toEqual(["前面", "天亮了。", "走吧。", "后面", "下一句"]);
  expect(after.lines.map(({ roleId }) => roleId)).toEqual(["narrator", "shen", "narrator", "narrator", "narrator"]);
  expect(after.title).toBe("早市");
});

test("text typed during the role search is kept", () => {
  const text = fc.string({ minLength: 1, unit: "grapheme" }).filter((one) => one.trim() !== "");
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), text, fc.nat(20), fc.nat(20), (now, then, a, b) => {
      fc.pre(now[0] !== then);
      const spot = { id: "line-0", from: Math.min(a, b), to: Math.max(a, b), content: then };
      const after = words(put(script(...now), pending(spot)));
      expect(after).toEqual([now[0], "天亮了。", "走吧。", ...now.slice(1)]);
    }),
  );
});

test("lines are added at the end if their target line was removed", () => {
  const spot = { id: "gone", from: 0, to: 0, content: "" };
  expect(words(put(script("一", "二"), pending(spot)))).toEqual(["一", "二", "天亮了。", "走吧。"]);
});

test("an import keeps the script's music, and adds its own if there is none or all is replaced", () => {
  const [own, brought] = (["calm", "tense"] as const).map((track) => ({
    track,
    level: -8,
    duck: 12,
    fadeIn: 2,
    fadeOut: 4,
  }));
  const scored = { ...script("一"), music: own };
  expect(put(scored, pending(null)).music).toEqual(own);
  expect(put(scored, { ...pending(null), music: brought }).music).toEqual(own);
  expect(put(scored, { ...pending(null), music: brought }, "replace").music).toEqual(brought);
  expect(put(script("一"), { ...pending(null), music: brought }).music).toEqual(brought);
});

test("a script without a target is appended or replaces the script", () => {
  expect(words(put(script("一", ""), pending(null)))).toEqual(["一", "天亮了。", "走吧。"]);
  expect(words(put(script("一"), pending(null), "replace"))).toEqual(["天亮了。", "走吧。"]);
});

const timed = (text: string, spot: PendingImport["spot"] = null): PendingImport => ({
  lines: parseScript(text),
  spot,
  title: "",
});
const times = ({ lines }: Script) => lines.map(({ startMs, endMs }) => [startMs, endMs]);
const subtitles = "00:01.000 --> 00:02.000\n（轻声）天亮了。\n\n00:03.000 --> 00:04.000\n走吧。";

test("times and stage directions are read as the user chose", () => {
  const read = (reading: ImportReading) => put(script(""), timed(subtitles), "replace", reading);
  const own = read({ keepsTimes: true, directions: "tone" });
  expect(times(own)).toEqual([
    [1000, 2000],
    [3000, 4000],
  ]);
  expect(own.lines.map(({ content, genre, ext }) => [content, genre, ext])).toEqual([
    ["天亮了。", 2, { calm: 0.7 }],
    ["走吧。", 0, undefined],
  ]);
  const plain = read({ keepsTimes: false, directions: "spoken" });
  expect(words(plain)).toEqual(["（轻声）天亮了。", "走吧。"]);
  expect(plain.lines.every(({ startMs, genre }) => startMs === undefined && genre === 0)).toBe(true);
  expect(read({ keepsTimes: true, directions: "left-out" }).lines[0]).toMatchObject({ content: "天亮了。", genre: 0 });
});

test("subtitles after others begin when those end, and amid others lose times that do not fit", () => {
  const first = put(script(""), timed(subtitles), "replace");
  expect(times(put(first, timed(subtitles)))).toEqual([
    [1000, 2000],
    [3000, 4000],
    [5000, 6000],
    [7000, 8000],
  ]);
  const [line] = first.lines;
  const spot = { id: line?.id ?? "", from: 4, to: 4, content: "天亮了。" };
  const none = [undefined, undefined];
  expect(times(put(first, timed(subtitles, spot)))).toEqual([[1000, 2000], none, none, [3000, 4000]]);
  const between = "00:02.100 --> 00:02.500\n等等。";
  expect(times(put(first, timed(between, spot)))).toEqual([
    [1000, 2000],
    [2100, 2500],
    [3000, 4000],
  ]);
});
