import { timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Config } from "../config";
import type { EmbeddedUpstream, Metric } from "../embedded-upstream";
import type { WebEnv } from "./request";

const shutdown = new AbortController();

/** Aborts when the process begins to shut down: /readyz fails and event streams end. */
export const shutdownSignal = shutdown.signal;

/** Aborts `shutdownSignal`. Call it on SIGTERM, before waiting for the requests in flight. */
export function beginShutdown(): void {
  shutdown.abort();
}

export interface Metrics {
  observe(request: { method: string; path: string; status: number; seconds: number }): void;
  /** One upstream call, retries included. */
  observeCall(call: { name: string; outcome: string; seconds: number }): void;
  text(): Promise<string>;
  contentType: string;
}

/** Prometheus metrics. Paths are counted by kind, so that clients cannot add series. */
export function createMetrics(measure: () => Promise<Metric[]> = async () => []): Metrics {
  const registry = new Registry();
  // Development creates an app for every change, and these collectors cannot be removed.
  if (import.meta.env.PROD) collectDefaultMetrics({ register: registry });
  const labelNames = ["method", "kind", "status"] as const;
  const requests = new Counter({ name: "http_requests_total", help: "Answers", labelNames, registers: [registry] });
  const durations = new Histogram({
    name: "http_request_seconds",
    help: "Time to the answer's headers",
    labelNames: ["kind"] as const,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 25],
    registers: [registry],
  });
  const calls = new Histogram({
    name: "upstream_call_seconds",
    help: "Calls of /api/v1 by the site, retries included",
    labelNames: ["call", "outcome"] as const,
    buckets: [0.002, 0.01, 0.05, 0.2, 1, 5, 22],
    registers: [registry],
  });
  return {
    observeCall: ({ name, outcome, seconds }) => calls.observe({ call: name, outcome }, seconds),
    observe({ method, path, status, seconds }) {
      const kind = kindOf(path);
      requests.inc({ method: knownMethods.has(method) ? method : "other", kind, status: String(status) });
      durations.observe({ kind }, seconds);
    },
    text: async () => `${await registry.metrics()}${(await measure()).map(toText).join("")}`,
    contentType: registry.contentType,
  };
}

/** Prometheus text exposition format 0.0.4. */
function toText({ name, help, type, values }: Metric): string {
  const lines = values.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text.replace(/["\\\n]/g, "_")}"`);
    return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

function kindOf(path: string): string {
  if (path.startsWith("/api/")) return "api";
  if (path.startsWith("/bff/")) return "bff";
  if (path.startsWith("/assets/")) return "asset";
  return "page";
}

/** `Authorization: Bearer …` compared in constant time. */
function hasBearerToken(authorization: string | undefined, token: string | undefined): boolean {
  if (!token) return false;
  const given = Buffer.from(authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

interface OperationsServerParts {
  config: Config;
  embedded: EmbeddedUpstream | undefined;
  metrics: Metrics;
}

/** /healthz: the process answers · /readyz: so do its parts · /metrics: with METRICS_TOKEN. */
export function createOperations({ config, embedded, metrics }: OperationsServerParts): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.get("/readyz", async (c) => {
    const parts = { ...(await readiness(embedded)), running: !shutdownSignal.aborted };
    return c.json(parts, Object.values(parts).every(Boolean) ? 200 : 503);
  });
  app.get("/metrics", async (c) => {
    if (!hasBearerToken(c.req.header("authorization"), config.metricsToken)) return c.notFound();
    return c.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });
  return app;
}

/** A prober waits no longer for a part that hangs. */
const readyMs = 4_000;

async function readiness(embedded: EmbeddedUpstream | undefined): Promise<Record<string, boolean>> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, readyMs).unref());
  try {
    return (await Promise.race([embedded?.ready(), late])) ?? {};
  } catch {
    return { upstream: false };
  }
}
