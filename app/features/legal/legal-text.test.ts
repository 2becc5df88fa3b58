import { marked } from "marked";
import { expect, test } from "vitest";
import source from "~/copy/terms.md?raw";
import type { LegalBlock } from "./legal-text";
import { promised } from "./legal-text";

const blocks = marked.lexer(source).flatMap((token): LegalBlock[] => {
  if (token.type === "paragraph") return [{ kind: "paragraph", text: token.text }];
  return token.type === "list" ? [{ kind: "list", items: token.items.map(({ text }: { text: string }) => text) }] : [];
});

test("the terms of an external upstream mention neither the built-in engine nor the label in every file", () => {
  const text = JSON.stringify(promised(blocks, { engine: "", isLabelled: false, vendors: [] }));
  expect(text).not.toMatch(/内置引擎|每个音频文件都带有|显式标识/);
  expect(text).toMatch(/请保留标识/);
});

test("the terms of the embedded upstream are complete", () => {
  const withoutVendors = blocks.filter((block) => block.kind !== "paragraph" || !block.text.includes("{vendors}"));
  expect(promised(blocks, { engine: "embedded", isLabelled: true, vendors: [] })).toEqual(withoutVendors);
});

test("the terms name the vendors that recordings are sent to, and no longer say that they are given to none", () => {
  const text = JSON.stringify(
    promised(blocks, { engine: "other", isLabelled: true, vendors: ["dashscope", "minimax-abroad"] }),
  );
  expect(text).toContain("发送给合成服务商：阿里云百炼（中国内地）、MiniMax（境外）");
  expect(text).not.toContain("不用来做别的，也不提供给别人");
});
