import { expect, test } from "vitest";
import { isHeading } from "./chapters";

test.each(["第一章", "第 12 章 雾", "第三回：风波", "第二卷 远行", "第二部", "Chapter One", "序", "楔子", "番外 一"])(
  "%s is the title of a chapter",
  (line) => expect(isHeading(line)).toBe(true),
);

test.each([
  "",
  "第三部电影很好看",
  "第一章没有来。",
  "第二章，她走了",
  "序号",
  "尾声渐渐远去",
  "他翻到第一章",
  `第一章${"长".repeat(500)}`,
])("“%s” is not", (line) => expect(isHeading(line)).toBe(false));
