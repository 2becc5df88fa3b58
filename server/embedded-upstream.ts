/** One figure for Prometheus. */
export interface Metric {
  name: string;
  help: string;
  type: "gauge" | "counter";
  values: Array<{ labels: Record<string, string>; value: number }>;
}

export interface EmbeddedUpstream {
  fetch(request: Request): Response | Promise<Response>;
  ready(): Promise<Record<string, boolean>>;
  /** What its database and its engines tell. */
  measure(): Promise<Metric[]>;
}
