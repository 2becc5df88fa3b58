import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { serve } from "@hono/node-server";
import type { HandleDocumentRequestFunction, ServerBuild } from "@remix-run/node";
import * as events from "~/routes/bff.events/route";
import * as trials from "~/routes/bff.trials/route";
import * as uploads from "~/routes/bff.uploads.$name/route";
import type { Config } from "~server/config";
import { createPublicVersion, type PublicVersion } from "~server/public-reads";
import { createWebApp } from "~server/web/app";
import { createLogger } from "~server/web/logger";

export const config: Config = {
  port: 0,
  host: "127.0.0.1",
  siteUrl: null,
  siteName: "S",
  mode: "demo",
  role: "all",
  dataDir: "/nowhere",
  apiBaseUrl: undefined,
  appId: "app",
  sessionSecrets: ["s".repeat(40)],
  databaseUrl: undefined,
  profileKeys: [],
  labelKey: "",
  dataKey: "",
  sms: undefined,
  payments: { wechatPay: undefined, alipay: undefined },
  storage: undefined,
  ffmpegPath: undefined,
  filePaths: [],
  fileOrigins: [],
  voiceProof: "recorded",
  visitorDataDays: 7,
  webhookAddresses: "public",
  speech: { engines: [{ name: "embedded" }], styles: {} },
  trustedProxies: [],
  frame: {
    contact: null,
    operator: { company: null, icpNumber: null },
    banner: null,
    buildCheckMs: 300_000,
    iconServiceUrl: null,
    analytics: { baiduId: null, baiduTags: [], gtagId: null, hasRawPhone: false },
  },
  metricsToken: "m".repeat(32),
  drainSeconds: 0,
  logLevel: "info",
};

type Modules = Record<string, object>;

/** A Remix build with the real BFF routes, one page, and `modules` by their folder names. */
function buildWith(page: object, data: object, modules: Modules, text: string): ServerBuild {
  const root = { id: "root", path: "", module: { default: () => null, ErrorBoundary: () => null } };
  const route = (id: string, path: string, module: object) => ({ id, path, parentId: "root", module });
  const routes = {
    root,
    page: route("page", "page", { default: () => null, ErrorBoundary: () => null, ...page }),
    data: route("data", "data/:size", data),
    trials: route("trials", "bff/trials", trials),
    uploads: route("uploads", "bff/uploads/:name", uploads),
    events: route("events", "bff/events", events),
    ...Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, route(name, pathOf(name), module)])),
  };
  const render = (...[, status, headers, , { nonce }]: Parameters<HandleDocumentRequestFunction>) => {
    headers.set("content-type", "text/html; charset=utf-8");
    return new Response(`<p>${text}</p><script nonce="${nonce}"></script>`, { status, headers });
  };
  return {
    entry: { module: { default: render, handleError: () => {} } },
    routes,
    assets: { version: "1", entry: { module: "", imports: [] }, routes: {}, url: "" },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: { v3_singleFetch: true },
    isSpaMode: false,
    mode: "production",
  } as unknown as ServerBuild;
}

const pathOf = (folder: string) =>
  folder.replace(/\[\.\]|\./g, (dots) => (dots === "." ? "/" : ".")).replaceAll("$", ":");

const servers: Server[] = [];

/** Closes every server that `startWebApp` opened. */
export function closeWebApps(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

interface Setting {
  config?: Partial<Config>;
  page?: object;
  /** Module of /data/:size, a route without a component. */
  data?: object;
  /** More route modules, by folder name. */
  modules?: Modules;
  /** Text that the page shows. */
  text?: string;
  publicVersion?: PublicVersion;
  api?(request: Request): Response | Promise<Response>;
}

/** Starts the web app on a free port with `api` as its upstream; `lines` receives the log. */
export async function startWebApp({
  config: changes,
  page = {},
  data = {},
  modules = {},
  text = "page",
  publicVersion = createPublicVersion(),
  api = () => Response.json({ code: 0, data: null, msg: "" }),
}: Setting = {}) {
  const lines: string[] = [];
  const logger = createLogger(config, { write: (line) => void lines.push(line) });
  const jobs = {
    name: "jobs",
    help: "",
    type: "gauge" as const,
    values: [{ labels: { kind: "clone", state: "ready" }, value: 3 }],
  };
  const embedded = {
    fetch: api,
    publicVersion,
    ready: async () => ({ database: true }),
    measure: async () => [jobs],
    startWorker() {},
    beginShutdown() {},
    async close() {},
  };
  const build = buildWith(page, data, modules, text);
  const app = createWebApp({
    config: { ...config, ...changes },
    embedded,
    logger,
    load: async () => build,
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  await once(server, "listening");
  servers.push(server);
  const { port } = server.address() as { port: number };
  return { url: `http://localhost:${port}`, port, lines };
}

/** Sends a raw HTTP request and returns the raw response. */
export async function sendRawRequest(port: number, request: string) {
  const socket = connect(port, "127.0.0.1");
  socket.write(request.replaceAll("\n", "\r\n"));
  return text(socket);
}
