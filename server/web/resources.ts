import type { LoaderFunctionArgs, ServerBuild } from "@remix-run/node";
import { TrieRouter } from "hono/router/trie-router";

type Routes = ServerBuild["routes"];
type Route = NonNullable<Routes[string]>;
type Loader = (args: LoaderFunctionArgs) => unknown;

export interface Resource {
  loader: Loader;
  params: Record<string, string>;
}

/** Escapes, and the data of a page. */
const isUnusual = (path: string) => !/^\/[\w./-]*$/.test(path) || path.endsWith(".data");

/**
 * Finds the route that answers a GET with data alone. Remix ranks all its routes anew for each request, and twice, which
 * costs more than most answers; what this finder is not sure of is null and stays with Remix.
 */
export function createResourceFinder(routes: Routes): (path: string) => Resource | null {
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
