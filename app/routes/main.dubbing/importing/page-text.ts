import { isElement, isTextNode, nameOf } from "./unpack";

const blocks = new Set(
  "address article aside blockquote br dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table td th tr ul".split(
    " ",
  ),
);
export const isBlock = (node: Node) => blocks.has(nameOf(node));
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
      if (isBlock(node)) waiting.push("end");
      for (let child = node.lastChild; child; child = child.previousSibling) waiting.push(child);
    }
  }
  end();
  return { paragraphs, anchors };
}
