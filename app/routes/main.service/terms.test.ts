import { marked } from "marked";
import { expect, test } from "vitest";
import source from "~/copy/terms.md?raw";
import type { Block } from "./terms";
import { promised } from "./terms";

const blocks = marked.lexer(source).flatMap((token): Block[] => {
  if (token.type === "paragraph") return [{ kind: "paragraph", text: token.text }];
  return token.type === "list" ? [{ kind: "list", items: token.items.map(({ text }: { text: string }) => text) }] : [];
});

test("the terms of an external upstream mention neither the built-in engine nor the label in every file", () => {
  const text = JSON.stringify(promised(blocks, { engine: "", isLabelled: false }));
  expect(text).not.toMatch(/内置引擎|每个音频文件都带有|显式标识/);
  expect(text).toMatch(/请保留标识/);
});

test("the terms of the embedded upstream are complete", () => {
  expect(promised(blocks, { engine: "embedded", isLabelled: true })).toEqual(blocks);
});
