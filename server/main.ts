import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";
import { type Config, ConfigError, readConfig } from "./config";
import { multipartFramingBytes, uploadMaxBytes } from "./contract/limits";
import type { EmbeddedUpstream } from "./embedded-upstream";
import { isSimulated, usableEngines } from "./settings/installed";
import { keepFilesPrivate } from "./settings/private-files";

interface UpstreamModule {
  createServices(config: Config): Promise<EmbeddedUpstream>;
}
interface WebModule {
  createWebApp(parts: { config: Config; embedded: EmbeddedUpstream | undefined }): Hono;
  /** Makes /readyz fail and ends the event streams. */
  beginShutdown(): void;
}

const loadedAt = performance.now();

// Globs instead of imports: each side type-checks and builds without the folder of the other.
const upstreamModules = import.meta.glob<UpstreamModule>("./upstream/compose/services.ts");
const webModules = import.meta.glob<WebModule>("./web/app.ts");

const loadModule = async <T>(modules: Record<string, () => Promise<T>>, name: string): Promise<T> => {
  const load = Object.values(modules)[0];
  if (!load) throw new ConfigError([`this build does not contain ${name}`]);
  return load();
};

const runsUpstream = ({ role, apiBaseUrl }: Config) => role !== "web" && !(role === "all" && apiBaseUrl);

/** Opens the embedded upstream if this role runs one. Starts a worker unless a separate worker process can take the jobs. */
export async function openUpstream(config: Config): Promise<EmbeddedUpstream | undefined> {
  if (!runsUpstream(config)) return undefined;
  const { createServices } = await loadModule(upstreamModules, "the embedded upstream");
  const upstream = await createServices(config);
  if (config.role !== "api" || !config.databaseUrl) upstream.startWorker();
  return upstream;
}

/** The request handler of this role: the site, the embedded /api/v1, or both. */
export async function openWebApp(config: Config, upstream: EmbeddedUpstream | undefined): Promise<WebApp> {
  const { createWebApp, beginShutdown } = await loadModule(webModules, "the site");
  return { fetch: createWebApp({ config, embedded: upstream }).fetch, beginShutdown };
}
type WebApp = Pick<Hono, "fetch"> & Pick<WebModule, "beginShutdown">;

/** The data's location for the log: the database URL without credentials and parameters. */
export function formatDataLocation({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): string {
  if (!databaseUrl) return dataDir;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}

/** The engines that speak, and how a natural voice comes if there is none. */
export function formatSpeech({ engines, wantedModels = [], isUnasked }: Config["speech"]): string {
  const names = usableEngines(engines)
    .map(({ name }) => name)
    .join(", ");
  if (!isSimulated(engines)) return names;
  if (wantedModels.length === 0) return `${names}, a simulation; natural voices: npm run voices -- install kokoro`;
  const way = isUnasked ? " (233 MB; VOICES=none turns that off)" : "";
  return `${names} for now; ${wantedModels.join(", ")} is fetched in the background and takes over by itself${way}`;
}

function printStartup(config: Config, port: number) {
  const host = config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host;
  console.log(`${config.siteName}  ${config.siteUrl ?? `http://${host}:${port}`}`);
  console.log(`  mode   ${config.mode}, role ${config.role}`);
  if (runsUpstream(config)) console.log(`  data   ${formatDataLocation(config)}`);
  console.log(`  api    ${runsUpstream(config) ? "embedded" : config.apiBaseUrl}`);
  if (runsUpstream(config)) console.log(`  speech ${formatSpeech(config.speech)}`);
  console.log(`  ready after ${Math.round(performance.now() - loadedAt)} ms`);
}

/** Never asks for a body that no call takes: a client that already sends it may lose the 413. */
export function limitExpectedBodies(server: Pick<Server, "on" | "emit">) {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const length = Number(request.headers["content-length"] ?? 0);
    if (!(length > uploadMaxBytes + multipartFramingBytes)) response.writeContinue();
    server.emit("request", request, response);
  });
}

/** Time limit for requests in flight after the server stops accepting connections. */
const closeTimeoutMs = 10_000;

async function start() {
  const config = readConfig(process.env);
  keepFilesPrivate(config.dataDir);
  const upstream = await openUpstream(config);
  const web = await openWebApp(config, upstream);
  const server = serve({ fetch: web.fetch, port: config.port, hostname: config.host }, ({ port }) =>
    printStartup(config, port),
  );
  limitExpectedBodies(server as Server);
  server.on("error", (error: NodeJS.ErrnoException) => {
    fail(error.code === "EADDRINUSE" ? `Port ${config.port} is taken; set PORT to another one.` : error.message);
  });

  let isStopping = false;
  // Before the handler: a kept-alive connection is announced as closing with its next response, never closed without notice.
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (isStopping) response.shouldKeepAlive = false;
  });
  const stop = (drainMs: number) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), drainMs + closeTimeoutMs).unref();
    web.beginShutdown();
    upstream?.beginShutdown();
    // /readyz fails from here on; load balancers need time to notice.
    setTimeout(() => {
      server.close(async () => {
        await upstream?.close();
        process.exit(0);
      });
      if ("closeIdleConnections" in server) server.closeIdleConnections();
    }, drainMs);
  };
  // A worker serves only probes, and returns its jobs at once.
  process.on("SIGTERM", () => stop(config.role === "worker" ? 0 : config.drainSeconds * 1000));
  process.on("SIGINT", () => stop(0));
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

if (import.meta.env.PROD) {
  await start().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
}
