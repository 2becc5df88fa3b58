import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgres, startPostgres } from "./postgres";
import { startProduct } from "./product";

/** Deployment layouts: one process with all roles, or separate web, api and worker on one PostgreSQL. */
export type TopologyName = "one-process" | "separate";

export interface Topology {
  /** URL of the site. */
  url: string;
  /** URL of /api/v1, for conformance checks and direct calls. */
  apiUrl: string;
  stop(): Promise<void>;
}

/** Returns null and prints the reason if this machine cannot run the layout. */
export async function startTopology(name: TopologyName, env: Record<string, string> = {}): Promise<Topology | null> {
  if (name === "one-process") {
    const all = await startProduct(env);
    return { url: all.url, apiUrl: all.url, stop: () => all.stop() };
  }
  const bin = findPostgres();
  if (!bin) {
    console.log("Skipped: no PostgreSQL under /usr/lib/postgresql (apt-get install postgresql).");
    return null;
  }
  const postgres = await startPostgres(bin);
  const dataDir = mkdtempSync(join(tmpdir(), "separate-"));
  const behind = { ...env, DATABASE_URL: postgres.url, DATA_DIR: dataDir };
  const api = await startProduct({ ...behind, ROLE: "api", TRUSTED_PROXIES: "127.0.0.1 ::1" });
  const worker = await startProduct({ ...behind, ROLE: "worker" });
  const web = await startProduct({ ...env, ROLE: "web", API_BASE_URL: api.url });
  return {
    url: web.url,
    apiUrl: api.url,
    async stop() {
      for (const one of [web, worker, api]) await one.stop();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
