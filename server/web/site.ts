import { join } from "node:path";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import type { Logger } from "pino";
import { endToken } from "../bff/accounts.server";
import { type MediaFile, mediaHeaders } from "../bff/media-file.server";
import { createRevocations } from "../bff/revocations.server";
import { createSessions, type Session } from "../bff/session.server";
import { uploads } from "../bff/upload.server";
import { createUpstreamClient, upstreamBudgetMs } from "../bff/upstream.server";
import type { Config } from "../config";
import { jsonMaxBytes } from "../contract/limits";
import type { EmbeddedUpstream } from "../embedded-upstream";
import { toWebStream } from "../web-stream";
import { isLocalhost } from "./connection";
import { type Metrics, shutdownSignal } from "./operations";
import { createPageHandler, type LoadBuild } from "./pages";
import { errorResponse, rejectRequest } from "./reject-request";
import { sanitizeRequest, type WebEnv } from "./request";
import { securityHeaders } from "./security-headers";

/** Opens a file on the visitor's behalf, for as long as the visitor stays. */
type OpenMedia = (
  reference: string,
  range: string | null,
  onFailure: (status: number) => void,
) => Promise<MediaFile | null>;

/**
 * The authenticated blob GET, in front of Remix because its bytes need nothing of it. `?url=` a file the upstream named,
 * `&download=` the name to save it under. What is not to be had is an empty answer: its status tells a page why, and 204
 * keeps the browser on the page where a link was to save it.
 */
async function respondWithMedia(c: Context<WebEnv>, open: OpenMedia): Promise<Response> {
  let status = 502;
  const file = await open(c.req.query("url") ?? "", c.req.header("range") ?? null, (failed) => {
    status = failed;
  });
  if (!file) return new Response(null, { status: c.req.query("download") === undefined ? status : 204 });
  const headers = mediaHeaders(file, c.req.query("download") ?? null);
  const answer = (body: ReadableStream | null) => new Response(body, { status: file.status, headers });
  if (!file.body) return answer(null);
  if (c.req.method === "HEAD") {
    // Nobody reads the body of a HEAD; the upstream must not wait for it.
    file.body.destroy();
    return answer(null);
  }
  // A timeline is words, which are worth compressing on their way.
  if (COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get("content-type") ?? "")) return answer(toWebStream(file.body));
  c.set("stream", file.body);
  return answer(null);
}

/** Aborts when the visitor is gone before the answer ended. The request's own signal would make a Request of it. */
function clientDisconnectSignal(c: Context<WebEnv>): AbortSignal {
  const { outgoing } = c.env ?? {};
  if (!outgoing) return c.req.raw.signal;
  const controller = new AbortController();
  // To abort after each answer would cost more than it: an abort draws a stack.
  outgoing.once("close", () => outgoing.writableFinished || controller.abort());
  return controller.signal;
}

interface Parts {
  config: Config;
  embedded: EmbeddedUpstream | undefined;
  logger: Logger;
  load: LoadBuild;
  observeCall: Metrics["observeCall"];
}

type Visited = Context<WebEnv>;

const uploadPaths = new Set<string>(Object.values(uploads).map(({ path }) => path));

/** Event streams call the upstream for as long as they are read. */
const isLasting = ({ path }: Visited["req"]) => path.endsWith("/events");
const isRead = ({ method }: Visited["req"]) => method === "GET" || method === "HEAD";

/** Pages and BFF routes: headers, the guard, then Remix with the visitor's session and upstream. */
export function createSite({ config, embedded, logger, load, observeCall }: Parts): Hono<WebEnv> {
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
  const pages = createPageHandler(load);
  const site = new Hono<WebEnv>();

  site.use(securityHeaders(config));
  site.use(async (c, next) => {
    const { incoming } = c.env ?? {};
    const knock = {
      method: c.req.method,
      target: incoming?.url ?? c.req.raw.url.replace(/^https?:\/\/[^/]*/, ""),
      headers: c.req.raw.headers,
      ownOrigin: originOf(config, c.get("connection")),
    };
    const refusal = rejectRequest(knock);
    if (!refusal) return next();
    return errorResponse({ ...refusal, requestId: c.get("requestId"), accept: c.req.header("accept") ?? null });
  });
  const limit = bodyLimit({
    maxSize: jsonMaxBytes,
    onError: (c) => errorResponse({ status: 413, reason: "too-large", requestId: c.get("requestId"), accept: null }),
  });
  // To look at the body of a request is to make a Request of it; these two have none.
  const isUnlimited = (request: Visited["req"]) => isRead(request) || uploadPaths.has(request.path);
  site.use((c, next) => (isUnlimited(c.req) ? next() : limit(c, next)));

  /** The visitor's session, and the upstream as that visitor. */
  async function receive(c: Visited) {
    const arrival = c.get("connection");
    const requestId = c.get("requestId");
    const isSecure = config.mode === "production" || arrival.protocol === "https" || isLocalhost(arrival.host);
    const session = await sessions.open(c.req.header("cookie") ?? null, isSecure);
    const { clientAddress } = arrival;
    const signal = clientDisconnectSignal(c);
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
    c.res = await respondWithMedia(c, visit.upstream.openFile);
    return leave(c, visit.session);
  });

  site.all("*", async (c) => {
    const ownOrigin = originOf(config, c.get("connection"));
    const visit = await receive(c);
    let made: Request | undefined;
    const asked = {
      method: c.req.method,
      path: c.req.path,
      get request() {
        made ??= sanitizeRequest(c.req.raw, ownOrigin);
        return made;
      },
    };
    c.res = await pages(asked, {
      ...visit,
      nonce: c.get("secureHeadersNonce") ?? "",
      siteName: config.siteName,
      siteUrl: config.siteUrl ?? ownOrigin,
      frame: config.frame,
      closing: shutdownSignal,
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
function originOf({ mode, siteUrl }: Config, { protocol, host }: WebEnv["Variables"]["connection"]): string {
  return mode === "production" && siteUrl ? siteUrl : `${protocol}://${host}`;
}
