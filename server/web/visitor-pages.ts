import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { guessMobile, type SiteContext } from "../bff/frame.server";
import type { createSessions } from "../bff/session.server";
import { type createUpstreamClient, upstreamBudgetMs } from "../bff/upstream.server";
import { createGetRequest } from "../in-process";
import type { PublicVersion } from "../public-reads";
import { createPageCache } from "./page-cache";
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
