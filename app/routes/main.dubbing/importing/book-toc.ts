import { childElements, findAll, findFirst, nameOf, resolvePath } from "./unpack";

/** A chapter or part in a book's table of contents. */
export interface TocEntry {
  title: string;
  path: string;
  /** The id of the element that it begins at; "" is the page's begin. */
  anchor: string;
  children: TocEntry[];
}

/** The table of contents of EPUB 3, else of EPUB 2; empty without one. */
export function readToc(book: Document, packagePath: string, read: (path: string) => Document | null): TocEntry[] {
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
export const flattenToc = (entries: readonly TocEntry[]): TocEntry[] =>
  entries.flatMap((entry) => [entry, ...(isChapter.test(entry.title) ? [] : flattenToc(entry.children))]);

export const flattenAll = (entries: readonly TocEntry[]): TocEntry[] =>
  entries.flatMap((entry) => [entry, ...flattenAll(entry.children)]);
