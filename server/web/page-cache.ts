import { createSharedReads, type PublicVersion } from "../public-reads";
import { type AnswerMarks, createPageTemplate, createPlaceholders, type PageTemplate } from "./page-template";

interface Options {
  /** A newer version drops every page. */
  version: PublicVersion;
  now?: () => number;
  maxPages?: number;
}

interface CachedPage {
  template: PageTemplate;
  headers: Array<[string, string]>;
}

/** Renders a page with these marks in its nonce attributes and data: a document or any answer; null if it is not shared. */
type Render = (placeholders: AnswerMarks) => Promise<string | Response | null>;

const cacheMs = 2_000;
/** With 64 pages, whole and compressed, at most 32 MB; pages have 20 to 70 kB. */
const maxPageBytes = 256 * 1024;

/**
 * Caches rendered pages for two seconds, for visitors that all get the same one: see docs/decisions/0035-kept-pages.md.
 * Requests that arrive during a render share it. The key must name everything that the render depends on. In one run the
 * home page was answered 2,295 times a second instead of 58, and 3,305 times instead of 45 with Brotli.
 */
export function createPageCache({ version, now, maxPages = 64 }: Options) {
  const pages = createSharedReads<{ page: CachedPage | null }>({
    maxAgeMs: cacheMs,
    version,
    maxEntries: maxPages,
    now,
  });
  return {
    /** The cached or shared page under the marks of this answer; null for a page that is not shared. */
    async read(key: string, marks: AnswerMarks, acceptsBrotli: boolean, render: Render): Promise<Response | null> {
      const read = async () => pages.read(key, async () => ({ page: await toCachedPage(render) }));
      const { page } = await read().catch(() => ({ page: null }));
      if (!page) return null;
      const packed = acceptsBrotli ? await page.template.fillBrotli(marks) : null;
      const headers = new Headers(page.headers);
      if (packed) {
        headers.set("content-encoding", "br");
        headers.append("vary", "Accept-Encoding");
      }
      const body = packed ?? page.template.fill(marks);
      headers.set("content-length", String(body.byteLength));
      return new Response(body, { headers });
    },
  };
}

const documentHeaders: CachedPage["headers"] = [["content-type", "text/html; charset=utf-8"]];

/** Only a complete page without a cookie is shared. */
async function toCachedPage(render: Render): Promise<CachedPage | null> {
  const placeholders = createPlaceholders();
  const toPage = (html: string, headers: CachedPage["headers"]) => {
    const template = createPageTemplate(html, placeholders);
    return template && template.bytes <= maxPageBytes ? { template, headers } : null;
  };
  const response = await render(placeholders);
  if (response === null) return null;
  if (typeof response === "string") return toPage(response, documentHeaders);
  const { status, headers } = response;
  const isPage = status === 200 && headers.get("content-type")?.startsWith("text/html");
  if (!isPage || headers.has("set-cookie")) {
    await response.body?.cancel();
    return null;
  }
  return toPage(await response.text(), [...headers]);
}
