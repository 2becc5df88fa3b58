import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import type { Config } from "../config";
import type { EmbeddedUpstream } from "../embedded-upstream";
import { createConnectionReader, createHostCheck } from "./connection";
import { createLogger, maskPhones } from "./logger";
import { createMetrics, createOperations, type Metrics } from "./operations";
import { type LoadBuild, loadBuild } from "./pages";
import { errorResponse, isServedMethod } from "./reject-request";
import { moveBodyToQuery, sanitizeRequest, type WebEnv } from "./request";
import { compress, pipeStreams } from "./response-streams";
import { createSite } from "./site";

export { beginShutdown } from "./operations";

interface Parts {
  config: Config;
  /** The /api/v1 of this process; without it the site works against config.apiBaseUrl. */
  embedded?: EmbeddedUpstream | undefined;
  /** Where the built browser files lie. */
  clientDir?: string;
  logger?: Logger;
  load?: LoadBuild;
}

const hashedAsset = "public, max-age=31536000, immutable";

/** The one HTTP host of every role: operations, /api/v1 where it is embedded, and the site unless the role is api or worker. */
export function createWebApp({
  config,
  embedded,
  clientDir = "build/client",
  logger,
  load = loadBuild,
}: Parts): Hono<WebEnv> {
  const log = logger ?? createLogger(config);
  const metrics = createMetrics(embedded?.measure);
  const host = new Hono<WebEnv>();
  host.use(pipeStreams);
  host.use(observe({ config, log, metrics }));
  host.route("/", createOperations({ config, embedded, metrics }));
  host.use(onlyOurHosts(config));
  if (embedded && config.role !== "worker") host.all("/api/v1/*", passToApi(embedded));
  if (config.role === "all" || config.role === "web") {
    host.use(compress);
    if (import.meta.env.PROD) host.use(browserFiles(clientDir));
    // An asset that is gone is no page to be sent to /404 for: the old page's loader must see a plain failure.
    if (import.meta.env.PROD) host.all("/assets/*", (c) => c.notFound());
    host.route("/", createSite({ config, embedded, logger: log, load, observeCall: metrics.observeCall }));
  }
  host.notFound((c) => refusal(c, 404, "not-found"));
  host.onError((error, c) => {
    if (c.req.raw.signal.aborted || isHangUp(error)) return refusal(c, 400, "cancelled");
    log.error({ requestId: c.get("requestId"), err: error }, "request failed");
    return refusal(c, 500, "request-failed");
  });
  return host;
}

type Context = Parameters<MiddlewareHandler<WebEnv>>[0];

const refusal = (c: Context, status: number, reason: string) =>
  errorResponse({ status, reason, requestId: c.get("requestId"), accept: c.req.header("accept") ?? null });

const probes = new Set(["/healthz", "/readyz", "/metrics"]);

/** Who comes, under which id, and what became of it. */
function observe({
  config,
  log,
  metrics,
}: {
  config: Config;
  log: Logger;
  metrics: Metrics;
}): MiddlewareHandler<WebEnv> {
  const arrivalOf = createConnectionReader(config.trustedProxies);
  return async (c, next) => {
    const startedAt = performance.now();
    const arrival = arrivalOf(c.env?.incoming);
    const requestId = (!arrival.isDirect && safeId(c.req.header("x-request-id"))) || randomUUID();
    // Without a socket the caller is this process itself, and the URL names the host.
    c.set("connection", c.env?.incoming ? arrival : { ...connection, host: new URL(c.req.url).host });
    c.set("requestId", requestId);
    await next();
    // c.header would make a stream of the answer's body.
    c.res.headers.set("x-request-id", requestId);
    const { method, path } = c.req;
    const { status } = c.res;
    const ms = Math.round(performance.now() - startedAt);
    metrics.observe({ method, path, status, seconds: ms / 1000 });
    // Probes come every few seconds and say nothing new.
    const level = probes.has(path) ? "debug" : "info";
    log[level]({ requestId, method, path: maskPhones(path), status, ms, client: arrival.clientAddress }, "request");
  };
}

/** The visitor left in the middle of the request's body. */
const isHangUp = (error: Error) => "code" in error && error.code === "ECONNRESET";

const safeId = (id: string | undefined) => (id && /^[\w-]{8,64}$/.test(id) ? id : undefined);

function onlyOurHosts(config: Config): MiddlewareHandler<WebEnv> {
  const isOurs = createHostCheck(config);
  return (c, next) => (isOurs(c.get("connection").host) ? next() : Promise.resolve(refusal(c, 421, "bad-request")));
}

/** The API knows its callers by headers, never by cookies; the address it counts by is the one we resolved. */
function passToApi(embedded: EmbeddedUpstream): MiddlewareHandler<WebEnv> {
  return async (c) => {
    if (!isServedMethod(c.req.method)) return refusal(c, 405, "bad-request");
    const { protocol, host, clientAddress } = c.get("connection");
    const headers = { "x-forwarded-for": clientAddress, "x-request-id": c.get("requestId") };
    const request = sanitizeRequest(c.req.raw, `${protocol}://${host}`, headers);
    request.headers.delete("cookie");
    return embedded.fetch(await moveBodyToQuery(request, c.env?.incoming));
  };
}

/** What the build made for browsers: names with a hash never change, the others for an hour. */
function browserFiles(root: string): MiddlewareHandler<WebEnv> {
  const serve = serveStatic<WebEnv>({
    root,
    precompressed: true,
    onFound: (path, c) => {
      c.header("cache-control", path.includes("/assets/") ? hashedAsset : "public, max-age=3600");
      c.header("x-content-type-options", "nosniff");
      c.header("cross-origin-resource-policy", "same-origin");
    },
  });
  // Nothing is added while we run, and to look for what is not there takes longer than many an answer.
  const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: "utf8" }) : [];
  const names = new Set(files.map((name) => `/${name}`));
  return (c, next) => (names.has(c.req.path) ? serve(c, next) : next());
}
