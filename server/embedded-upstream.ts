/** One figure for Prometheus. */
export interface Measure {
  name: string;
  help: string;
  type: "gauge" | "counter";
  values: Array<{ labels: Record<string, string>; value: number }>;
}

export interface EmbeddedApi {
  fetch(request: Request): Response | Promise<Response>;
  ready(): Promise<Record<string, boolean>>;
  /** What its database and its engines tell. */
  measure(): Promise<Measure[]>;
}
