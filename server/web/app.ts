import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { Config } from "../config";
import type { EmbeddedUpstream } from "../embedded-upstream";
import { createConnectionReader, createHostCheck } from "./connection";
import { createLogger, maskPath } from "./logger";
import { createMetrics, createOperations, type Metrics } from "./operations";
import { type LoadBuild, loadBuild } from "./pages";
import { errorResponse, isServedMethod } from "./reject-request";
import { moveBodyToQuery, sanitizeRequest, type WebEnv } from "./request";
import { pipeStreams } from "./response-streams";
import { createSite } from "./site";

export { beginShutdown } from "./operations";

interface WebAppParts {
  config: Config;
  /** The embedded /api/v1; without it the site uses config.apiBaseUrl. */
  embedded?: EmbeddedUpstream | undefined;
  /** Folder of the built browser files. */
  clientDir?: string;
  logger?: Logger;
  load?: LoadBuild;
}

const hashedAsset = "public, max-age=31536000, immutable";

/** The HTTP app of every role: operations, the embedded /api/v1, and the site unless the role is api or worker. */
export function createWebApp({
  config,
  embedded,
  clientDir = "build/client",
  logger,
  load = loadBuild,
}: WebAppParts): Hono<WebEnv> {
  const log = logger ?? createLogger(config);
  const metrics = createMetrics(embedded?.measure);
  const app = new Hono<WebEnv>();
  app.use(pipeStreams);
  app.use(observe({ config, log, metrics }));
  app.route("/", createOperations({ config, embedded, metrics }));
  app.use(requireOwnHost(config));
  if (embedded && config.role !== "worker") app.all("/api/v1/*", forwardToApi(embedded));
  if (config.role === "all" || config.role === "web") {
    if (import.meta.env.PROD) app.use(serveBrowserFiles(clientDir));
    // A removed asset is a plain 404, not the /404 page: an old page's module loader must see the failure.
    if (import.meta.env.PROD) app.all("/assets/*", (c) => c.notFound());
    app.route("/", createSite({ config, embedded, logger: log, load, observeCall: metrics.observeCall }));
  }
  app.notFound((c) => reject(c, 404, "not-found"));
  app.onError((error, c) => {
    if (c.req.raw.signal.aborted || isConnectionReset(error)) return reject(c, 499, "cancelled");
    log.error({ requestId: c.get("requestId"), err: error }, "request failed");
    return reject(c, 500, "request-failed");
  });
  return app;
}

type WebContext = Parameters<MiddlewareHandler<WebEnv>>[0];

const reject = (c: WebContext, status: number, reason: string) =>
  errorResponse({ status, reason, requestId: c.get("requestId"), accept: c.req.header("accept") ?? null });

const probes = new Set(["/healthz", "/readyz", "/metrics"]);

/** Sets the connection and the request id; logs and measures the response. */
function observe({
  config,
  log,
  metrics,
}: {
  config: Config;
  log: Logger;
  metrics: Metrics;
}): MiddlewareHandler<WebEnv> {
  const readConnection = createConnectionReader(config.trustedProxies);
  return async (c, next) => {
    const startedAt = performance.now();
    const connection = readConnection(c.env?.incoming);
    const requestId = (!connection.isDirect && validRequestId(c.req.header("x-request-id"))) || randomUUID();
    // Without a socket the caller is this process, and the URL holds the host.
    c.set("connection", c.env?.incoming ? connection : { ...connection, host: new URL(c.req.url).host });
    c.set("requestId", requestId);
    await next();
    // c.header() would turn the body into a stream.
    c.res.headers.set("x-request-id", requestId);
    const { method, path } = c.req;
    const { status: sent } = c.res;
    // Calls for a visitor who left are aborted, and a page's loader fails with them.
    const status = sent >= 500 && c.req.raw.signal.aborted ? 499 : sent;
    if (status === 413) await discardBody(c.req.raw.body);
    const ms = Math.round(performance.now() - startedAt);
    metrics.observe({ method, path, status, seconds: ms / 1000 });
    // Probes repeat every few seconds.
    const level = probes.has(path) ? "debug" : "info";
    log[level]({ requestId, method, path: maskPath(path), status, ms, client: connection.clientAddress }, "request");
  };
}

const discardMs = 3000;

/**
 * Reads a refused body to its end, for at most three seconds: a proxy that still sends it would be reset, and answer 502
 * in place of the refusal.
 */
async function discardBody(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body || body.locked) return;
  const ended = body.pipeTo(new WritableStream(), { preventCancel: true, signal: AbortSignal.timeout(discardMs) });
  await ended.catch(() => {});
}

/** The client disconnected while sending the request's body. */
const isConnectionReset = (error: Error) => "code" in error && error.code === "ECONNRESET";

const validRequestId = (id: string | undefined) => (id && /^[\w-]{8,64}$/.test(id) ? id : undefined);

function requireOwnHost(config: Config): MiddlewareHandler<WebEnv> {
  const isOurs = createHostCheck(config);
  return (c, next) => (isOurs(c.get("connection").host) ? next() : Promise.resolve(reject(c, 421, "bad-request")));
}

/** The API authenticates by headers, never by cookies. Its rate limits count the resolved client address. */
function forwardToApi(embedded: EmbeddedUpstream): MiddlewareHandler<WebEnv> {
  return async (c) => {
    if (!isServedMethod(c.req.method)) return reject(c, 405, "bad-request");
    const { protocol, host, clientAddress } = c.get("connection");
    const origin = `${protocol}://${host}`;
    const headers = { "x-forwarded-for": clientAddress, "x-request-id": c.get("requestId") };
    const request = sanitizeRequest(c.req.raw, origin, headers);
    request.headers.delete("cookie");
    return embedded.fetch(await moveBodyToQuery(request, c.env?.incoming));
  };
}

/** Serves the built browser files: hashed names are immutable, others are cached for an hour. */
function serveBrowserFiles(root: string): MiddlewareHandler<WebEnv> {
  const serve = serveStatic<WebEnv>({
    root,
    precompressed: true,
    onFound: (path, c) => {
      c.header("cache-control", path.includes("/assets/") ? hashedAsset : "public, max-age=3600");
      c.header("x-content-type-options", "nosniff");
      c.header("cross-origin-resource-policy", "same-origin");
    },
  });
  // The folder does not change at run time; a lookup in memory is faster than a failing stat per request.
  const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: "utf8" }) : [];
  const names = new Set(files.map((name) => `/${name}`));
  return (c, next) => (names.has(c.req.path) ? serve(c, next) : next());
}
