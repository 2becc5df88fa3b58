import { unzipSync } from "fflate";
import { scriptLinesMax } from "~server/contract/limits";
import { isBlank, type Script } from "../editor/script";

/** A line of a pasted or opened script, before a role is assigned. */
export interface ParsedLine {
  /** The speaker's name as written; null without one. */
  name: string | null;
  /** Without the name. */
  text: string;
  startMs?: number;
  endMs?: number;
}

/** A chapter of a book. */
export interface Chapter {
  title: string;
  lines: ParsedLine[];
}

type Book = { chapters: Chapter[] } | { fault: "unreadable" | "encrypted" | "empty" | "too-large" };

/** Unpacked text of a book; a longer one, or one of more files, is refused before it is unpacked. */
const textMaxBytes = 60 * 1024 * 1024;
const filesMax = 5000;
const isText = (name: string) => /\.(x?html?|xml|opf|ncx)$/i.test(name);
/** Fonts may be obfuscated in a book without copy protection. */
const obfuscatedFonts = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/** The chapters of an EPUB in reading order, one line per paragraph; a chapter of too many lines in parts. */
export function readEpub(bytes: Uint8Array, parser: Pick<DOMParser, "parseFromString"> = new DOMParser()): Book {
  const files = unpackTexts(bytes);
  if (!files) return { fault: "too-large" };
  const textOf = (path: string) => {
    const file = files[path] ?? files[decodeURIComponent(path)];
    return file ? new TextDecoder().decode(file) : null;
  };
  if (isEncrypted(textOf("META-INF/encryption.xml"), parser)) return { fault: "encrypted" };
  const read = (path: string) => {
    const text = textOf(path);
    return text === null ? null : parser.parseFromString(text, "application/xml");
  };
  const packagePath = first(read("META-INF/container.xml"), "rootfile")?.getAttribute("full-path");
  const book = packagePath ? read(packagePath) : null;
  if (!packagePath || !book) return { fault: "unreadable" };
  const chapters = spineOf(book).flatMap((href, index) => {
    const text = textOf(resolvePath(packagePath, href));
    return text === null ? [] : chaptersOf(parsePage(text, parser), index + 1);
  });
  return chapters.length > 0 ? { chapters } : { fault: "empty" };
}

function unpackTexts(bytes: Uint8Array): Record<string, Uint8Array> | null {
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
  return total <= textMaxBytes && count <= filesMax ? files : null;
}

function isEncrypted(encryption: string | null, parser: Pick<DOMParser, "parseFromString">): boolean {
  if (encryption === null) return false;
  const methods = all(parser.parseFromString(encryption, "application/xml"), "EncryptionMethod");
  return methods.some((method) => !obfuscatedFonts.test(method.getAttribute("Algorithm") ?? ""));
}

type Tree = Pick<Document, "getElementsByTagNameNS">;
const all = (tree: Tree | null, name: string): Element[] => Array.from(tree?.getElementsByTagNameNS("*", name) ?? []);
const first = (tree: Tree | null, name: string): Element | undefined => all(tree, name)[0];

/** The addresses of the pages in reading order, without notes and the like. */
function spineOf(book: Document): string[] {
  const items = all(book, "item").filter((item) => !/\bnav\b/.test(item.getAttribute("properties") ?? ""));
  const hrefOf = new Map(items.map((item) => [item.getAttribute("id"), item.getAttribute("href")]));
  const pages = all(book, "itemref").filter((page) => page.getAttribute("linear") !== "no");
  return pages.flatMap((page) => hrefOf.get(page.getAttribute("idref")) ?? []);
}

function resolvePath(from: string, href: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of (href.split("#")[0] ?? "").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Pages are XHTML by the standard, and often not well-formed. */
function parsePage(text: string, parser: Pick<DOMParser, "parseFromString">): Document {
  const page = parser.parseFromString(text, "application/xhtml+xml");
  return first(page, "parsererror") ? parser.parseFromString(text, "text/html") : page;
}

const blocks = new Set(
  "address article aside blockquote br dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table td tr ul".split(
    " ",
  ),
);
/** `rt` and `rp` are the readings over characters. */
const skipped = new Set(["head", "script", "style", "rt", "rp", "svg", "math", "template"]);
const elementNode = 1;
const textNode = 3;

function chaptersOf(page: Document, number: number): Chapter[] {
  const paragraphs = paragraphsOf(first(page, "body") ?? page.documentElement);
  const lines = paragraphs.map((text): ParsedLine => ({ name: null, text }));
  const heading = ["h1", "h2", "h3"].flatMap((name) => first(page, name)?.textContent?.trim() || [])[0];
  const title = (heading ?? first(page, "title")?.textContent?.trim() ?? "").replace(/\s+/g, " ").slice(0, 80);
  const parts = Math.ceil(lines.length / scriptLinesMax);
  return Array.from({ length: parts }, (_, part) => ({
    title: `${title || number}${parts > 1 ? ` (${part + 1})` : ""}`,
    lines: lines.slice(part * scriptLinesMax, (part + 1) * scriptLinesMax),
  }));
}

/** The texts of the page's blocks; without recursion, because a page may be nested without limit. */
function paragraphsOf(root: Node): string[] {
  const paragraphs: string[] = [];
  let text = "";
  const end = () => {
    const paragraph = text.replace(/[\s\u200b\ufeff]+/g, " ").trim();
    if (paragraph !== "") paragraphs.push(paragraph);
    text = "";
  };
  const waiting: Array<Node | "end"> = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node === "end") end();
    else if (node.nodeType === textNode) text += node.nodeValue ?? "";
    else if (node.nodeType === elementNode) {
      const name = node.nodeName.toLowerCase().replace(/^.*:/, "");
      if (skipped.has(name)) continue;
      if (blocks.has(name)) {
        end();
        waiting.push("end");
      }
      for (let child = node.lastChild; child; child = child.previousSibling) waiting.push(child);
    }
  }
  end();
  return paragraphs;
}

interface WrittenScript {
  text: string;
  extension: "txt" | "vtt";
}

/**
 * The script as text that an import reads again with the same roles, marks, subtitle times and music: WebVTT if every line has
 * times, else one `【role】：text` per row.
 */
export function writeScript(
  { lines, music }: Pick<Script, "lines" | "music">,
  nameOf: (roleId: string) => string,
): WrittenScript {
  const score = music ? `[music] ${JSON.stringify(music)}` : "";
  const written = lines.filter((line) => !isBlank(line));
  const isTimed =
    written.length > 0 && written.every(({ startMs, endMs }) => startMs !== undefined && endMs !== undefined);
  if (!isTimed) {
    const rows = written.map(({ roleId, content }) => `【${nameOf(roleId)}】：${toRow(content)}`);
    return { text: `${[...(score ? [score] : []), ...rows].join("\n")}\n`, extension: "txt" };
  }
  const cues = written.map(
    ({ roleId, content, startMs = 0, endMs = 0 }) =>
      `${toStamp(startMs)} --> ${toStamp(endMs)}\n<v ${escapeVtt(nameOf(roleId))}>${escapeVtt(toRow(content))}\n`,
  );
  return { text: `WEBVTT\n\n${score && `NOTE ${score}\n\n`}${cues.join("\n")}`, extension: "vtt" };
}

const toRow = (content: string) => content.replace(/\s+/g, " ").trim();
const escapeVtt = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function toStamp(ms: number): string {
  const two = (value: number, length = 2) => String(Math.floor(value)).padStart(length, "0");
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${two(ms % 1000, 3)}`;
}

/** Lets the browser save a text as a file. */
export function saveText(text: string, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
