import { createRequestHandler, type LoaderFunctionArgs, type ServerBuild } from "@remix-run/node";
import { TrieRouter } from "hono/router/trie-router";
import type { SiteContext } from "../bff/frame.server";
import { createPageBuilds, pagePathOf, pathOf } from "./page-builds";

type Routes = ServerBuild["routes"];
type Route = NonNullable<Routes[string]>;
type Loader = (args: LoaderFunctionArgs) => unknown;

interface ResourceRoute {
  loader: Loader;
  params: Record<string, string>;
}

/** Percent escapes, other alphabets, and Remix's single-fetch requests. */
const isLeftToRemix = (path: string) => !/^\/[\w./-]*$/.test(path) || path.endsWith(".data");

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
    if (isLeftToRemix(path)) return null;
    const found = router.match("GET", path)[0].map(([loader, params]) => ({ loader, params: toParams(params) }));
    const countParams = ({ params }: { params: object }) => Object.keys(params).length;
    const least = Math.min(...found.map(countParams));
    const [best, rival] = found.filter((resource) => countParams(resource) === least);
    return best?.loader && !rival ? { loader: best.loader, params: best.params } : null;
  };
}

const toParams = (params: object) => params as Record<string, string>;

function loaderOf({ module }: Route): Loader | null {
  const hasPage = module.default !== undefined || module.ErrorBoundary !== undefined;
  return hasPage ? null : ((module.loader as Loader | undefined) ?? null);
}

export type LoadBuild = () => Promise<ServerBuild>;
const importBuild: LoadBuild = () => import("virtual:remix/server-build");
let imported: ReturnType<LoadBuild> | undefined;

/** Imports the build once in production: a repeated import() takes time even from the cache. */
export const loadBuild: LoadBuild = () => {
  if (import.meta.env.DEV) return importBuild();
  imported ??= importBuild();
  return imported;
};

interface PageRequest {
  method: string;
  path: string;
  /** Created on first access: constructing a Request is expensive. */
  readonly request: Request;
  /** The same for the GET of a resource route, without that expense: see `createGetRequest`. */
  readonly resourceRequest?: Request | undefined;
}

export interface Pages {
  /** The path of a page without parameters. */
  isPage(path: string): boolean;
  /** Answers with Remix, or with a resource route's loader directly. */
  answer(pageRequest: PageRequest, visitor: Omit<SiteContext, "buildId">): Promise<Response>;
}

/** Returns a function that opens the pages of the current build. Development replaces the build. */
export function createPages(load: LoadBuild): () => Promise<Pages> {
  let current: { build: ServerBuild; pages: Pages } | undefined;
  return async () => {
    const build = await load();
    if (current?.build !== build) current = { build, pages: open(build) };
    return current.pages;
  };
}

function open(build: ServerBuild): Pages {
  const create = (part: ServerBuild) => createRequestHandler(part, import.meta.env.DEV ? "development" : "production");
  const handle = create(build);
  const handlers = new Map([...createPageBuilds(build)].map(([path, page]) => [path, create(page)]));
  const find = createResourceRouteFinder(build.routes);
  return {
    isPage: (path) => handlers.has(path),
    async answer(pageRequest, visitor) {
      const { method, path } = pageRequest;
      const context = { ...visitor, buildId: build.assets.version };
      const resource = method === "GET" ? find(path) : null;
      if (!resource) return (handlers.get(pagePathOf(path)) ?? handle)(pageRequest.request, context);
      const { loader, params } = resource;
      return toResponse(() =>
        loader({
          params,
          context,
          get request() {
            return pageRequest.resourceRequest ?? pageRequest.request;
          },
        }),
      );
    },
  };
}

/** As in Remix, a loader may throw a Response, and other values are sent as JSON. */
async function toResponse(load: () => unknown): Promise<Response> {
  try {
    const value = await load();
    return value instanceof Response ? value : Response.json(value);
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}
