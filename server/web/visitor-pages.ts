import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { guessMobile, type SiteContext } from "../bff/frame.server";
import type { createSessions } from "../bff/session.server";
import { type createUpstreamClient, upstreamBudgetMs } from "../bff/upstream.server";
import { createGetRequest } from "../in-process";
import { createSharedReads, type PublicVersion } from "../public-reads";
import { type AnswerMarks, createPageTemplate, createPlaceholders, type PageTemplate } from "./page-template";
import type { PageRequest, Pages } from "./pages";
import { targetOf, type WebContext } from "./request";

/** Context that is the same on every page of an origin. */
export type Surroundings = Pick<SiteContext, "siteName" | "siteUrl" | "frame" | "closing" | "isSecure">;

interface Parts {
  sessions: ReturnType<typeof createSessions>;
  upstream: ReturnType<typeof createUpstreamClient>;
  logger: Logger;
  version: PublicVersion;
}

/** Cached pages for visitors without any cookie: see docs/decisions/0035-kept-pages.md. */
export function createVisitorPages({ sessions, upstream, logger, version }: Parts) {
  const cache = createPageCache({ version });

  /** The request and the session of a shared render hold nothing but what its key names. */
  async function render(pages: Pages, shared: SharedRequest, site: Omit<SiteContext, SharedParts>) {
    const session = await sessions.open(null, site.isSecure, true);
    const { visitorId } = session.values;
    const requestId = randomUUID();
    const answerBy = performance.now() + upstreamBudgetMs;
    const answer = await pages.answer(toPageRequest(shared), {
      ...site,
      session,
      isDocument: true,
      clientAddress: "",
      upstream: upstream.as(() => ({ visitorId, requestId, isReadOnly: true, answerBy })),
      report: (error) => logger.error({ requestId, err: error }, "a page failed"),
    });
    const cookie = await session.setCookie();
    if (!cookie) return answer;
    if (typeof answer !== "string") await answer.body?.cancel();
    return null;
  }

  return {
    /** A page without parameters for any visitor without a cookie; null if this request or this page is not shared. */
    async read(c: WebContext, pages: Pages, ownOrigin: string, site: Surroundings): Promise<Response | null> {
      const { method, path, raw } = c.req;
      if (method !== "GET" || raw.headers.has("cookie")) return null;
      const target = targetOf(c);
      const isMobile = guessMobile(raw.headers);
      const marks = { nonce: c.get("secureHeadersNonce") ?? "", requestId: c.get("requestId") };
      const acceptsBrotli = /\bbr\b/.test(raw.headers.get("accept-encoding") ?? "");
      return cache.read(`${isMobile} ${ownOrigin}${target}`, marks, acceptsBrotli, (placeholders) => {
        const headers = { host: new URL(ownOrigin).host, "sec-ch-ua-mobile": isMobile ? "?1" : "?0" };
        const context = { ...site, ...placeholders, buildId: pages.buildId };
        return render(pages, { path, url: `${ownOrigin}${target}`, headers }, context);
      });
    },
  };
}

interface SharedRequest {
  path: string;
  url: string;
  headers: Record<string, string>;
}

const toPageRequest = ({ path, url, headers }: SharedRequest): PageRequest => ({
  method: "GET",
  path,
  get request() {
    return new Request(url, { headers });
  },
  plainRequest: createGetRequest({ url, headers: new Headers(headers), signal: () => new AbortController().signal }),
});

type SharedParts = "session" | "isDocument" | "clientAddress" | "upstream" | "report";

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
