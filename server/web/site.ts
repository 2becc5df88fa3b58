import { join } from "node:path";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "pino";
import { endToken } from "../bff/accounts.server";
import { createRevocations } from "../bff/revocations.server";
import { createSessions, type Session } from "../bff/session.server";
import { uploads } from "../bff/upload.server";
import { createUpstreamClient, upstreamBudgetMs } from "../bff/upstream.server";
import type { Config } from "../config";
import { jsonMaxBytes } from "../contract/limits";
import { departure } from "./departure";
import type { EmbeddedApi } from "./embedded-api";
import { rebuff } from "./guard";
import { isLocalhost } from "./hosts";
import { answerMedia } from "./media";
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

type Visited = Context<Visit>;

const uploadPaths = new Set<string>(Object.values(uploads).map(({ path }) => path));

/** Event streams call the upstream for as long as they are read. */
const isLasting = ({ path }: Visited["req"]) => path.endsWith("/events");
const isRead = ({ method }: Visited["req"]) => method === "GET" || method === "HEAD";

/** Pages and BFF routes: headers, the guard, then Remix with the visitor's session and upstream. */
export function createSite({ config, embedded, logger, load, observeCall }: Parts): Hono<Visit> {
  const upstream = createUpstreamClient({
    baseUrl: config.apiBaseUrl,
    fetch: embedded?.fetch,
    appId: config.appId,
    filePaths: config.filePaths,
    fileOrigins: config.fileOrigins,
    logger,
    observe: observeCall,
  });
  const revocations = createRevocations({
    directory: join(config.dataDir, "ended-logins"),
    secrets: config.sessionSecrets,
    endToken: (token) => endToken(upstream.as(() => ({ token }))),
    onError: (error) => logger.error({ err: error }, "an ended login could not be kept"),
  });
  const sessions = createSessions({ secrets: config.sessionSecrets, revocations });
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
    maxSize: jsonMaxBytes,
    onError: (c) => refusalPage({ status: 413, reason: "too-large", requestId: c.get("requestId"), accept: null }),
  });
  // To look at the body of a request is to make a Request of it; these two have none.
  const isUnlimited = (request: Visited["req"]) => isRead(request) || uploadPaths.has(request.path);
  site.use((c, next) => (isUnlimited(c.req) ? next() : limit(c, next)));

  /** The visitor's session, and the upstream as that visitor. */
  async function receive(c: Visited) {
    const arrival = c.get("arrival");
    const requestId = c.get("requestId");
    const isSecure = config.mode === "production" || arrival.protocol === "https" || isLocalhost(arrival.host);
    const session = await sessions.open(c.req.header("cookie") ?? null, isSecure);
    const { clientAddress } = arrival;
    const signal = departure(c);
    const isReadOnly = isRead(c.req);
    const answerBy = isLasting(c.req) ? undefined : performance.now() + upstreamBudgetMs;
    const asVisitor = upstream.as(() => ({
      ...session.values,
      clientAddress,
      requestId,
      signal,
      isReadOnly,
      answerBy,
    }));
    return { requestId, isSecure, session, clientAddress, upstream: asVisitor };
  }

  async function leave(c: Visited, session: Session): Promise<Response> {
    const cookie = await session.setCookie();
    if (cookie) c.res.headers.append("set-cookie", cookie);
    keepPrivate(c.res.headers);
    return c.res;
  }

  site.get("/bff/media", async (c) => {
    const visit = await receive(c);
    c.res = await answerMedia(c, visit.upstream.openFile);
    return leave(c, visit.session);
  });

  site.all("*", async (c) => {
    const ownOrigin = originOf(config, c.get("arrival"));
    const visit = await receive(c);
    let made: Request | undefined;
    const asked = {
      method: c.req.method,
      path: c.req.path,
      get request() {
        made ??= cleanRequest(c.req.raw, ownOrigin);
        return made;
      },
    };
    c.res = await pages(asked, {
      ...visit,
      nonce: c.get("secureHeadersNonce") ?? "",
      siteName: config.siteName,
      siteUrl: config.siteUrl ?? ownOrigin,
      frame: config.frame,
      closing: closingSignal,
      report: (error) => logger.error({ requestId: visit.requestId, err: error }, "a page failed"),
    });
    c.set("isWhole", c.res.headers.get("content-type") === "application/json");
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
