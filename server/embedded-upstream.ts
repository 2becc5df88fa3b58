import type { PublicVersion } from "./public-reads";

/** One Prometheus metric with its samples. */
export interface Metric {
  name: string;
  help: string;
  type: "gauge" | "counter";
  values: Array<{ labels: Record<string, string>; value: number }>;
}

/** The /api/v1 that runs inside this process, as the web server and the entry point see it. */
export interface EmbeddedUpstream {
  fetch(request: Request): Response | Promise<Response>;
  /** Advances with every change of public data in this process. */
  publicVersion?: PublicVersion;
  /** Whether each part it depends on answers, by name. */
  ready(): Promise<Record<string, boolean>>;
  /** Metrics of its database and its speech engines. */
  measure(): Promise<Metric[]>;
  /** Runs jobs in this process. */
  startWorker(): void;
  /** Ends the event streams. */
  beginShutdown(): void;
  /** Returns running jobs to the queue, ends the engine's processes and closes the database. */
  close(): Promise<void>;
}
