import { scriptLinesMax } from "~server/contract/limits";
import { type BookPage, findNotes, noteHeading } from "./book-notes";
import { flattenAll, flattenToc, readToc, type TocEntry } from "./book-toc";
import { readPageText } from "./page-text";
import type { Chapter } from "./parsed-line";
import { findAll, findFirst, type MarkupParser, resolvePath, unpackTexts } from "./unpack";

type Book = { chapters: Chapter[]; hasNotes: boolean } | { fault: "unreadable" | "encrypted" | "empty" | "too-large" };

/** Fonts may be obfuscated in a book without copy protection. */
const obfuscatedFonts = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/**
 * The chapters of an EPUB in reading order, one line per paragraph, without notes; a chapter of too many lines in
 * parts.
 */
export function readEpub(bytes: Uint8Array, parser: MarkupParser = new DOMParser()): Book {
  const textOf = unpackTexts(bytes);
  if (!textOf) return { fault: "too-large" };
  const read = (path: string) => {
    const text = textOf(path);
    return text === null ? null : parser.parseFromString(text, "application/xml");
  };
  if (isEncrypted(read("META-INF/encryption.xml"))) return { fault: "encrypted" };
  const packagePath = findFirst(read("META-INF/container.xml"), "rootfile")?.getAttribute("full-path");
  const book = packagePath ? read(packagePath) : null;
  if (!packagePath || !book) return { fault: "unreadable" };
  const readPage = (path: string) => {
    const text = textOf(path);
    return text === null ? null : parsePage(text, parser);
  };
  const pages = spineOf(book).flatMap((href): BookPage[] => {
    const { path } = resolvePath(packagePath, href);
    const page = readPage(path);
    const body = findFirst(page, "body") ?? page?.documentElement;
    return body ? [{ path, body, title: findFirst(page, "title")?.textContent ?? "" }] : [];
  });
  const notes = findNotes(pages);
  const chapters = cutChapters(pages, readToc(book, packagePath, readPage), notes);
  return chapters.length > 0 ? { chapters: chapters.flatMap(toParts), hasNotes: notes.size > 0 } : { fault: "empty" };
}

function isEncrypted(encryption: Document | null): boolean {
  const methods = findAll(encryption, "EncryptionMethod");
  return methods.some((method) => !obfuscatedFonts.test(method.getAttribute("Algorithm") ?? ""));
}

/** The addresses of the pages in reading order, without notes and the like. */
function spineOf(book: Document): string[] {
  const items = findAll(book, "item").filter((item) => !/\bnav\b/.test(item.getAttribute("properties") ?? ""));
  const hrefOf = new Map(items.map((item) => [item.getAttribute("id"), item.getAttribute("href")]));
  const pages = findAll(book, "itemref").filter((page) => page.getAttribute("linear") !== "no");
  return pages.flatMap((page) => hrefOf.get(page.getAttribute("idref")) ?? []);
}

/** Pages are XHTML by the standard, and often not well-formed. */
function parsePage(text: string, parser: MarkupParser): Document {
  const page = parser.parseFromString(text, "application/xhtml+xml");
  return findFirst(page, "parsererror") ? parser.parseFromString(text, "text/html") : page;
}

/**
 * Chapters begin where the table of contents points to. A page that it does not name goes on with the chapter before,
 * unless it has a heading; without a table every page is a chapter.
 */
function cutChapters(pages: readonly BookPage[], toc: readonly TocEntry[], notes: ReadonlySet<Element>): Chapter[] {
  const named = new Set(flattenAll(toc).map(({ path }) => path));
  const entries = flattenToc(toc).filter(({ path }) => pages.some((page) => page.path === path));
  const hasToc = entries.length > 1;
  const chapters: Chapter[] = [];
  for (const [index, page] of pages.entries()) {
    const { paragraphs, anchors } = readPageText(page.body, notes);
    const isKept = (text: string) => notes.size === 0 || !noteHeading.test(text);
    const titleAt = new Map<number, string>();
    const heading = ["h1", "h2", "h3"].flatMap((name) => findFirst(page.body, name)?.textContent?.trim() || [])[0];
    const isNamed = hasToc && named.has(page.path);
    if (!hasToc || chapters.length === 0 || (heading && !isNamed))
      titleAt.set(0, (!isNamed && heading) || page.title.trim() || String(index + 1));
    for (const { path, anchor, title } of hasToc ? entries : []) {
      const at = anchor ? anchors.get(anchor) : 0;
      if (path === page.path && at !== undefined) titleAt.set(at, title);
    }
    const starts = [...titleAt.keys()].sort((a, b) => a - b);
    const addLines = (from: number, to?: number) =>
      chapters.at(-1)?.lines.push(
        ...paragraphs
          .slice(from, to)
          .filter(isKept)
          .map((text) => ({ name: null, text })),
      );
    addLines(0, starts[0]);
    for (const [place, start] of starts.entries()) {
      chapters.push({ title: titleAt.get(start) ?? "", lines: [] });
      addLines(start, starts[place + 1]);
    }
  }
  return chapters.filter(({ lines }) => lines.length > 0);
}

function toParts({ title, lines }: Chapter): Chapter[] {
  const name = title.replace(/\s+/g, " ").slice(0, 80);
  const parts = Math.ceil(lines.length / scriptLinesMax);
  return Array.from({ length: parts }, (_, part) => ({
    title: `${name}${parts > 1 ? ` (${part + 1})` : ""}`,
    lines: lines.slice(part * scriptLinesMax, (part + 1) * scriptLinesMax),
  }));
}
