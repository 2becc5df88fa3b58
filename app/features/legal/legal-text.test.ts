import { marked } from "marked";
import { expect, test } from "vitest";
import privacy from "~/copy/privacy.md?raw";
import terms from "~/copy/terms.md?raw";
import type { SiteCapabilities } from "~/state/capabilities";
import type { LegalBlock } from "./legal-text";
import { promised } from "./legal-text";

const blocksOf = (source: string) =>
  marked.lexer(source).flatMap((token): LegalBlock[] => {
    if (token.type === "paragraph") return [{ kind: "paragraph", text: token.text }];
    if (token.type !== "list") return [];
    return [{ kind: "list", items: token.items.map(({ text }: { text: string }) => text) }];
  });

const embedded: SiteCapabilities = { engine: "embedded", isLabelled: true, vendors: [], missing: [] };
const conditions = [...(terms + privacy).matchAll(/\{(\w+)\|/g)].map(([, name]) => name);
const foreign: SiteCapabilities = {
  engine: "",
  isLabelled: false,
  vendors: [],
  missing: conditions as SiteCapabilities["missing"],
};
const shown = (source: string, site: SiteCapabilities) => JSON.stringify(promised(blocksOf(source), site));

test("the terms of an external upstream mention neither the built-in engine nor the label in every file", () => {
  const text = shown(terms, foreign);
  expect(text).not.toMatch(/内置引擎|每个音频文件都带有|显式标识/);
  expect(text).toMatch(/请保留标识/);
});

test("the policy promises only what the upstream can do", () => {
  const promises =
    /提醒|核对是不是本人|你分享的页面|短期保存|配音项目|30 天|注销账号|导出我的数据|更正|撤回同意：|举报|“会员与订单”/g;
  expect(shown(terms + privacy, foreign).match(promises)).toBeNull();
  expect(new Set(shown(terms + privacy, embedded).match(promises)).size).toBe(12);
  expect(shown(terms + privacy, embedded)).not.toMatch(/[{|}]\p{Script=Han}/u);
});

test("the terms name the vendors that recordings are sent to, and no longer say that they are given to none", () => {
  const text = shown(terms, { ...foreign, engine: "other", vendors: ["dashscope", "minimax-abroad"] });
  expect(text).toContain("发送给合成服务商：阿里云百炼（中国内地）、MiniMax（境外）");
  expect(text).not.toContain("不用来做别的，也不提供给别人");
});
