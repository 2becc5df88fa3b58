import { type AnswerMarks, createPageTemplate, createPlaceholders, type PageTemplate } from "./page-template";

interface Options {
  /** Grows with every change of what pages show to everybody. */
  version(): number;
  now?: () => number;
  keptMs?: number;
  maxPages?: number;
  maxBytes?: number;
}

interface KeptPage {
  template: PageTemplate;
  headers: Array<[string, string]>;
}

interface Entry {
  /** Null for an answer that is not shared. */
  page: Promise<KeptPage | null>;
  bytes: number;
  version: number;
  /** By `now`. */
  until: number;
}

/** Renders a page with these marks in its nonce attributes and data. */
type Render = (placeholders: AnswerMarks) => Promise<Response>;

/**
 * Keeps rendered pages for two seconds, for visitors that all get the same one: see docs/decisions/0035-kept-pages.md.
 * Requests that arrive during a render share it. The caller's key must name everything that the render depends on.
 */
export function createPageCache({
  version,
  now = () => performance.now(),
  keptMs = 2_000,
  maxPages = 64,
  maxBytes = 8 * 1024 * 1024,
}: Options) {
  // In the order of their creation; the oldest are dropped first.
  const entries = new Map<string, Entry>();
  let totalBytes = 0;

  function drop(key: string, entry: Entry) {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    totalBytes -= entry.bytes;
  }

  function dropBeyondLimits() {
    for (const [key, entry] of entries) {
      if (entries.size <= maxPages && totalBytes <= maxBytes) return;
      drop(key, entry);
    }
  }

  function open(key: string, render: Render): Entry {
    const old = entries.get(key);
    if (old) drop(key, old);
    const entry: Entry = { version: version(), until: now() + keptMs, bytes: 0, page: toKept(render) };
    entries.set(key, entry);
    entry.page.then(
      (page) => {
        if (!page || entries.get(key) !== entry) return;
        // The page, and at most as much again compressed.
        entry.bytes = 2 * page.template.bytes;
        totalBytes += entry.bytes;
        dropBeyondLimits();
      },
      () => drop(key, entry),
    );
    dropBeyondLimits();
    return entry;
  }

  return {
    /** The kept or shared page under the marks of this answer; null for a page that is not shared. */
    async read(key: string, marks: AnswerMarks, acceptsBrotli: boolean, render: Render): Promise<Response | null> {
      const found = entries.get(key);
      const isFresh = found && found.version === version() && found.until > now();
      const page = await (isFresh ? found : open(key, render)).page.catch(() => null);
      if (!page) return null;
      const packed = acceptsBrotli ? await page.template.fillBrotli(marks) : null;
      const headers = new Headers(page.headers);
      if (packed) {
        headers.set("content-encoding", "br");
        headers.append("vary", "Accept-Encoding");
      }
      return new Response(packed ?? page.template.fill(marks), { headers });
    },
  };
}

/** Only a complete page without a cookie is shared. */
async function toKept(render: Render): Promise<KeptPage | null> {
  const placeholders = createPlaceholders();
  const response = await render(placeholders);
  const { status, headers } = response;
  const isPage = status === 200 && headers.get("content-type")?.startsWith("text/html");
  if (!isPage || headers.has("set-cookie")) {
    await response.body?.cancel();
    return null;
  }
  const template = createPageTemplate(await response.text(), placeholders);
  return template && { template, headers: [...headers] };
}
