import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import type { SiteContext } from "../bff/frame.server";
import { createResourceFinder } from "./resources";

export type LoadPages = () => Promise<ServerBuild>;
const importPages: LoadPages = () => import("virtual:remix/server-build");
let imported: ReturnType<LoadPages> | undefined;

/** Once in production: even what is already there takes its time to be imported again. */
export const loadPages: LoadPages = () => {
  if (import.meta.env.DEV) return importPages();
  imported ??= importPages();
  return imported;
};

interface Asked {
  method: string;
  path: string;
  /** Made only for those who read it: a Request is dear. */
  readonly request: Request;
}

/** Remix's handler, and its routes without a page by themselves; made anew only when development brings a new build. */
export function createPages(load: LoadPages) {
  let current: ReturnType<typeof open> | undefined;
  return async (asked: Asked, visit: Omit<SiteContext, "buildId">): Promise<Response> => {
    const build = await load();
    if (current?.build !== build) current = open(build);
    const context = { ...visit, buildId: build.assets.version };
    const resource = asked.method === "GET" ? current.find(asked.path) : null;
    if (!resource) return current.handle(asked.request, context);
    const { loader, params } = resource;
    return answerOf(() =>
      loader({
        params,
        context,
        get request() {
          return asked.request;
        },
      }),
    );
  };
}

const open = (build: ServerBuild) => ({
  build,
  find: createResourceFinder(build.routes),
  handle: createRequestHandler(build, import.meta.env.DEV ? "development" : "production"),
});

/** Like Remix: a Response may be thrown, and what is none is JSON. */
async function answerOf(load: () => unknown): Promise<Response> {
  try {
    const answer = await load();
    return answer instanceof Response ? answer : Response.json(answer);
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}
