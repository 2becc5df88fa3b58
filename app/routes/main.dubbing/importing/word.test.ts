import { DOMParser as XmlParser } from "@xmldom/xmldom";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { readWord } from "./word";

const parser = new XmlParser({ errorHandler: () => {} }) as unknown as DOMParser;
const wordOf = (body: string, path = "word/document.xml", more: Record<string, Uint8Array> = {}) =>
  zipSync({
    ...more,
    "_rels/.rels": strToU8(
      `<Relationships><Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="/${path}"/></Relationships>`,
    ),
    [path]: strToU8(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="wps" xmlns:v="urn:schemas-microsoft-com:vml"><w:body>${body}</w:body></w:document>`,
    ),
  });
const run = (text: string, properties = "") =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t>${text}</w:t></w:r>`;
const paragraph = (content: string, properties = "") =>
  `<w:p><w:pPr><w:rPr>${properties}</w:rPr></w:pPr>${content}</w:p>`;
const read = (body: string) => {
  const word = readWord(wordOf(body), parser);
  return "text" in word ? word.text.split("\n") : word;
};

test("tracked changes are read as accepted", () => {
  const removed = `<w:del><w:r><w:delText>三</w:delText></w:r></w:del>`;
  expect(read(paragraph(`${run("周")}${removed}<w:ins>${run("五")}</w:ins>`))).toEqual(["周五"]);
  const moved = `<w:moveFrom>${run("先")}</w:moveFrom>${run("说，")}<w:moveTo>${run("再走")}</w:moveTo>`;
  expect(read(paragraph(moved))).toEqual(["说，再走"]);
  expect(read(paragraph(run("前，"), "<w:del/>") + paragraph(run("后。"), "<w:ins/>"))).toEqual(["前，后。"]);
  expect(read(paragraph(run("最后。"), "<w:del/>"))).toEqual(["最后。"]);
});

test("a text box is read once, after the paragraph that it is anchored in", () => {
  const box = `<w:txbxContent>${paragraph(run("框里"))}</w:txbxContent>`;
  const newer = `<mc:Choice><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice>`;
  const older = `<mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback>`;
  for (const forms of [newer + older, newer, older])
    expect(
      read(paragraph(`${run("前半")}<w:r><mc:AlternateContent>${forms}</mc:AlternateContent></w:r>${run("后半")}`)),
    ).toEqual(["前半后半", "框里"]);
});

test("each cell of a table is a line, without deleted rows", () => {
  const row = (cells: string[], properties = "") =>
    `<w:tr><w:trPr>${properties}</w:trPr>${cells.map((cell) => `<w:tc>${paragraph(run(cell))}</w:tc>`).join("")}</w:tr>`;
  expect(
    read(`<w:tbl>${row(["小号", "39元"])}${row(["旧", "0"], "<w:del/>")}${row(["大号", "49元"])}</w:tbl>`),
  ).toEqual(["小号", "39元", "大号", "49元"]);
});

test("breaks are rows; hidden text, codes, prompts and readings over characters are left out", () => {
  const field = `<w:r><w:instrText>PAGE</w:instrText></w:r><w:fldSimple>${run("三")}</w:fldSimple>`;
  const ruby = `<w:r><w:ruby><w:rt>${run("chá")}</w:rt><w:rubyBase>${run("茶")}</w:rubyBase></w:ruby></w:r>`;
  const prompt = `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${run("单击此处")}</w:sdtContent></w:sdt>`;
  const hidden = run("暗", "<w:vanish/>") + run("明", '<w:vanish w:val="0"/>');
  expect(read(paragraph(`${field}${ruby}<w:r><w:br/></w:r>${hidden}${prompt}`))).toEqual(["三茶", "明"]);
});

test("a document elsewhere is found; one of too many files is refused before it is unpacked", () => {
  expect(readWord(wordOf(paragraph(run("好")), "word/document2.xml"), parser)).toEqual({ text: "好" });
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`word/${at}.xml`, new Uint8Array()]));
  expect(readWord(wordOf("", "word/document.xml", many), parser)).toEqual({ fault: "too-large" });
});

test("a document of more text or elements than a browser reads quickly is refused before it is parsed", () => {
  const neverParsed = {
    parseFromString(text: string, type: DOMParserSupportedType) {
      if (text.includes("<w:body>")) throw new Error("parsed");
      return parser.parseFromString(text, type);
    },
  };
  for (const body of ["<w:p/>".repeat(900_000), paragraph(run("好".repeat(12 * 1024 * 1024)))])
    expect(readWord(wordOf(body), neverParsed)).toEqual({ fault: "too-large" });
});

test("a document that is no XML is unreadable, also where the parser says so in a page of its own", () => {
  const failing = {
    parseFromString: (text: string, type: DOMParserSupportedType) =>
      parser.parseFromString(
        text.includes("<w:body>") ? "<html><body><parsererror>第 1 行</parsererror></body></html>" : text,
        type,
      ),
  };
  expect(readWord(wordOf(paragraph(run("好"))), failing)).toEqual({ fault: "unreadable" });
});
