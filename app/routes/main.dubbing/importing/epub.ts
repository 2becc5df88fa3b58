import { openedFileMaxMb } from "~server/contract/limits";
import { type BookPage, findNotes, noteHeading, readPageText } from "./book-pages";
import type { Chapter } from "./parsed-line";
import {
  childElements,
  findAll,
  findFirst,
  type MarkupParser,
  nameOf,
  resolvePath,
  unpackFile,
  unpackTexts,
} from "./unpack";

interface ReadBook {
  /** Without the notes. */
  chapters: Chapter[];
  /** The chapters with the notes where they stand, but without their numbers in the text; null for a book without any. */
  withNotes: Chapter[] | null;
  /** "" where the book does not say. */
  title: string;
  author: string;
  /** The picture's file, which may be of any type; null without one. */
  cover: Uint8Array | null;
}

type Book = ReadBook | { fault: "unreadable" | "encrypted" | "empty" | "too-large" };

/** Fonts may be obfuscated in a book without copy protection. */
const obfuscatedFonts = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/** The chapters of an EPUB in reading order, one line per paragraph, without notes. */
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
  const { references, notes } = findNotes(pages);
  const toc = readToc(book, packagePath, readPage);
  const hasNotes = references.size + notes.size > 0;
  const chapters = cutChapters(pages, toc, { leftOut: new Set([...references, ...notes]), hasHeadings: !hasNotes });
  const withNotes = hasNotes ? cutChapters(pages, toc, { leftOut: references, hasHeadings: true }) : null;
  if (chapters.length === 0) return { fault: "empty" };
  const coverPath = findCover(book, packagePath);
  const cover = coverPath ? unpackFile(bytes, coverPath, coverMaxBytes) : null;
  return { chapters, withNotes, ...namesOf(book), cover };
}

const coverMaxBytes = openedFileMaxMb * 1024 * 1024;
const wordsOf = (element: Element) => (element.textContent ?? "").replace(/\s+/g, " ").trim();

function namesOf(book: Document): { title: string; author: string } {
  const isAuthor = (creator: Element) => /^(aut)?$/.test(creator.getAttribute("opf:role") ?? "");
  const authors = findAll(book, "creator").filter(isAuthor).map(wordsOf).filter(Boolean);
  const title = findAll(book, "title").map(wordsOf).find(Boolean) ?? "";
  return { title, author: authors.join("、") };
}

/** As EPUB 3 says it, as EPUB 2 does, or the picture that is called so. */
function findCover(book: Document, packagePath: string): string | null {
  const named = findAll(book, "meta")
    .find((meta) => meta.getAttribute("name") === "cover")
    ?.getAttribute("content");
  const pictures = findAll(book, "item").filter((item) =>
    /^image\/(?!svg)/.test(item.getAttribute("media-type") ?? ""),
  );
  const namesOfItem = (item: Element) => [item.getAttribute("id") ?? "", item.getAttribute("href") ?? ""];
  const found =
    pictures.find((item) => /\bcover-image\b/.test(item.getAttribute("properties") ?? "")) ??
    pictures.find((item) => named && namesOfItem(item).includes(named)) ??
    pictures.find((item) => namesOfItem(item).some((name) => /cover/i.test(name)));
  return found ? resolvePath(packagePath, found.getAttribute("href") ?? "").path : null;
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

interface CutOptions {
  leftOut: ReadonlySet<Element>;
  /** Keeps the headings of notes. */
  hasHeadings: boolean;
}

/**
 * Chapters begin where the table of contents points to. A page that it does not name goes on with the chapter before,
 * unless it has a heading; without a table every page is a chapter.
 */
function cutChapters(
  pages: readonly BookPage[],
  toc: readonly TocEntry[],
  { leftOut, hasHeadings }: CutOptions,
): Chapter[] {
  const named = new Set(flattenAll(toc).map(({ path }) => path));
  const entries = flattenToc(toc).filter(({ path }) => pages.some((page) => page.path === path));
  const hasToc = entries.length > 1;
  const chapters: Chapter[] = [];
  for (const [index, page] of pages.entries()) {
    const { paragraphs, anchors } = readPageText(page.body, leftOut);
    const isKept = (text: string) => hasHeadings || !noteHeading.test(text);
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

/** A chapter or part in a book's table of contents. */
interface TocEntry {
  title: string;
  path: string;
  /** The id of the element that it begins at; "" is the page's begin. */
  anchor: string;
  children: TocEntry[];
}

/** The table of contents of EPUB 3, else of EPUB 2; empty without one. */
function readToc(book: Document, packagePath: string, read: (path: string) => Document | null): TocEntry[] {
  const items = findAll(book, "item");
  const pathOf = (item: Element | undefined) => resolvePath(packagePath, item?.getAttribute("href") ?? "").path;
  const nav = items.find((item) => /\bnav\b/.test(item.getAttribute("properties") ?? ""));
  const ncx = items.find((item) => item.getAttribute("media-type") === "application/x-dtbncx+xml");
  const tables = nav ? findAll(read(pathOf(nav)), "nav") : [];
  const table = tables.find((one) => /\btoc\b/.test(one.getAttribute("epub:type") ?? "")) ?? tables[0];
  const entries = table ? entriesOf(findFirst(table, "ol"), pathOf(nav)) : [];
  return entries.length > 0 ? entries : entriesOf(ncx && findFirst(read(pathOf(ncx)), "navMap"), pathOf(ncx));
}

/** Of a list: `li` with a link in HTML, `navPoint` with a label and a target in NCX. */
function entriesOf(list: Element | undefined, from: string): TocEntry[] {
  if (!list) return [];
  return childElements(list).flatMap((item) => {
    const parts = childElements(item);
    const named = (name: string) => parts.find((part) => nameOf(part) === name);
    const isNcx = nameOf(item) === "navpoint";
    if (!isNcx && nameOf(item) !== "li") return [];
    const label = isNcx ? named("navlabel") : (named("a") ?? named("span"));
    const href = isNcx ? named("content")?.getAttribute("src") : named("a")?.getAttribute("href");
    const children = entriesOf(isNcx ? item : named("ol"), from);
    const title = label?.textContent?.replace(/\s+/g, " ").trim() ?? "";
    return href && title ? [{ title, ...resolvePath(from, href), children }] : children;
  });
}

const isChapter = /^(第\s*[\d零〇一二三四五六七八九十百千两]+\s*[章回]|chapter\s)/i;

/** Parts and the chapters in them; a chapter's sections belong to it. */
const flattenToc = (entries: readonly TocEntry[]): TocEntry[] =>
  entries.flatMap((entry) => [entry, ...(isChapter.test(entry.title) ? [] : flattenToc(entry.children))]);

const flattenAll = (entries: readonly TocEntry[]): TocEntry[] =>
  entries.flatMap((entry) => [entry, ...flattenAll(entry.children)]);
