import fc from "fast-check";
import { expect, test } from "vitest";
import { splitSegments } from "./segment";

const piece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "你好，",
    "今天天气不错。",
    "#0.5#",
    "行(xing2)",
    "3.14",
    "Hello world",
    "1,234",
    "\n\n",
    "😀",
    "……",
    "“是吗？”",
    "重",
  ),
);
const content = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
const whole = /#\d+(?:\.\d+)?#|\p{Script=Han}\([a-z]+[1-5]\)|\d+[.,]\d+|[A-Za-z]{2,}/gu;

test("the concatenated segments equal the content", () => {
  fc.assert(
    fc.property(content, (text) => {
      const segments = splitSegments(text);
      expect(segments.map((segment) => segment.text).join("")).toBe(text);
      for (const segment of segments) expect(text.startsWith(segment.text, segment.offset)).toBe(true);
    }),
  );
});

test("marks, numbers and Latin words are never split", () => {
  fc.assert(
    fc.property(content, (text) => {
      const ends = new Set(splitSegments(text, { maxChars: 5, firstMaxChars: 3 }).map(({ offset }) => offset));
      for (const { 0: found, index } of text.matchAll(whole)) {
        for (let at = index + 1; at < index + found.length; at++) expect(ends.has(at)).toBe(false);
      }
    }),
  );
});

test("each sentence is a segment, and so is the first clause", () => {
  const texts = splitSegments("你好，欢迎来到声像的世界。今天我们来听一段故事！\n第二段开始了，很短。").map(
    ({ text }) => text,
  );
  expect(texts).toEqual(["你好，", "欢迎来到声像的世界。", "今天我们来听一段故事！\n", "第二段开始了，很短。"]);
});

test("closing quotes stay with their sentence", () => {
  const texts = splitSegments("他慢慢地抬起头来说道：“我们明天早上就走吧。”她点了点头没有说话。", {
    firstMaxChars: 0,
  }).map(({ text }) => text);
  expect(texts).toEqual(["他慢慢地抬起头来说道：“我们明天早上就走吧。”", "她点了点头没有说话。"]);
});

test("long clauses are split between words", () => {
  const long = "我们在北京大学的图书馆里看见了很多正在认真读书的学生和老师".repeat(4);
  const segments = splitSegments(long);
  expect(segments.length).toBeGreaterThan(1);
  for (const { text } of segments) expect(text.length).toBeLessThanOrEqual(60);
});

test("no segment is silent", () => {
  expect(splitSegments("#1#！！！😀你好。#0.5#").map(({ text }) => text)).toEqual(["#1#！！！😀你好。#0.5#"]);
  expect(splitSegments("")).toEqual([]);
  expect(splitSegments("。。。")).toHaveLength(1);
});

test("an emphasis is never split", () => {
  const content = `${"春天来了".repeat(12)}[重读]公园里的花，都开了。孩子们在草地上奔跑[/重读]很久`;
  const whole = splitSegments(content, { maxChars: 55 });
  expect(whole.map(({ text }) => text).join("")).toBe(content);
  expect(whole.filter(({ text }) => text.includes("[重读]") !== text.includes("[/重读]"))).toEqual([]);
});
