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

type WordText = { text: string } | { fault: "too-large" | "unreadable" };

/** The paragraphs of a Word document, one per row, as if all tracked changes were accepted. */
export function readWord(bytes: Uint8Array, parser: MarkupParser = new DOMParser()): WordText {
  const textOf = unpackTexts(bytes);
  if (!textOf) return { fault: "too-large" };
  const read = (path: string) => {
    const text = textOf(path);
    return text === null ? null : parser.parseFromString(text, "application/xml");
  };
  const main = findAll(read("_rels/.rels"), "Relationship").find((relation) =>
    relation.getAttribute("Type")?.endsWith("/officeDocument"),
  );
  const body = findFirst(read(resolvePath("", main?.getAttribute("Target") ?? "word/document.xml").path), "body");
  return body ? { text: paragraphsOf(body).join("\n") } : { fault: "unreadable" };
}

/** Properties, removed text, field codes and the readings over characters. */
const skipped = new Set("ppr rpr tblpr tblgrid trpr tcpr sdtpr sectpr del movefrom deltext instrtext rt".split(" "));
const signs: Record<string, string> = { tab: "\t", ptab: "\t", br: "\n", cr: "\n", nobreakhyphen: "-" };

/** A text box follows the paragraph that it is anchored in; a cell of a table is a paragraph of its own. */
function paragraphsOf(body: Element): string[] {
  const paragraphs: string[] = [];
  let text = "";
  let boxes: Node[] = [];
  const end = () => {
    if (text.trim() !== "") paragraphs.push(text);
    text = "";
  };
  const waiting: Array<Node | "end"> = [body];
  const visit = (node: Node) => waiting.push(...childElements(node).reverse());
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node === "end") {
      end();
      waiting.push(...boxes.reverse());
      boxes = [];
    } else if (isElement(node) && !isLeftOut(node)) {
      const name = nameOf(node);
      if (name === "t") text += node.textContent ?? "";
      else if (name === "txbxcontent") boxes.push(...childElements(node));
      else if (name === "alternatecontent") visit(findAlternative(node));
      else {
        text += signs[name] ?? "";
        if (name === "p" && !isJoinedToNext(node)) waiting.push("end");
        visit(node);
      }
    }
  }
  end();
  return paragraphs;
}

const propertyOf = (element: Element, ...path: string[]) =>
  path.reduce<Element | undefined>(
    (found, name) => found && childElements(found).find((child) => nameOf(child) === name),
    element,
  );
const isOn = (property: Element | undefined) =>
  property !== undefined && !/^(0|false|off)$/.test(property.getAttribute("w:val") ?? "");

/** Also hidden text, deleted rows and cells, and the prompts of empty form fields. */
function isLeftOut(element: Element): boolean {
  const name = nameOf(element);
  if (name === "r") return isOn(propertyOf(element, "rpr", "vanish"));
  if (name === "tr") return propertyOf(element, "trpr", "del") !== undefined;
  if (name === "tc") return propertyOf(element, "tcpr", "celldel") !== undefined;
  if (name === "sdt") return isOn(propertyOf(element, "sdtpr", "showingplchdr"));
  return skipped.has(name);
}

/** The mark at the paragraph's end was deleted or moved away. */
const isJoinedToNext = (paragraph: Element) =>
  ["del", "movefrom"].some((change) => propertyOf(paragraph, "ppr", "rpr", change) !== undefined);

/** The same content in two forms; the older form is for older programs. */
function findAlternative(element: Element): Element {
  const forms = childElements(element);
  return forms.find((form) => findFirst(form, "t")) ?? element;
}
