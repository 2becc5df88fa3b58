import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import type { SiteContext } from "../bff/context.server";

export type LoadPages = () => Promise<ServerBuild>;
export const loadPages: LoadPages = () => import("virtual:remix/server-build");

/** Remix's handler; made anew only when development brings a new build. */
export function createPages(load: LoadPages) {
  let current: { build: ServerBuild; handle: ReturnType<typeof createRequestHandler> } | undefined;
  return async (request: Request, context: Omit<SiteContext, "buildId">): Promise<Response> => {
    const build = await load();
    if (current?.build !== build) {
      current = { build, handle: createRequestHandler(build, import.meta.env.DEV ? "development" : "production") };
    }
    return current.handle(request, { ...context, buildId: build.assets.version });
  };
}
