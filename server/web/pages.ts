import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/node";

export type LoadBuild = () => Promise<ServerBuild>;
export const loadBuild: LoadBuild = () => import("virtual:remix/server-build");

export interface Pages {
  /** Changes with the browser's files. */
  buildId: string;
  /** Remix's request handler: documents, data and resource routes. */
  handle: RequestHandler;
}

/** Returns a function that opens the current build. Development replaces the build. */
export function createPages(load: LoadBuild): () => Promise<Pages> {
  let current: { build: ServerBuild; pages: Pages } | undefined;
  return async () => {
    const build = await load();
    if (current?.build !== build) {
      const handle = createRequestHandler(build, import.meta.env.DEV ? "development" : "production");
      current = { build, pages: { buildId: build.assets.version, handle } };
    }
    return current.pages;
  };
}
