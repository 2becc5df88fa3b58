import {
  childElements,
  findAll,
  findFirst,
  isElement,
  type MarkupParser,
  nameOf,
  resolvePath,
  unpackTexts,
} from "./unpack";

/** Of the document's XML; beyond them, reading would block the page for many seconds. */
const charactersMax = 12 * 1024 * 1024;
const tagsMax = 800_000;

type WordText = { text: string } | { fault: "too-large" | "unreadable" };

/** The paragraphs of a Word document, one per row, as if all tracked changes were accepted. */
export function readWord(bytes: Uint8Array, parser: MarkupParser = new DOMParser()): WordText {
  const textOf = unpackTexts(bytes);
  if (!textOf) return { fault: "too-large" };
  const parse = (text: string | null) => (text === null ? null : parser.parseFromString(text, "application/xml"));
  const main = findAll(parse(textOf("_rels/.rels")), "Relationship").find((relation) =>
    relation.getAttribute("Type")?.endsWith("/officeDocument"),
  );
  const { path } = resolvePath("", main?.getAttribute("Target") ?? "word/document.xml");
  const xml = textOf(path);
  if (xml && (xml.length > charactersMax || xml.split("<", tagsMax).length === tagsMax)) return { fault: "too-large" };
  const document = parse(xml);
  const body = findFirst(document, "body");
  // Browsers report a failed parse as an element.
  if (!body || findFirst(document, "parsererror")) return { fault: "unreadable" };
  for (const element of findAll(body, "*").filter(isLeftOut)) element.parentNode?.removeChild(element);
  for (const box of findAll(body, "txbxContent").reverse()) moveBehindParagraph(box);
  const text = findAll(body, "p").map((paragraph) => wordsOf(paragraph) + (isJoinedToNext(paragraph) ? "" : "\n"));
  return { text: text.join("").trimEnd() };
}

const propertyOf = (element: Element, ...path: string[]) =>
  path.reduce<Element | undefined>(
    (found, name) => found && childElements(found).find((child) => nameOf(child) === name),
    element,
  );
const isOn = (property: Element | undefined) =>
  property !== undefined && !/^(0|false|off)$/.test(property.getAttribute("w:val") ?? "");

/** Removed text, readings over characters, hidden text, deleted rows and cells, the prompts of empty form fields. */
function isLeftOut(element: Element): boolean {
  const name = nameOf(element);
  if (name === "r") return isOn(propertyOf(element, "rpr", "vanish"));
  if (name === "tr") return propertyOf(element, "trpr", "del") !== undefined;
  if (name === "tc") return propertyOf(element, "tcpr", "celldel") !== undefined;
  if (name === "sdt") return isOn(propertyOf(element, "sdtpr", "showingplchdr"));
  if (name === "del" || name === "movefrom") return nameOf(element.parentNode ?? element) !== "rpr";
  if (name === "choice" || name === "fallback") return isOtherForm(element);
  return name === "rt";
}

/** Of the same content in two forms, the older one is for older programs. */
const isOtherForm = (form: Element) =>
  form.parentNode !== null && childElements(form.parentNode).find((other) => findFirst(other, "t")) !== form;

/** A text box stands inside the paragraph that it is anchored in. */
function moveBehindParagraph(box: Element) {
  let anchor = box.parentNode;
  while (isElement(anchor) && nameOf(anchor) !== "p") anchor = anchor.parentNode;
  anchor?.parentNode?.insertBefore(box, anchor.nextSibling);
}

const signs: Record<string, string> = { tab: "\t", ptab: "\t", br: "\n", cr: "\n", nobreakhyphen: "-" };

const wordsOf = (paragraph: Element) =>
  findAll(paragraph, "*")
    .map((part) => (nameOf(part) === "t" ? part.textContent : signs[nameOf(part)]) ?? "")
    .join("")
    .replace(/^\t+/, "");

/** The mark at the paragraph's end was deleted or moved away. */
const isJoinedToNext = (paragraph: Element) =>
  ["del", "movefrom"].some((change) => propertyOf(paragraph, "ppr", "rpr", change) !== undefined);
