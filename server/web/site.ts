import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "pino";
import { createSessions, type Session } from "../bff/session.server";
import { createUpstreamClient } from "../bff/upstream.server";
import type { Config } from "../config";
import type { EmbeddedApi } from "./embedded-api";
import { rebuff } from "./guard";
import { isLocalhost } from "./hosts";
import { answerMedia, type OpenMedia } from "./media";
import type { Metrics } from "./metrics";
import { createPages, type LoadPages } from "./pages";
import { refusalPage } from "./refusal-page";
import { securityHeaders } from "./security-headers";
import { closingSignal } from "./shutdown";
import { cleanRequest, type Visit } from "./visit";

interface Parts {
  config: Config;
  embedded: EmbeddedApi | undefined;
  logger: Logger;
  load: LoadPages;
  observeCall: Metrics["observeCall"];
}

const formMaxBytes = 1024 * 1024;
const uploads = new Set(["/bff/recordings"]);

/** Pages and BFF routes: headers, the guard, then Remix with the visitor's session and upstream. */
export function createSite({ config, embedded, logger, load, observeCall }: Parts): Hono<Visit> {
  const sessions = createSessions({ secrets: config.sessionSecrets });
  const upstream = createUpstreamClient({
    baseUrl: config.apiBaseUrl,
    fetch: embedded?.fetch,
    appId: config.appId,
    fileOrigins: config.fileOrigins,
    logger,
    observe: observeCall,
  });
  const pages = createPages(load);
  const site = new Hono<Visit>();

  site.use(securityHeaders(config));
  site.use(async (c, next) => {
    const { incoming } = c.env ?? {};
    const knock = {
      method: c.req.method,
      target: incoming?.url ?? c.req.raw.url.replace(/^https?:\/\/[^/]*/, ""),
      headers: c.req.raw.headers,
      ownOrigin: originOf(config, c.get("arrival")),
    };
    const refusal = rebuff(knock);
    if (!refusal) return next();
    return refusalPage({ ...refusal, requestId: c.get("requestId"), accept: c.req.header("accept") ?? null });
  });
  const limit = bodyLimit({
    maxSize: formMaxBytes,
    onError: (c) => refusalPage({ status: 413, reason: "too-large", requestId: c.get("requestId"), accept: null }),
  });
  site.use((c, next) => (uploads.has(c.req.path) ? next() : limit(c, next)));

  /** The visitor's session, and the upstream as that visitor. */
  async function receive(c: Context<Visit>, cookie: string | null) {
    const arrival = c.get("arrival");
    const requestId = c.get("requestId");
    const isSecure = config.mode === "production" || arrival.protocol === "https" || isLocalhost(arrival.host);
    const session = await sessions.open(cookie, isSecure);
    const { clientAddress } = arrival;
    const as = (signal: AbortSignal) => upstream.as(() => ({ ...session.values, clientAddress, requestId, signal }));
    return { requestId, isSecure, session, clientAddress, as };
  }

  async function leave(c: Context<Visit>, session: Session): Promise<Response> {
    const cookie = await session.setCookie();
    if (cookie) c.header("set-cookie", cookie, { append: true });
    keepPrivate(c.res.headers);
    return c.res;
  }

  site.get("/bff/media", async (c) => {
    const { session, as } = await receive(c, c.req.header("cookie") ?? null);
    const open: OpenMedia = (reference, range, gone) => as(gone).openFile(reference, range);
    c.res = await answerMedia(c, open);
    return leave(c, session);
  });

  site.all("*", async (c) => {
    const arrival = c.get("arrival");
    const request = cleanRequest(c.req.raw, originOf(config, arrival));
    const { as, ...visit } = await receive(c, request.headers.get("cookie"));
    c.res = await pages(request, {
      ...visit,
      nonce: c.get("secureHeadersNonce") ?? "",
      siteName: config.siteName,
      siteUrl: config.siteUrl ?? originOf(config, arrival),
      frame: config.frame,
      upstream: as(request.signal),
      closing: closingSignal,
      report: (error) => logger.error({ requestId: visit.requestId, err: error }, "a page failed"),
    });
    return leave(c, visit.session);
  });
  return site;
}

/** What says that it is everybody's may be kept (the route manifest, portraits, icons); the rest is one person's. */
function keepPrivate(headers: Headers) {
  if (headers.get("cache-control")?.startsWith("public")) return;
  headers.set("cache-control", "private, no-store");
  headers.append("vary", "Cookie");
}

/** Production knows its own address; demo mode answers under the one that was used, which the host check let through. */
function originOf({ mode, siteUrl }: Config, { protocol, host }: Visit["Variables"]["arrival"]): string {
  return mode === "production" && siteUrl ? siteUrl : `${protocol}://${host}`;
}
