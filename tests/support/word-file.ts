import { strToU8, zipSync } from "fflate";

const office = "http://schemas.openxmlformats.org";
const types = `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const relations = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** A minimal Word document: paragraphs of one run each. */
export function wordBytes(paragraphs: string[]): Uint8Array<ArrayBuffer> {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join("");
  const document = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const parts = { "[Content_Types].xml": types, "_rels/.rels": relations, "word/document.xml": document };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))).slice();
}
