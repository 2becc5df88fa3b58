import type { ServerBuild } from "@remix-run/node";
import { type AgnosticRouteMatch, type AgnosticRouteObject, matchRoutes } from "@remix-run/router";

type Routes = ServerBuild["routes"];
type Route = NonNullable<Routes[string]>;

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
export type PageBuild = ServerBuild & { matches: AgnosticRouteMatch[] };

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
