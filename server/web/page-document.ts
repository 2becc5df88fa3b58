import type { AppLoadContext, EntryContext, LoaderFunctionArgs, ServerBuild } from "@remix-run/node";
import { type AgnosticRouteMatch, createPath } from "@remix-run/router";
import { encodePlain } from "./plain-data";

interface DocumentParts {
  remix: EntryContext;
  /** The loader data as single fetch encodes it. */
  data: string;
  nonce: string;
  url: string;
}

/** Exports of `app/entry.server.tsx` besides Remix's own handlers. */
export interface DocumentEntry {
  /** The whole document; null if a part of it is still loading or failed. */
  renderDocument(parts: DocumentParts): string | null;
}

/** The document for the GET of a page or the redirect of a loader, or null if only Remix's handler answers right. */
export type RenderPage = (request: Request, context: AppLoadContext) => Promise<string | Response | null>;

type Route = NonNullable<ServerBuild["routes"][string]>;

/** Parameters of Remix's own requests, which its handler removes for the loaders. */
const remixParameters = ["_data", "_routes", "index"];

/**
 * Renders a page for which `build` holds only the page's own routes. Remix's handler serves every kind of request: it
 * matches the routes anew, copies the request twice per loader, and passes loader data and document through a stream
 * each. Null, and so Remix's handler, for all but plain data: errors, responses, promises, instances of classes.
 */
export function createPageDocument(build: ServerBuild, matches: AgnosticRouteMatch[]): RenderPage | null {
  const { renderDocument } = build.entry.module as Partial<DocumentEntry>;
  const routes = matches.map(({ route }) => build.routes[route.id ?? ""]).filter((route) => route !== undefined);
  const hasHeaders = routes.some(({ module }) => module.headers !== undefined);
  // Development adds styles to a document.
  if (!renderDocument || hasHeaders || build.mode !== "production" || !build.future.v3_singleFetch) return null;
  const shared = sharedContext(build);
  return async (request, context) => {
    const { origin, pathname, search, searchParams } = new URL(request.url);
    if (remixParameters.some((name) => searchParams.has(name))) return null;
    const loaderData = await loadAll(routes, { request, context, params: {} });
    if (loaderData instanceof Response) return loaderData;
    const state = { loaderData, actionData: null, errors: null };
    const data = loaderData && encodePlain(state);
    if (!data) return null;
    const location = { pathname, search, hash: "", state: null, key: "default" };
    const staticHandlerContext: EntryContext["staticHandlerContext"] = {
      ...state,
      loaderData,
      basename: build.basename ?? "/",
      location,
      matches: matches as EntryContext["staticHandlerContext"]["matches"],
      statusCode: 200,
      loaderHeaders: {},
      actionHeaders: {},
      activeDeferreds: null,
    };
    const remix = { ...shared, staticHandlerContext, renderMeta: {} };
    return renderDocument({ remix, data, nonce: context.nonce, url: origin + createPath(location) });
  };
}

/** The part of Remix's context that is the same for all requests of a page. */
function sharedContext({ assets, routes, basename, future, isSpaMode }: ServerBuild) {
  return {
    manifest: assets,
    routeModules: Object.fromEntries(Object.entries(routes).map(([id, route]) => [id, route?.module])),
    serverHandoffString: JSON.stringify({ basename, future, isSpaMode }),
    future,
    isSpaMode,
    // Errors are left to Remix.
    serializeError: ({ message }: Error) => ({ message }),
  } as Omit<EntryContext, "staticHandlerContext">;
}

/**
 * The data of all loaders by route; null if one of them threw, or answered with more than data. A thrown redirect is
 * returned: a second run of the loaders would not throw that of an expired login again, because the first logged out.
 */
async function loadAll(routes: Route[], args: LoaderFunctionArgs): Promise<Record<string, unknown> | Response | null> {
  // In a separate function, so that a loader may also throw at once.
  const load = async ({ id, module: { loader } }: Route) => [id, loader ? await loader(args) : null] as const;
  const settled = await Promise.allSettled(routes.map(load));
  const thrown = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  const redirect = thrown.find((error) => error instanceof Response && error.headers.has("location"));
  if (redirect) return redirect;
  const loaded = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  if (thrown.length > 0 || !loaded.every(([, value]) => isData(value))) return null;
  return Object.fromEntries(loaded.map(([id, value]) => [id, isWrapped(value) ? value.data : value]));
}

const isData = (value: unknown) =>
  value !== undefined && !(value instanceof Response) && !(isWrapped(value) && value.init);

/** Detects the result of Remix's `data()`; `init` is null without a status or headers. */
const isWrapped = (value: unknown): value is { data: unknown; init: unknown } =>
  typeof value === "object" && value !== null && "type" in value && value.type === "DataWithResponseInit";
