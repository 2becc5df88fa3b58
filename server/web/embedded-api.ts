export interface EmbeddedApi {
  fetch(request: Request): Response | Promise<Response>;
  ready(): Promise<Record<string, boolean>>;
}
