import { join } from "node:path";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import type { Logger } from "pino";
import { endToken } from "../bff/accounts.server";
import { mediaHeaders } from "../bff/media-file.server";
import { createRevocations } from "../bff/revocations.server";
import { createSessions, type Session } from "../bff/session.server";
import { uploadMaxBytesOf } from "../bff/upload.server";
import { createUpstreamClient, type Upstream, upstreamBudgetMs } from "../bff/upstream.server";
import type { Caller } from "../bff/upstream-call.server";
import type { Config } from "../config";
import { jsonMaxBytes } from "../contract/limits";
import type { EmbeddedUpstream } from "../embedded-upstream";
import { createPublicVersion } from "../public-reads";
import { toWebStream } from "../web-stream";
import { type ClientConnection, isLocalhost, originOf } from "./connection";
import { type Metrics, shutdownSignal } from "./operations";
import { cacheVisitorPages } from "./page-cache";
import { createPages, type LoadBuild } from "./pages";
import { createPageRate, errorResponse, rejectRequest } from "./reject-request";
import { isRead, sanitizeRequest, targetOf, type WebContext, type WebEnv } from "./request";
import { compress } from "./response-streams";
import { securityHeaders } from "./security-headers";

interface SiteParts {
  config: Config;
  embedded: EmbeddedUpstream | undefined;
  logger: Logger;
  load: LoadBuild;
  observeCall: Metrics["observeCall"];
}

const uploadPaths = new Set(Object.keys(uploadMaxBytesOf).map((name) => `/bff/uploads/${name}`));

/** Pages and BFF routes: security headers, request checks, then Remix with the visitor's session and upstream client. */
export function createSite({ config, embedded, logger, load, observeCall }: SiteParts): Hono<WebEnv> {
  const publicVersion = embedded?.publicVersion ?? createPublicVersion();
  const upstream = createUpstreamClient({
    baseUrl: config.apiBaseUrl,
    fetch: embedded?.fetch,
    appId: config.appId,
    filePaths: config.filePaths,
    fileOrigins: config.fileOrigins,
    logger,
    observe: observeCall,
    publicVersion,
  });
  const revocations = createRevocations({
    directory: join(config.dataDir, "ended-logins"),
    secrets: config.sessionSecrets,
    endToken: (token) => endToken(upstream.as(() => ({ token }))),
    onError: (error) => logger.error({ err: error }, "an ended login could not be stored"),
  });
  const sessions = createSessions({ secrets: config.sessionSecrets, revocations });
  const openPages = createPages(load);
  const site = new Hono<WebEnv>();

  /** Browsers accept Secure cookies, and allow the microphone. */
  const isSecureConnection = ({ protocol, host }: ClientConnection) =>
    config.mode === "production" || protocol === "https" || isLocalhost(host);
  const newVisitorCookie = async (c: WebContext) =>
    (await sessions.open(null, isSecureConnection(c.get("connection")))).setCookie();

  site.use(cacheVisitorPages({ version: publicVersion, newVisitorCookie }), compress);
  site.use(securityHeaders(config), limitPages(), refuseBadRequests(config), limitBody());

  /** Opens the visitor's session and an upstream client that acts for this visitor. */
  async function openVisitor(c: WebContext) {
    const isSecure = isSecureConnection(c.get("connection"));
    const session = await sessions.open(c.req.header("cookie") ?? null, isSecure, isRead(c.req));
    return { isSecure, session, upstream: upstream.as(callerOf(c, session)) };
  }

  site.get("/bff/media", async (c) => {
    const visitor = await openVisitor(c);
    c.res = await respondWithMedia(c, visitor.upstream);
    return finish(c, visitor.session);
  });

  site.all("*", async (c) => {
    const { clientAddress } = c.get("connection");
    const ownOrigin = originOf(config, c.get("connection"));
    const { buildId, handle } = await openPages();
    const visitor = await openVisitor(c);
    const requestId = c.get("requestId");
    c.res = await handle(sanitizeRequest(c.req.raw, ownOrigin), {
      ...visitor,
      siteName: config.siteName,
      siteUrl: config.siteUrl ?? ownOrigin,
      frame: config.frame,
      closing: shutdownSignal,
      isDocument: !c.req.path.endsWith(".data"),
      buildId,
      nonce: c.get("secureHeadersNonce") ?? "",
      requestId,
      clientAddress,
      report: (error: unknown) => logger.error({ requestId, err: error }, "a page failed"),
    });
    return finish(c, visitor.session);
  });
  return site;
}

/** Pages and their lists show what came within this time, and a way to try again for the rest. */
const pageBudgetMs = 5_000;
const listPaths = /^\/bff\/(clones|dubs|roles|square|voices\/\w+)$/;

/** The time for the upstream calls of a request. Event streams have no limit. */
function budgetMsOf(request: WebContext["req"]): number {
  const { path } = request;
  if (path.endsWith("/events")) return Number.POSITIVE_INFINITY;
  const isPage = isRead(request) && (!path.startsWith("/bff/") || listPaths.test(path));
  return isPage ? pageBudgetMs : upstreamBudgetMs;
}

/** The visitor as the caller of the upstream. A login changes the token and the visitor during the request. */
function callerOf(c: WebContext, session: Session): () => Caller {
  const { clientAddress } = c.get("connection");
  const answerBy = performance.now() + budgetMsOf(c.req);
  return () => ({
    clientAddress,
    requestId: c.get("requestId"),
    isReadOnly: isRead(c.req),
    answerBy,
    token: session.values.token,
    visitorId: session.values.visitorId,
    signal: c.req.raw.signal,
  });
}

/** Answers requests that are malformed or come from another site. */
function refuseBadRequests(config: Config): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    const { method, raw } = c.req;
    const ownOrigin = originOf(config, c.get("connection"));
    const rejection = rejectRequest({ method, target: targetOf(c), headers: raw.headers, ownOrigin });
    if (!rejection) return next();
    return errorResponse({ ...rejection, requestId: c.get("requestId"), accept: c.req.header("accept") ?? null });
  };
}

/** Limits pages and pictures of one address. The calls of pages are counted by the upstream. */
function limitPages(): MiddlewareHandler<WebEnv> {
  const waitOf = createPageRate();
  return async (c, next) => {
    const seconds = c.req.path.startsWith("/bff/") ? 0 : waitOf(c.get("connection").clientAddress);
    if (seconds === 0) return next();
    const [requestId, accept] = [c.get("requestId"), c.req.header("accept") ?? null];
    const response = errorResponse({ status: 429, reason: "too-many", requestId, accept });
    response.headers.set("retry-after", String(seconds));
    return response;
  };
}

/** Limits bodies other than uploads, which have separate limits. */
function limitBody(): MiddlewareHandler<WebEnv> {
  const limit = bodyLimit({
    maxSize: jsonMaxBytes,
    onError: (c) => errorResponse({ status: 413, reason: "too-large", requestId: c.get("requestId"), accept: null }),
  });
  const isUnlimited = (request: WebContext["req"]) => isRead(request) || uploadPaths.has(request.path);
  return (c, next) => (isUnlimited(c.req) ? next() : limit(c, next));
}

/** Writes the session's cookie. */
async function finish(c: WebContext, session: Session): Promise<Response> {
  const cookie = await session.setCookie();
  if (cookie) c.res.headers.append("set-cookie", cookie);
  setPrivate(c.res.headers);
  return c.res;
}

/**
 * The authenticated file proxy, in front of Remix because it streams bytes only. `?url=` is a file address from the
 * upstream, `&download=` a file name to save under. A failure has an empty body and the upstream's status; for a download
 * it is 204, which keeps the browser on the current page.
 */
async function respondWithMedia(c: WebContext, { openFile }: Pick<Upstream, "openFile">): Promise<Response> {
  const saveAs = c.req.query("download");
  let status = 502;
  const onFailure = (failed: number) => {
    status = failed;
  };
  const options = { isDownload: Boolean(saveAs), onFailure };
  const file = await openFile(c.req.query("url") ?? "", c.req.header("range") ?? null, options);
  if (!file) return new Response(null, { status: saveAs === undefined ? status : 204 });
  const headers = mediaHeaders(file, saveAs ?? null);
  const respond = (body: ReadableStream | null) => new Response(body, { status: file.status, headers });
  if (!file.body) return respond(null);
  if (c.req.method === "HEAD") {
    // The body of a HEAD is not read; the upstream must not wait for it.
    file.body.destroy();
    return respond(null);
  }
  // Timelines are JSON and are compressed.
  if (COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get("content-type") ?? "")) return respond(toWebStream(file.body));
  c.set("stream", file.body);
  return respond(null);
}

/** Public responses (route manifest, portraits, icons) may be cached; all others belong to one visitor. */
function setPrivate(headers: Headers) {
  if (headers.get("cache-control")?.startsWith("public")) return;
  headers.set("cache-control", "private, no-store");
  headers.append("vary", "Cookie");
}
