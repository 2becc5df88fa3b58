import fc from "fast-check";
import { expect, test } from "vitest";
import { isMarkdown, toSpokenText } from "./to-spoken-text";

test.each([
  ["a heading", "## 春季上新 ##", "春季上新"],
  ["a list", "- 买一送一\n* [x] 满减\n  + 包邮", "买一送一\n满减\n包邮"],
  ["a quote", "> > 数量有限", "数量有限"],
  ["emphasis", "**限时**优惠，*今天*和***明天***，~~旧价~~，`特价`，__新__", "限时优惠，今天和明天，旧价，特价，新"],
  ["emphasis beside quotes", "**“重点”**在后", "“重点”在后"],
  ["a link", '详情见[官网](https://example.cn/a_(b)?c=1 "标题")。', "详情见官网。"],
  ["a link within a folder", "见[说明](docs/zh-cn/a.md)。", "见说明。"],
  ["numbers of sources", "早市人多[1][2]，[官网][3]也说", "早市人多，官网也说"],
  ["an address in Chinese", "见https://example.cn/路径?a=1，和https://example.cn/早市/x。", "见，和。"],
  ["an address before words", "见https://example.cn/x名额有限，www.example.cn/y好吗?", "见名额有限，好吗?"],
  [
    "comments and programs",
    "早\n<!-- 甲\n乙 -->\n<STYLE>\np {}\n</STYLE><script type='x'>\na()\n</script>\n安",
    "早\n\n安",
  ],
  ["a link by reference", "见[官网][1]。\n\n[1]: https://example.cn", "见官网。"],
  ["an address", "报名：https://example.cn/x?y=1，名额有限（www.example.cn/z）。", "报名：，名额有限。"],
  ["an address alone behind a label", "来源：https://example.cn/x\n走吧", "来源\n走吧"],
  ["a picture", "前\n![图](a.png)![b](c)\n后<img src='b.png'>", "前\n后"],
  ["a table", "| 款式 | 价格 |\n|:--|--:|\n| **小号** | 39元 |\n| 大号 | |", "款式，价格\n小号，39元\n大号"],
  ["a table without outer lines", "款式 | 价格\n--- | ---\n小号 | 39元", "款式，价格\n小号，39元"],
  ["cells of a spreadsheet", "小号\t39元。\t有货", "小号，39元。有货"],
  ["a code block", "先装\n```bash\nnpm start\n```\n再看", "先装\n再看"],
  ["a script in a code block", "```\n沈砚：走吧\n```", "沈砚：走吧"],
  ["an open fence", "```\n走吧", "走吧"],
  ["rules and notes", "上\n\n---\n\n下[^1]【3†来源】\n\n[^1]: 注", "上\n\n下"],
  ["HTML", "<p>早<br>安&nbsp;<b>好</b></p>", "早\n安 好"],
  ["escapes", "1\\. 3\\*4", "1. 3*4"],
])("of %s the words are left", (_case, text, spoken) => {
  expect(toSpokenText(text)).toBe(spoken);
});

test.each([
  "沈砚：[重读]我[/重读]没说行(xing2)#0.5#",
  "[沈砚](旁白)走吧",
  "1. 3*4*5=60，a_b_c，2<3>1",
  "——你好！\n……\n    缩进\n#话题# A|B",
  "1\n00:00:01,000 --> 00:00:02,000\n- **好**",
  "官网是 www.example.cn",
  "```",
  "https://example.cn",
])("text without marks stays as it is: %s", (text) => {
  expect(toSpokenText(text)).toBe(text);
});

test.each([
  ["a fence", "先装\n```\nnpm start\n```", true],
  ["a table", "款式 | 价格\n--- | ---\n小号 | 39元", true],
  ["two links", "见[官网](https://example.cn)和[说明](docs/a.md)", true],
  ["one link", "见[官网](https://example.cn)", false],
  ["speakers with directions", "[沈砚](旁白)走吧\n[林小满](笑)好", false],
  ["lists and headings", "# 早市\n- 好\n---", false],
])("a text with %s: whether it clearly is Markdown", (_case, text, is) => {
  expect(isMarkdown(text)).toBe(is);
});

test("no word is lost or added", () => {
  const part = fc.constantFrom(
    "好",
    "早",
    "**",
    "*",
    "`",
    "\n",
    "|",
    "---",
    "[",
    "](http://b.c)",
    "> ",
    "- ",
    "\t",
    "，",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const wordsOf = (text: string) => text.replace(/[^好早]/g, "");
      expect(wordsOf(toSpokenText(parts.join("")))).toBe(wordsOf(parts.join("")));
    }),
  );
});
