import { findAll, findFirst, type MarkupParser, nameOf, resolvePath, unpackTexts } from "../importing/unpack";

/** What a page brings along. */
export interface SlideText {
  /** To be spoken; "" for a page without text. */
  text: string;
  /** Its heading; "" if there is none. */
  title: string;
}

const endsSentence = /[。！？；：，、,.!?;:…”」）)]$/;
const isWestern = (character: string | undefined) => character !== undefined && /[\w,.;:!?)]/.test(character);

/** One text to be spoken: a paragraph that ends without a sign ends with a full stop, unless it is the last. */
export function joinParagraphs(paragraphs: readonly string[]): string {
  const written = paragraphs.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
  return written
    .map((text, index) => {
      if (index === written.length - 1) return text;
      if (endsSentence.test(text)) return isWestern(text.at(-1)) ? `${text} ` : text;
      return isWestern(text.at(-1)) ? `${text}. ` : `${text}。`;
    })
    .join("");
}

export type SlideShow = { slides: Array<SlideText & { isHidden: boolean }> } | { fault: "too-large" | "unreadable" };

/** The slides of a PowerPoint file in their order: the notes where there are some, else the slide's own text. */
export function readPptx(bytes: Uint8Array, parser: MarkupParser = new DOMParser()): SlideShow {
  const textOf = unpackTexts(bytes);
  if (!textOf) return { fault: "too-large" };
  const read = (path: string) => {
    const text = textOf(path);
    return text === null ? null : parser.parseFromString(text, "application/xml");
  };
  const targetsOf = (path: string) => {
    const relations = path.replace(/([^/]*)$/, "_rels/$1.rels");
    return findAll(read(relations), "Relationship").map((relation) => ({
      id: relation.getAttribute("Id"),
      type: relation.getAttribute("Type") ?? "",
      path: resolvePath(path, relation.getAttribute("Target") ?? "").path,
    }));
  };
  const main = targetsOf("").find(({ type }) => type.endsWith("/officeDocument"))?.path ?? "ppt/presentation.xml";
  const show = read(main);
  if (!findFirst(show, "presentation")) return { fault: "unreadable" };
  const parts = targetsOf(main);
  const slides = findAll(show, "sldId").flatMap((entry) => {
    const path = parts.find(({ id }) => id === entry.getAttribute("r:id"))?.path;
    const slide = path === undefined ? null : read(path);
    if (!slide || path === undefined) return [];
    const notes = targetsOf(path).find(({ type }) => type.endsWith("/notesSlide"))?.path;
    const shapes = findAll(slide, "sp").filter((shape) => !unspoken.has(placeholderOf(shape)));
    const title = shapes.find((shape) => /title$/i.test(placeholderOf(shape)));
    const noted = findAll(notes === undefined ? null : read(notes), "sp").filter((sp) => placeholderOf(sp) === "body");
    const text = joinParagraphs(noted.flatMap(paragraphsOf)) || joinParagraphs(textsOf(slide, title));
    const isHidden = /^(0|false)$/.test(findFirst(slide, "sld")?.getAttribute("show") ?? "");
    return [{ text, title: title ? paragraphsOf(title).join("") : "", isHidden }];
  });
  return slides.length > 0 ? { slides } : { fault: "unreadable" };
}

/** Numbers, dates and footers of the page, and the page's picture on its notes. */
const unspoken = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

const placeholderOf = (shape: Element) => {
  const placeholder = findFirst(shape, "ph");
  return placeholder ? (placeholder.getAttribute("type") ?? "obj") : "";
};

/** Title first, then every paragraph in the order of the file, those of tables too. */
function textsOf(slide: Document, title: Element | undefined): string[] {
  const isOutside = (paragraph: Element) => {
    let node: Node | null = paragraph.parentNode;
    while (node && nameOf(node) !== "sp") node = node.parentNode;
    return node !== title && !(node && unspoken.has(placeholderOf(node as Element)));
  };
  const rest = findAll(slide, "p").filter((paragraph) => nameOf(paragraph) === "p" && isOutside(paragraph));
  return [...(title ? [paragraphsOf(title).join("")] : []), ...rest.map(wordsOf)];
}

const paragraphsOf = (shape: Element): string[] => findAll(shape, "p").map(wordsOf);

const wordsOf = (paragraph: Element) =>
  findAll(paragraph, "*")
    .map((part) => (nameOf(part) === "t" ? (part.textContent ?? "") : nameOf(part) === "br" ? " " : ""))
    .join("");
