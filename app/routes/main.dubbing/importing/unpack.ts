import { unzipSync } from "fflate";

/** What reads XML and HTML: the browser's `DOMParser`. */
export type MarkupParser = Pick<DOMParser, "parseFromString">;

/** Unpacked texts of a book or document; longer ones, or more files, are refused before they are unpacked. */
const textMaxBytes = 60 * 1024 * 1024;
const filesMax = 5000;
const isText = (name: string) => /\.(x?html?|xml|opf|ncx|rels)$/i.test(name);

/** Reads the texts of a ZIP archive by path; null if they are too much. */
export function unpackTexts(bytes: Uint8Array): ((path: string) => string | null) | null {
  let total = 0;
  let count = 0;
  // The sizes of the directory are also the most that is unpacked.
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!isText(name)) return false;
      total += originalSize;
      count += 1;
      return total <= textMaxBytes && count <= filesMax;
    },
  });
  if (total > textMaxBytes || count > filesMax) return null;
  return (path) => {
    const file = files[path] ?? files[decodePath(path)];
    return file ? new TextDecoder().decode(file) : null;
  };
}

/** One file of a ZIP archive; null if it is missing or larger. */
export function unpackFile(bytes: Uint8Array, path: string, maxBytes: number): Uint8Array | null {
  const isIt = (name: string) => name === path || name === decodePath(path);
  const files = unzipSync(bytes, { filter: ({ name, originalSize }) => isIt(name) && originalSize <= maxBytes });
  return Object.values(files)[0] ?? null;
}

/** The address of a file or of an element in it, as written in another file. */
export function resolvePath(from: string, href: string): { path: string; anchor: string } {
  const [target = "", anchor = ""] = href.split("#");
  if (target === "") return { path: from, anchor: decodePath(anchor) };
  const parts = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return { path: decodePath(parts.join("/")), anchor: decodePath(anchor) };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type Tree = Pick<Document, "getElementsByTagNameNS">;
export const findAll = (tree: Tree | null | undefined, name: string): Element[] =>
  Array.from(tree?.getElementsByTagNameNS("*", name) ?? []);
export const findFirst = (tree: Tree | null | undefined, name: string): Element | undefined => findAll(tree, name)[0];

/** Without the prefix, in lower case. */
export const nameOf = ({ nodeName }: Node) => nodeName.toLowerCase().replace(/^.*:/, "");
export const isElement = (node: Node | null): node is Element => node?.nodeType === 1;
export const isTextNode = (node: Node | null) => node?.nodeType === 3 || node?.nodeType === 4;
export const childElements = (node: Node) => Array.from(node.childNodes).filter(isElement);
