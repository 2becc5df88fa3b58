import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { openScriptFile } from "./open-file";

const office = "http://schemas.openxmlformats.org";
const types = `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const relations = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** The least a word processor saves: paragraphs of one run each. */
function wordFile(paragraphs: string[]): File {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join("");
  const document = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const parts = { "[Content_Types].xml": types, "_rels/.rels": relations, "word/document.xml": document };
  const bytes = zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
  return new File([bytes.slice().buffer], "清晨的菜市场.docx");
}

test("a Word document is read by paragraphs, with who says them", async () => {
  const opened = await openScriptFile(wordFile(["沈砚：天刚亮。", "林小满：老板，这一行都是新到的吗？"]));
  expect(opened).toMatchObject({
    ok: true,
    title: "清晨的菜市场",
    lines: [
      { name: "沈砚", text: "天刚亮。" },
      { name: "林小满", text: "老板，这一行都是新到的吗？" },
    ],
  });
});

test.each([
  ["a zip that is no document", new File([zipSync({ "a.txt": strToU8("x") }).slice().buffer], "a.docx"), "unreadable"],
  ["a sound", new File([new Uint8Array([0, 1, 2, 0, 0, 9])], "a.txt"), "unreadable"],
  ["nothing", new File(["  \n "], "a.txt"), "empty"],
] as const)("%s is refused", async (_what, file, reason) => {
  expect(await openScriptFile(file)).toEqual({ ok: false, reason });
});
