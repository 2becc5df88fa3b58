import { join } from "node:path";
import type { Config } from "../config";
import { createApi } from "./api/app";
import type { HostBindings } from "./api/caller";
import { openDatabase } from "./db/connection";
import { seed } from "./db/seed/seed";
import { createSquare } from "./square/roles";

export type UpstreamConfig = Pick<Config, "dataDir" | "databaseUrl" | "appId" | "trustedProxies">;

export interface Services {
  /** Answers /api/v1. Without bindings the call comes from within this process and its headers are believed. */
  fetch(request: Request, bindings?: HostBindings): Response | Promise<Response>;
  /** Starts working the queue in this process; calling twice is harmless. */
  startWorker(): void;
  ready(): Promise<Record<string, boolean>>;
  close(): Promise<void>;
}

/** The composition root of the embedded upstream: builds every part and chooses every adapter. */
export async function createServices(config: UpstreamConfig): Promise<Services> {
  const { db, close } = await openDatabase(
    config.databaseUrl ? { url: config.databaseUrl } : { directory: join(config.dataDir, "db") },
  );
  await seed(db);
  const api = createApi({
    appId: config.appId,
    trustedProxies: config.trustedProxies,
    square: createSquare(db),
    reportError: (error, request) => console.error(request, error),
  });
  return {
    fetch: (request, bindings) => api.fetch(request, bindings),
    startWorker: () => {},
    ready: async () => ({ database: true }),
    close,
  };
}
