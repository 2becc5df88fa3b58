import { createRequestHandler, type LoaderFunctionArgs, type ServerBuild } from "@remix-run/node";
import { TrieRouter } from "hono/router/trie-router";
import type { SiteContext } from "../bff/frame.server";

type Routes = ServerBuild["routes"];
type Route = NonNullable<Routes[string]>;
type Loader = (args: LoaderFunctionArgs) => unknown;

interface ResourceRoute {
  loader: Loader;
  params: Record<string, string>;
}

/** Escapes, and the data of a page. */
const isUnusual = (path: string) => !/^\/[\w./-]*$/.test(path) || path.endsWith(".data");

/**
 * Finds the route that answers a GET with data alone. Remix ranks all its routes anew for each request, and twice, which
 * costs more than most answers; what this finder is not sure of is null and stays with Remix.
 */
export function createResourceRouteFinder(routes: Routes): (path: string) => ResourceRoute | null {
  const router = new TrieRouter<Loader | null>();
  for (const route of Object.values(routes)) {
    const path = route && pathOf(route, routes);
    if (path && !/[*?]/.test(path)) router.add("GET", path, loaderOf(route));
  }
  return (path) => {
    if (isUnusual(path)) return null;
    const found = router.match("GET", path)[0].map(([loader, params]) => ({ loader, params: toParams(params) }));
    const wildness = ({ params }: { params: object }) => Object.keys(params).length;
    const least = Math.min(...found.map(wildness));
    const [best, rival] = found.filter((resource) => wildness(resource) === least);
    return best?.loader && !rival ? { loader: best.loader, params: best.params } : null;
  };
}

const toParams = (params: object) => params as Record<string, string>;

/** From the root down; null for what has no path of its own. */
function pathOf(route: Route, routes: Routes): string | null {
  if (!route.path) return null;
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return `${(parent && pathOf(parent, routes)) ?? ""}/${route.path}`;
}

function loaderOf({ module }: Route): Loader | null {
  const hasPage = module.default !== undefined || module.ErrorBoundary !== undefined;
  return hasPage ? null : ((module.loader as Loader | undefined) ?? null);
}

export type LoadPages = () => Promise<ServerBuild>;
const importPages: LoadPages = () => import("virtual:remix/server-build");
let imported: ReturnType<LoadPages> | undefined;

/** Once in production: even what is already there takes its time to be imported again. */
export const loadPages: LoadPages = () => {
  if (import.meta.env.DEV) return importPages();
  imported ??= importPages();
  return imported;
};

interface PageRequest {
  method: string;
  path: string;
  /** Made only for those who read it: a Request is dear. */
  readonly request: Request;
}

/** Remix's handler, and its routes without a page by themselves; made anew only when development brings a new build. */
export function createPageHandler(load: LoadPages) {
  let current: ReturnType<typeof open> | undefined;
  return async (asked: PageRequest, visit: Omit<SiteContext, "buildId">): Promise<Response> => {
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
  find: createResourceRouteFinder(build.routes),
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
