import { DOMParser as XmlParser } from "@xmldom/xmldom";
import { strFromU8, strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readEpub } from "./epub";
import type { Chapter } from "./parsed-line";

const container = `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`;
const page = (body: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>书</title></head><body>${body}</body></html>`;
const packageOf = (names: string[]) =>
  `<package xmlns="http://www.idpf.org/2007/opf"><manifest>${names
    .map((name) => `<item id="${name}" href="text/${name}.xhtml"/>`)
    .join("")}</manifest><spine>${names.map((name) => `<itemref idref="${name}"/>`).join("")}</spine></package>`;

const itemsOf = (items: string) => packageOf(["all"]).replace("</manifest>", `${items}</manifest>`);

function bookOf(pages: Record<string, string>, more: Record<string, string> = {}) {
  const files = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml": container,
    "OEBPS/book.opf": packageOf(Object.keys(pages)),
    ...Object.fromEntries(Object.entries(pages).map(([name, body]) => [`OEBPS/text/${name}.xhtml`, page(body)])),
    ...more,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

const parser = new XmlParser({ errorHandler: () => {} }) as unknown as DOMParser;
const read = (bytes: Uint8Array) => readEpub(bytes, parser);

test("chapters come in reading order with their headings, a line per paragraph and without readings over characters", () => {
  const bytes = bookOf({
    two: "<h1>第一章</h1><p>天亮了。</p><p>走<ruby>吧<rt>ba</rt></ruby>！</p>",
    one: "<div>夜深了。<br/>雨停了。</div>",
    empty: "<p> </p>",
  });
  expect(read(bytes)).toEqual({
    withNotes: null,
    ...{ title: "", author: "", cover: null },
    chapters: [
      { title: "第一章", lines: ["第一章", "天亮了。", "走吧！"].map((text) => ({ name: null, text })) },
      { title: "书", lines: ["夜深了。", "雨停了。"].map((text) => ({ name: null, text })) },
    ],
  });
});

test("an encrypted book is refused, one with obfuscated fonts is read", () => {
  const encryption = (method: string) => ({
    "META-INF/encryption.xml": `<encryption><EncryptionMethod Algorithm="${method}"/></encryption>`,
  });
  expect(read(bookOf({ a: "<p>好</p>" }, encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc")))).toEqual({
    fault: "encrypted",
  });
  expect(read(bookOf({ a: "<p>好</p>" }, encryption("http://www.idpf.org/2008/embedding")))).toHaveProperty("chapters");
});

test("a book that unpacks to too much is refused before it is unpacked", () => {
  const bomb = "<p>好</p>".repeat(1) + " ".repeat(61 * 1024 * 1024);
  expect(read(bookOf({ a: bomb }))).toEqual({ fault: "too-large" });
});

test("a book without a package or without text says so, and other files throw for their caller", () => {
  expect(read(zipSync({ mimetype: strToU8("application/epub+zip") }))).toEqual({ fault: "unreadable" });
  expect(read(bookOf({ a: "" }))).toEqual({ fault: "empty" });
  expect(() => read(strToU8("PK no archive"))).toThrow();
});

describe("the table of contents", () => {
  const titlesOf = (book: ReturnType<typeof read>) =>
    "chapters" in book && book.chapters.map(({ title, lines }) => [title, ...lines.map(({ text }) => text)]);
  const all =
    "<p>扉页</p><h2 id='a'>一 清晨</h2><p>天亮了。</p><h2>二 午后<a id='b'/></h2><p>下雨了。</p><div id='c'><h2>三</h2><p>雨停了。</p></div>";
  const chapters = [
    ["书", "扉页"],
    ["清晨", "一 清晨", "天亮了。"],
    ["午后", "二 午后", "下雨了。"],
    ["傍晚", "三", "雨停了。"],
  ];
  const ncxItem = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>';
  const point = (title: string, src: string, inner = "") =>
    `<navPoint><navLabel><text>${title}</text></navLabel><content src="${src}"/>${inner}</navPoint>`;
  const ncxOf = (...points: string[]) => `<ncx><navMap>${points.join("")}</navMap></ncx>`;

  test("cuts a page at its anchors, of EPUB 2 and 3", () => {
    const ncx = ncxOf(
      point("清晨", "text/all.xhtml#a"),
      point("午后", "text/all.xhtml#b"),
      point("傍晚", "text/all.xhtml#c"),
      point("别处", "text/none.xhtml"),
    );
    expect(titlesOf(read(bookOf({ all }, { "OEBPS/book.opf": itemsOf(ncxItem), "OEBPS/toc.ncx": ncx })))).toEqual(
      chapters,
    );
    const nav = `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="landmarks"><ol><li><a href="all.xhtml">正文</a></li></ol></nav><nav epub:type="toc"><ol><li><span>上部</span><ol><li><a href="all.xhtml#a">清晨</a></li><li><a href="all.xhtml#b">午后</a></li></ol></li><li><a href="all.xhtml#c">傍晚</a></li></ol></nav></body></html>`;
    const opf = itemsOf('<item id="nav" href="text/nav.xhtml" properties="nav"/>');
    expect(titlesOf(read(bookOf({ all }, { "OEBPS/book.opf": opf, "OEBPS/text/nav.xhtml": nav })))).toEqual(chapters);
  });

  test("keeps the pages and sections of a chapter together", () => {
    const pages = {
      one: "<h1>一</h1><p>甲。</p>",
      more: "<p>乙。</p>",
      section: "<h2>小节</h2>",
      two: "<h1>二</h1>",
      extra: "<h1>后记</h1>",
    };
    const opf = packageOf(Object.keys(pages)).replace("</manifest>", `${ncxItem}</manifest>`);
    const ncx = ncxOf(
      point("第一章", "text/one.xhtml", point("小节", "text/section.xhtml")),
      point("第二章", "text/two.xhtml"),
    );
    expect(titlesOf(read(bookOf(pages, { "OEBPS/book.opf": opf, "OEBPS/toc.ncx": ncx })))).toEqual([
      ["第一章", "一", "甲。", "乙。", "小节"],
      ["第二章", "二"],
      ["后记", "后记"],
    ]);
  });
});

describe("notes", () => {
  const linesOf = (pages: Record<string, string>) => {
    const book = read(bookOf(pages));
    return "chapters" in book && book.chapters.flatMap(({ lines }) => lines.map(({ text }) => text));
  };

  test.each([
    [
      "by their kind",
      `<p>信<a xmlns:epub="e" epub:type="noteref" href="#n">注</a>到了。</p><aside xmlns:epub="e" epub:type="footnote" id="n"><p>家书。</p></aside>`,
    ],
    [
      "by their role",
      `<p>信<a role="doc-noteref" href="#n">1</a>到了。</p><div role="doc-endnotes"><p id="n">家书。</p></div>`,
    ],
    [
      "by where a raised number points",
      `<p>信<sup>[<a id="r" href="#n">1</a>]</sup>到了。</p><hr/><h3>注释</h3><p><a id="n" href="#r">[1]</a> 家书。</p>`,
    ],
    [
      "in a table",
      `<p>信<a href="#n">①</a>到了。</p><table><tr><td><a id="n" href="#r">①</a></td><td>家书。</td></tr></table>`,
    ],
    ["as numbers without links", `<p>信<sup>12</sup>到了。</p>`],
  ])("are left out, known %s", (_case, body) => {
    expect(linesOf({ a: body })).toEqual(["信到了。"]);
  });

  test("are kept by choice, without their numbers in the text", () => {
    const body = `<p>信<sup><a href="#n">1</a></sup>到了。</p><h3>注释</h3><p id="n"><a href="#r">1</a> 家书。</p>`;
    const book = read(bookOf({ a: body }));
    const linesIn = (chapters: Chapter[] | null) => chapters?.flatMap(({ lines }) => lines.map(({ text }) => text));
    expect("fault" in book ? null : [linesIn(book.chapters), linesIn(book.withNotes)]).toEqual([
      ["信到了。"],
      ["信到了。", "注释", "1 家书。"],
    ]);
  });

  test("are left out on a page of their own", () => {
    const notes = `<h2>注释</h2><p id="n"><a href="a.xhtml#r">1</a>家书。</p><p id="m"><a href="a.xhtml#s">2</a>电报。</p>`;
    const body = `<p>信<sup><a id="r" href="b.xhtml#n">1</a></sup>到了<sup><a id="s" href="b.xhtml#m">2</a></sup>。</p>`;
    expect(linesOf({ a: body, b: notes })).toEqual(["信到了。"]);
  });

  test("are not exponents, references in a sentence and the contents", () => {
    expect(
      linesOf({ a: `<p>x<sup>2</sup>，见第<a href="#c">3</a>章</p><p><a href="#c">1</a></p><p id="c">丙。</p>` }),
    ).toEqual(["x²，见第3章", "1", "丙。"]);
    expect(
      linesOf({
        a: "<p>第<sup>1</sup>版，10<sup>2</sup>平方，3 cm<sup><i>3</i></sup>，10<sup>−12</sup>，20<sup>th</sup></p>",
      }),
    ).toEqual(["第1版，10²平方，3 cm³，10⁻¹²，20th"]);
  });
});

describe("what players show of a book", () => {
  const picture = '<item id="pic" href="img/front%20page.jpg" media-type="image/jpeg"/>';
  const bookWith = (metadata: string, items: string, more: Record<string, string> = {}) => {
    const opf = packageOf(["a"]).replace("<manifest>", `<metadata>${metadata}</metadata><manifest>${items}`);
    const book = read(
      bookOf({ a: "<p>好。</p>" }, { "OEBPS/book.opf": opf, "OEBPS/img/front page.jpg": "jpeg", ...more }),
    );
    return "fault" in book ? book : { ...book, cover: book.cover && strFromU8(book.cover) };
  };

  test("is its title, its authors without translators, and its cover", () => {
    const creators = `<creator opf:role="aut"> 甲\n乙 </creator><creator>丙</creator><creator opf:role="trl">丁</creator>`;
    const cover = picture.replace("<item", '<item properties="cover-image"');
    expect(bookWith(`<title>山中</title>${creators}`, cover)).toMatchObject({
      ...{ title: "山中", author: "甲 乙、丙" },
      cover: "jpeg",
    });
  });

  test.each([
    ["by its id", '<meta name="cover" content="pic"/>', picture],
    ["by its address", '<meta name="cover" content="img/front%20page.jpg"/>', picture],
    ["by what it is called", "", picture.replace("pic", "Cover")],
  ])("has a cover that EPUB 2 names %s", (_case, metadata, items) => {
    expect(bookWith(metadata, items)).toMatchObject({ cover: "jpeg" });
  });

  test.each([
    ["is drawn", picture.replace("jpeg", "svg+xml").replace("pic", "cover"), {}],
    ["is missing", picture.replace("pic", "cover").replace("front", "back"), {}],
    [
      "is larger than a book may be",
      picture.replace("pic", "cover"),
      { "OEBPS/img/front page.jpg": "x".repeat(2.1e7) },
    ],
  ])("has no cover that %s", (_case, items, more) => {
    expect(bookWith("", items, more as Record<string, string>)).toMatchObject({ cover: null, title: "" });
  });
});
