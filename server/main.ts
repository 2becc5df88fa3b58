import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";
import { type Config, ConfigError, readConfig } from "./config";

/** What the embedded /api/v1 offers to the process that runs it. */
export interface EmbeddedUpstream {
  fetch(request: Request): Response | Promise<Response>;
  startWorker(): void;
  ready(): Promise<Record<string, boolean>>;
  measure(): Promise<
    Array<{
      name: string;
      help: string;
      type: "gauge" | "counter";
      values: Array<{ labels: Record<string, string>; value: number }>;
    }>
  >;
  /** Ends what would otherwise last: event streams. */
  beginShutdown(): void;
  close(): Promise<void>;
}

interface UpstreamModule {
  createServices(config: Config): Promise<EmbeddedUpstream>;
}
interface SiteModule {
  createWebHost(parts: { config: Config; embedded: EmbeddedUpstream | undefined }): Hono;
  /** Ends what would otherwise last: event streams. */
  beginShutdown(): void;
}

const loadedAt = performance.now();

// Globs instead of imports: with either side's folder deleted the other one still type-checks and builds.
const upstreamModules = import.meta.glob<UpstreamModule>("./upstream/compose/services.ts");
const siteModules = import.meta.glob<SiteModule>("./web/host.ts");

const only = async <T>(modules: Record<string, () => Promise<T>>, what: string): Promise<T> => {
  const load = Object.values(modules)[0];
  if (!load) throw new ConfigError([`this build does not contain ${what}`]);
  return load();
};

/** Opens the embedded upstream when this role runs one; the queue is worked where no other process can. */
export async function openUpstream(config: Config): Promise<EmbeddedUpstream | undefined> {
  if (config.role === "web" || (config.role === "all" && config.apiBaseUrl)) return undefined;
  const { createServices } = await only(upstreamModules, "the embedded upstream");
  const upstream = await createServices(config);
  if (config.role !== "api" || !config.databaseUrl) upstream.startWorker();
  return upstream;
}

/** The one handler of this role: the site with /api/v1 beside it, or one of the two alone. */
export async function openHost(config: Config, upstream: EmbeddedUpstream | undefined): Promise<Host> {
  const { createWebHost, beginShutdown } = await only(siteModules, "the site");
  return { fetch: createWebHost({ config, embedded: upstream }).fetch, beginShutdown };
}
type Host = Pick<Hono, "fetch"> & Pick<SiteModule, "beginShutdown">;

/** Where the data lies, for the log: of a database's address neither user nor password nor what else it asks for. */
export function formatPlace({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): string {
  if (!databaseUrl) return dataDir;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}

function announce(config: Config, port: number) {
  const host = config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host;
  console.log(`${config.siteName}  ${config.siteUrl ?? `http://${host}:${port}`}`);
  console.log(`  mode   ${config.mode}, role ${config.role}`);
  console.log(`  data   ${formatPlace(config)}`);
  console.log(`  api    ${config.apiBaseUrl ?? "embedded"}`);
  console.log(`  ready after ${Math.round(performance.now() - loadedAt)} ms`);
}

/** How long requests in flight may take to end, once nobody sends new ones. */
const endMs = 10_000;

async function start() {
  const config = readConfig(process.env);
  const upstream = await openUpstream(config);
  const host = await openHost(config, upstream);
  const server = serve({ fetch: host.fetch, port: config.port, hostname: config.host }, ({ port }) =>
    announce(config, port),
  );
  server.on("error", (error: NodeJS.ErrnoException) => {
    fail(error.code === "EADDRINUSE" ? `Port ${config.port} is taken; set PORT to another one.` : error.message);
  });

  let isStopping = false;
  // Before the handler: whoever keeps a connection learns with its next answer that it ends, and never meets a closed one.
  server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (isStopping) response.shouldKeepAlive = false;
  });
  const stop = (drainMs: number) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), drainMs + endMs).unref();
    host.beginShutdown();
    upstream?.beginShutdown();
    // /readyz says no by now; balancers need a moment to hear it.
    setTimeout(() => {
      server.close(async () => {
        await upstream?.close();
        process.exit(0);
      });
      if ("closeIdleConnections" in server) server.closeIdleConnections();
    }, drainMs);
  };
  // A worker is asked by probes alone, and its jobs go back the sooner the better.
  process.on("SIGTERM", () => stop(config.role === "worker" ? 0 : config.drainSeconds * 1000));
  process.on("SIGINT", () => stop(0));
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

if (import.meta.env.PROD) {
  await start().catch((error: unknown) => {
    fail(error instanceof ConfigError ? error.message : error instanceof Error ? error.message : String(error));
  });
}
