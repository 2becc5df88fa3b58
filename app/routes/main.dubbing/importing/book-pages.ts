import { findAll, findFirst, isElement, isTextNode, nameOf, resolvePath } from "./unpack";

const blocks = new Set(
  "address article aside blockquote br dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table td th tr ul".split(
    " ",
  ),
);
const isBlock = (node: Node) => blocks.has(nameOf(node));
/** `rt` and `rp` are the readings over characters. */
const skipped = new Set(["head", "script", "style", "rt", "rp", "svg", "math", "template"]);

interface PageText {
  paragraphs: string[];
  /** For the id of an element the paragraph that it stands in or before. */
  anchors: Map<string, number>;
}

/** The texts of the page's blocks; without recursion, because a page may be nested without limit. */
export function readPageText(root: Node, leftOut: ReadonlySet<Node>): PageText {
  const paragraphs: string[] = [];
  const anchors = new Map<string, number>();
  let text = "";
  const end = () => {
    const paragraph = text.replace(/[\s\u200b\ufeff]+/g, " ").trim();
    if (paragraph !== "") paragraphs.push(paragraph);
    text = "";
  };
  const waiting: Array<Node | "end"> = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node === "end") end();
    else if (isTextNode(node)) text += node.nodeValue ?? "";
    else if (isElement(node) && !skipped.has(nameOf(node))) {
      if (isBlock(node)) end();
      for (const id of [node.getAttribute("id"), node.getAttribute("name")])
        if (id && !anchors.has(id)) anchors.set(id, paragraphs.length);
      if (leftOut.has(node)) continue;
      if (isExponent(node, text)) {
        text += toSuperscript(node);
        continue;
      }
      if (isBlock(node)) waiting.push("end");
      for (let child = node.lastChild; child; child = child.previousSibling) waiting.push(child);
    }
  }
  end();
  return { paragraphs, anchors };
}

/** A raised number after a number or a unit. */
const isExponent = (node: Element, before: string) =>
  nameOf(node) === "sup" &&
  ((/\d$/.test(before) && /^[-−]?\d{1,2}$/.test(wordsOf(node))) ||
    (/(?<![A-Za-z])[A-Za-z]{1,2}$/.test(before) && /^[23]$/.test(wordsOf(node))));
const toSuperscript = (node: Element) => wordsOf(node).replace(/./g, (sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "⁻");

export interface BookPage {
  path: string;
  body: Element;
  /** Of the page's head. */
  title: string;
}

/** Numbers, signs and brackets of a note's number. */
const noteMark =
  /^[[［(（【〔]?\s*(?:注?\s*\d{1,3}|[*＊†‡]{1,3}|[注註]|[①-⑳㉑-㉟㊱-㊿❶-❿]|[ivx]{1,5})\s*[\]］)）】〕]?$/i;
const afterWords = /[\p{Script=Han}。，、；：！？”’」』）》…]$/u;
const noteKinds = /(^|\s)(doc-)?(footnotes?|endnotes?|rearnotes?)(\s|$)/;
const noteClasses = /(^|\s)(duokan-footnote-(content|item)|footnotes?|endnotes?)(\s|$)/i;
const referenceClasses = /(^|\s)(duokan-footnote|noteref|footnote-?(ref|link|reference)?)(\s|$)/i;
/** What a number may point to that is no note. */
const notNotes = new Set("html body main article section h1 h2 h3 h4 h5 h6".split(" "));
/** Before a number that is part of the sentence. */
const countsOn = /[第图表圖章节節页頁卷见見]$/;
export const noteHeading = /^(注|注释|注解|脚注|尾注|附注|註|註釋|註解|notes?|footnotes?|endnotes?)[：:]?$/i;

const kindOf = (element: Element) => `${element.getAttribute("epub:type") ?? ""} ${element.getAttribute("role") ?? ""}`;
const classOf = (element: Element) => element.getAttribute("class") ?? "";
const wordsOf = (node: Node) => (node.textContent ?? "").trim();
const withoutBrackets = (node: Node) => (node.textContent ?? "").replace(/[\s[\]()［］（）【】〔〕]/g, "");

/** The numbers of notes in the text, and the notes themselves, on whichever page they stand. */
export function findNotes(pages: readonly BookPage[]): { references: Set<Element>; notes: Set<Element> } {
  const references = new Set<Element>();
  const addresses = new Set<string>();
  for (const { path, body } of pages) {
    for (const link of findAll(body, "a").filter(isReference)) {
      references.add(outermost(link));
      const target = resolvePath(path, link.getAttribute("href") ?? "");
      addresses.add(`${target.path}#${target.anchor}`);
    }
    for (const raised of findAll(body, "sup")) if (isPlainNumber(raised)) references.add(raised);
  }
  const notes = pages.flatMap(({ path, body }) =>
    findAll(body, "*").flatMap((element) => {
      if (isBlock(element) && isNote(element)) return element;
      const id = element.getAttribute("id") ?? element.getAttribute("name");
      const note = id && addresses.has(`${path}#${id}`) ? noteAround(element) : null;
      return note && !findAll(note, "*").some((part) => references.has(part)) ? note : [];
    }),
  );
  return { references, notes: new Set(notes) };
}

const isNote = (element: Element) => noteKinds.test(kindOf(element)) || noteClasses.test(classOf(element));

/** A link back from a note to the text stands first in its block; a number in the text does not. */
function isReference(link: Element): boolean {
  if (!link.getAttribute("href")?.includes("#")) return false;
  if (/\b(doc-)?noteref\b/.test(kindOf(link)) || referenceClasses.test(classOf(link))) return true;
  const before = wordsBefore(link);
  return noteMark.test(wordsOf(link)) && before !== "" && !countsOn.test(before);
}

function isPlainNumber(raised: Element): boolean {
  const words = wordsOf(raised);
  if (findFirst(raised, "a") || !noteMark.test(words)) return false;
  const before = wordsBefore(raised);
  return /^[[［【〔]/.test(words) ? before !== "" : afterWords.test(before) && !countsOn.test(before);
}

/** The words of the block before the element. */
function wordsBefore(element: Element): string {
  let words = "";
  for (let node: Node | null = element; node && !isBlock(node); node = node.parentNode)
    for (let before = node.previousSibling; before && !isBlock(before); before = before.previousSibling)
      if (isElement(before) || isTextNode(before)) words = (before.textContent ?? "") + words;
  return words.trim();
}

/** The raised or bracketed element that holds nothing but the link. */
function outermost(link: Element): Element {
  let outer = link;
  for (let node = link.parentNode; isElement(node) && !isBlock(node); node = node.parentNode)
    if (withoutBrackets(node) === withoutBrackets(link)) outer = node;
  return outer;
}

function noteAround(element: Element): Element | null {
  let note: Node | null = element;
  while (isElement(note) && !isBlock(note)) note = note.parentNode;
  if (isElement(note) && nameOf(note) === "td") note = note.parentNode;
  return isElement(note) && !notNotes.has(nameOf(note)) ? note : null;
}
