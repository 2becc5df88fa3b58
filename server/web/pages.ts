import { type AppLoadContext, createRequestHandler, type LoaderFunctionArgs, type ServerBuild } from "@remix-run/node";
import { type AgnosticRouteMatch, type AgnosticRouteObject, matchRoutes } from "@remix-run/router";
import { TrieRouter } from "hono/router/trie-router";
import { createPageDocument } from "./page-document";

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
 * Finds the route that answers a GET with data alone. For each request Remix ranks all its routes twice, which
 * costs more than most answers; what this finder is not sure of is null and stays with Remix.
 */
export function createResourceRouteFinder(routes: Routes): (path: string) => ResourceRoute | null {
  const router = new TrieRouter<Loader | null>();
  const fixed = new Map<string, ResourceRoute | null>();
  for (const route of Object.values(routes)) {
    const path = route && pathOf(route, routes);
    if (!path || /[*?]/.test(path)) continue;
    router.add("GET", path, loaderOf(route));
    if (!path.includes(":")) fixed.set(path, null);
  }
  const search = (path: string): ResourceRoute | null => {
    if (isLeftToRemix(path)) return null;
    const found = router.match("GET", path)[0].map(([loader, params]) => ({ loader, params: toParams(params) }));
    const countParams = ({ params }: { params: object }) => Object.keys(params).length;
    const least = Math.min(...found.map(countParams));
    const [best, rival] = found.filter((resource) => countParams(resource) === least);
    return best?.loader && !rival ? { loader: best.loader, params: best.params } : null;
  };
  for (const path of fixed.keys()) fixed.set(path, search(path));
  return (path) => {
    const known = fixed.get(path);
    return known === undefined ? search(path) : known;
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

export interface PageRequest {
  method: string;
  path: string;
  /** Created on first access: constructing a Request is expensive. */
  readonly request: Request;
  /** The same for the loaders of a GET, without that expense: see `createGetRequest`. */
  readonly plainRequest?: Request | undefined;
}

export interface Pages {
  /** Changes with the browser's files. */
  buildId: string;
  /** The path of a page without parameters. */
  isPage(path: string): boolean;
  /** A page's document as text where it needs no Response; otherwise Remix's answer, or a resource route's own. */
  answer(pageRequest: PageRequest, context: AppLoadContext): Promise<string | Response>;
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
  const pages = [...createPageBuilds(build)].map(
    ([path, page]) => [path, { handle: create(page), render: createPageDocument(page, page.matches) }] as const,
  );
  const handlers = new Map(pages);
  const find = createResourceRouteFinder(build.routes);
  return {
    buildId: build.assets.version,
    isPage: (path) => handlers.has(path),
    async answer(pageRequest, context) {
      const { method, path } = pageRequest;
      const page = handlers.get(pagePathOf(path));
      const isDocument = method === "GET" && handlers.has(path);
      const html = isDocument && (await page?.render?.(pageRequest.plainRequest ?? pageRequest.request, context));
      if (html) return html;
      const resource = method === "GET" && !page ? find(path) : null;
      if (!resource) return (page?.handle ?? handle)(pageRequest.request, context);
      const { loader, params } = resource;
      return toResponse(() =>
        loader({
          params,
          context,
          get request() {
            return pageRequest.plainRequest ?? pageRequest.request;
          },
        }),
      );
    },
  };
}

/** With a length, by which the host knows a whole page from a stream. */
export function toDocument(html: string): Response {
  const headers = { "content-type": "text/html; charset=utf-8", "content-length": String(Buffer.byteLength(html)) };
  return new Response(html, { headers });
}

/** A loader may throw a Response, and other values are sent as JSON, as in Remix. */
async function toResponse(load: () => unknown): Promise<Response> {
  try {
    const value = await load();
    return value instanceof Response ? value : Response.json(value);
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

/**
 * A build for each page without parameters, by path, that holds only the routes which Remix matches for this page. Remix
 * ranks all routes of a build about five times per document, which takes 0.11 ms of processor time each time, and 0.01 ms
 * among the page's own. Everything else stays with the whole build: parameters, unknown paths, other spellings of a path, `/__manifest`.
 */
export function createPageBuilds(build: ServerBuild): Map<string, PageBuild> {
  const tree = toTree(build.routes);
  const pages = Object.values(build.routes).filter((route) => route?.module.default !== undefined) as Route[];
  const paths = pages.map((route) => pathOf(route, build.routes)).filter((path) => path !== null);
  return new Map(
    paths.filter(isStatic).map((path) => {
      const matches = matchRoutes(tree, path) ?? [];
      return [path, { ...narrow(build, findRouteIds(tree, path)), matches }];
    }),
  );
}

/** A build for one page, with the routes that make it up from the root down. */
type PageBuild = ServerBuild & { matches: AgnosticRouteMatch[] };

const isStatic = (path: string) => !/[:*?]/.test(path);

/** The matches of the path and of every path above it: the manifest in the page lists those for lazy route discovery. */
function findRouteIds(tree: AgnosticRouteObject[], path: string): Set<string | undefined> {
  const parts = path.split("/").filter(Boolean);
  const above = parts.map((_, i) => `/${parts.slice(0, i).join("/")}`);
  return new Set([path, ...above].flatMap((place) => matchRoutes(tree, place) ?? []).map(({ route }) => route.id));
}

function narrow(build: ServerBuild, ids: Set<string | undefined>): ServerBuild {
  const only = <T>(all: Record<string, T>) => Object.fromEntries(Object.entries(all).filter(([id]) => ids.has(id)));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}

/** Remix's routes as its router takes them. */
function toTree(routes: Routes, parentId?: string): AgnosticRouteObject[] {
  const found: AgnosticRouteObject[] = [];
  for (const route of Object.values(routes)) {
    if (!route || route.parentId !== parentId) continue;
    const { id, path, index, caseSensitive } = route;
    const own = { id, ...(path !== undefined && { path }), ...(caseSensitive !== undefined && { caseSensitive }) };
    found.push(index ? { ...own, index } : { ...own, children: toTree(routes, id) });
  }
  return found;
}

/** The full path from the root; null for a layout without a path. */
export function pathOf(route: Route, routes: Routes): string | null {
  if (!route.path && !route.index) return null;
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  const above = (parent && pathOf(parent, routes)) ?? "";
  return route.path ? `${above}/${route.path}` : above || "/";
}

/** The page's path of a document or of its single-fetch data, `/main/square.data` or `/_root.data`. */
export const pagePathOf = (path: string) => (path === "/_root.data" ? "/" : path.replace(/\.data$/, ""));
