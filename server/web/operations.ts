import { Hono } from "hono";
import type { Config } from "../config";
import type { EmbeddedApi } from "./embedded-api";
import { hasToken, type Metrics } from "./metrics";
import { closingSignal } from "./shutdown";
import type { Visit } from "./visit";

interface Parts {
  config: Config;
  embedded: EmbeddedApi | undefined;
  metrics: Metrics;
}

/** /healthz: the process answers · /readyz: so do its parts · /metrics: with METRICS_TOKEN. */
export function createOperations({ config, embedded, metrics }: Parts): Hono<Visit> {
  const app = new Hono<Visit>();
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.get("/readyz", async (c) => {
    const parts = { ...(await readiness(embedded)), running: !closingSignal.aborted };
    return c.json(parts, Object.values(parts).every(Boolean) ? 200 : 503);
  });
  app.get("/metrics", async (c) => {
    if (!hasToken(c.req.header("authorization"), config.metricsToken)) return c.notFound();
    return c.body(await metrics.text(), 200, { "content-type": metrics.contentType });
  });
  return app;
}

async function readiness(embedded: EmbeddedApi | undefined): Promise<Record<string, boolean>> {
  try {
    return (await embedded?.ready()) ?? {};
  } catch {
    return { upstream: false };
  }
}
