import { strToU8, zipSync } from "fflate";

const office = "http://schemas.openxmlformats.org";
const names = `xmlns:a="${office}/drawingml/2006/main" xmlns:r="${office}/officeDocument/2006/relationships" xmlns:p="${office}/presentationml/2006/main"`;

interface SlideFile {
  title: string;
  rows?: string[];
  notes?: string;
  isHidden?: boolean;
}

const paragraphs = (rows: readonly string[]) => rows.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("");
const shape = (type: string, rows: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs(rows)}</p:txBody></p:sp>`;
const relations = (targets: ReadonlyArray<[id: string, type: string, target: string]>) =>
  `<Relationships xmlns="${office}/package/2006/relationships">${targets
    .map(
      ([id, type, to]) =>
        `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/${type}" Target="${to}"/>`,
    )
    .join("")}</Relationships>`;

/** A minimal PowerPoint file. The slides' files are numbered backwards: their order is the presentation's. */
export function pptxBytes(slides: readonly SlideFile[]): Uint8Array<ArrayBuffer> {
  const fileOf = (index: number) => slides.length - index;
  const parts: Record<string, string> = {
    "_rels/.rels": relations([["rId1", "officeDocument", "ppt/presentation.xml"]]),
    "ppt/presentation.xml": `<p:presentation ${names}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      slides.map((_, index) => [`s${index}`, "slide", `slides/slide${fileOf(index)}.xml`]),
    ),
  };
  slides.forEach(({ title, rows = [], notes, isHidden }, index) => {
    const number = fileOf(index);
    const shapes = shape("body", rows) + shape("title", [title]) + shape("sldNum", [String(index + 1)]);
    parts[`ppt/slides/slide${number}.xml`] =
      `<p:sld ${names}${isHidden ? ' show="0"' : ""}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    if (notes === undefined) return;
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relations([
      ["rId1", "notesSlide", `../notesSlides/notesSlide${number}.xml`],
    ]);
    parts[`ppt/notesSlides/notesSlide${number}.xml`] =
      `<p:notes ${names}><p:cSld><p:spTree>${shape("sldImg", [])}${shape("body", notes.split("\n"))}${shape("sldNum", ["9"])}</p:spTree></p:cSld></p:notes>`;
  });
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))).slice();
}

/** A minimal PDF: pages of rows in Helvetica, which knows Latin letters only; the first row is the heading. */
export function pdfBytes(pages: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>"];
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [index, rows] of pages.entries()) {
    const text = rows
      .map(
        (row, at) => `BT /F1 ${at === 0 ? 40 : 20} Tf 60 ${440 - at * 60} Td (${row.replace(/[()\\]/g, "\\$&")}) Tj ET`,
      )
      .join("\n");
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
    );
    objects.push(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`);
  }
  let file = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  return new TextEncoder().encode(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}
