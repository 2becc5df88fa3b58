import type { Plugin } from "vite";
import remixConfig from "./remix.config.js";

/** Changes of Remix's code for browsers: the file, what it says and what it shall say. */
const remixChanges = [
  {
    // `reloadForChunk` loads the target at most once in ten seconds. Thrown while rendering, the error reaches the root's
    // boundary; the route's own one is in the file that is lost.
    file: "@remix-run/react/dist/esm/routeModules.js",
    theirs: "window.location.reload();",
    ours: "if (!window.reloadForChunk?.()) return { default() { throw error; } };",
  },
  {
    // Every page change makes a new context value. As an urgent update it makes React give up on lazy parts that have not
    // hydrated yet (its error 421), and render them again.
    file: "@remix-run/react/dist/esm/browser.js",
    theirs: "setLocation(newState.location);",
    ours: "React.startTransition(() => setLocation(newState.location));",
  },
  {
    // A visitor who goes on to another page cancels the data of the one before: no error.
    file: "@remix-run/react/dist/esm/single-fetch.js",
    theirs: "console.error(e);",
    ours: 'if (e?.name !== "AbortError") console.error(e);',
  },
  {
    // Remix looks for new links in the parent of every added node, and a dialog is added to the body: searching the whole
    // document took 47 of the 330 ms of a traced dialog, over a script of 500 lines at a quarter of the speed.
    file: "@remix-run/react/dist/esm/fog-of-war.js",
    theirs: "[r.target, ...r.addedNodes].forEach",
    ours: '(r.type === "childList" ? r.addedNodes : [r.target]).forEach',
  },
];

/** The files of the packages that `settledRemix` names. */
const files = {
  browser: "@remix-run/react/dist/esm/browser.js",
  components: "@remix-run/react/dist/esm/components.js",
  data: "@remix-run/react/dist/esm/data.js",
  errors: "@remix-run/react/dist/esm/errorBoundaries.js",
  routes: "@remix-run/react/dist/esm/routes.js",
  singleFetch: "@remix-run/react/dist/esm/single-fetch.js",
  fogOfWar: "@remix-run/react/dist/esm/fog-of-war.js",
  router: "@remix-run/router/dist/router.js",
  reactRouter: "react-router/dist/index.js",
  reactRouterDom: "react-router-dom/dist/index.js",
};

/**
 * Settled on this site: Rollup leaves out of the browser's files what the other way needs. All data comes by single
 * fetch, which knows no `defer`; scripts of a document are the server's; no page prefetches links (these: 5 kB of every
 * page, gzipped), uses fetchers, blocks navigation or animates it as a view transition, or is an SPA (these: 4.1 kB).
 */
const settledRemix: Array<{ file: string; theirs: RegExp; ours: string }> = [
  { file: files.components, theirs: /\bstaticContext \?/g, ours: "false ?" },
  { file: files.components, theirs: /= !isStatic \?/g, ours: "= true ?" },
  { file: files.components, theirs: /typeof __remixContext === "object" && __remixContext\.a\b/g, ours: "false" },
  { file: files.components, theirs: /(?<== )usePrefetchBehavior\(prefetch, props\)/g, ours: "[false, null, {}]" },
  {
    file: files.components,
    theirs: /\b(?:shouldPrefetch && !isAbsolute|isPageLinkDescriptor\(link\)) \?/g,
    ours: "false ?",
  },
  // Shows only if the root's own error page fails: the error's text alone. 0.5 kB of every page.
  {
    file: files.errors,
    theirs: /let heyDeveloper[\s\S]*?(?=\n\}\nfunction BoundaryShell)/g,
    ours: 'return React.createElement("html", null, React.createElement("body", null, String(error)));',
  },
  { file: files.routes, theirs: /typeof singleFetch === "function"/g, ours: "true" },
  { file: files.router, theirs: /\bisDeferred(?:Result|Data)\(\w+\)(?! \{)/g, ours: "false" },
  // The members of the router that nothing calls.
  {
    file: files.router,
    theirs: /^ {4}(?:fetch|getFetcher|deleteFetcher: \w+|dispose|getBlocker|deleteBlocker|_internal\w+(?:: \w+)?),?$/gm,
    ours: "",
  },
  { file: files.router, theirs: /\bfuture\.v7_(?!throwAbortReason)\w+/g, ours: "true" },
  { file: files.router, theirs: /\bshouldBlockNavigation\(\{[^}]*\}\)/g, ours: "undefined" },
  { file: files.router, theirs: /^ +(?=(?:revalidatingFetchers|fetchLoadMatches)\.forEach\()/gm, ours: "false && " },
  {
    file: files.router,
    theirs: /\bmarkFetchRedirectsDone\(\)(?! \{)|\babortStaleFetchLoads\(\w+\)(?! \{)/g,
    ours: "false",
  },
  { file: files.router, theirs: /\bif \(isBrowser\) \{(?=\s+\/\/ FIXME)/g, ours: "if (false) {" },
  { file: files.router, theirs: /\bif \(pendingAction === Action\.Pop\) \{(?=\s+\/\/ Forward)/g, ours: "if (false) {" },
  { file: files.router, theirs: /\bif \(pendingViewTransitionEnabled\)/g, ours: "if (false)" },
  { file: files.reactRouter, theirs: /\b(?:router\.)?future\.v7_\w+/g, ours: "true" },
  { file: files.reactRouterDom, theirs: /\bif \(options\.navigate === false\)/g, ours: "if (false)" },
  { file: files.reactRouterDom, theirs: /\buseViewTransitionState\(path\) && viewTransition === true/g, ours: "false" },
  // Without view transitions.
  {
    file: files.browser,
    theirs: /\{ matchRoutes, RouterProvider \} from 'react-router-dom'/g,
    ours: "{ matchRoutes, RouterProvider } from 'react-router'",
  },
  {
    file: files.browser,
    theirs: /router\.createRoutesForHMR = createClientRoutesWithHMRRevalidationOptOut;/g,
    ours: "",
  },
  { file: files.browser, theirs: /window\.__remixContext\.isSpaMode/g, ours: "false" },
  { file: files.components, theirs: /\bisSpaMode && !isHydrated/g, ours: "false" },
  { file: files.routes, theirs: /\bif \((?:isSpaMode|needsRevalidation)\)/g, ours: "if (false)" },
  { file: files.routes, theirs: /(?<=route\.id === "root" \? )RemixRootDefaultHydrateFallback/g, ours: "undefined" },
  { file: files.singleFetch, theirs: /\bif \(fetcherKey\)/g, ours: "if (false)" },
  { file: files.fogOfWar, theirs: /future\.v3_lazyRouteDiscovery === true && !isSpaMode/g, ours: "true" },
  // No page submits a form through the router, so that it knows neither submissions nor actions nor fetchers: 3 kB.
  { file: files.components, theirs: /^(?:Form|NavLink)\.displayName = .*$/gm, ours: "" },
  { file: files.router, theirs: /!opts \|\| !isSubmissionNavigation\(opts\)/g, ours: "true" },
  { file: files.router, theirs: /(?<!function )\bisMutationMethod\([^()]*\)/g, ours: "false" },
  {
    file: files.router,
    theirs: /\bopts && opts\.(?:submission|fetcherSubmission|pendingError)\b(?! &&)/g,
    ours: "undefined",
  },
  {
    file: files.router,
    theirs: /\bsubmission \|\| fetcherSubmission(?: \|\| getSubmissionFromNavigation\(loadingNavigation\))?/g,
    ours: "undefined",
  },
  { file: files.router, theirs: /!submission && !fetcherSubmission && formMethod && /g, ours: "false && " },
  {
    file: files.router,
    theirs: /(?<=function getLoadingNavigation\(location, submission\) \{\s+if \()submission/g,
    ours: "false",
  },
  { file: files.router, theirs: /\bpendingActionResult (?=&&|\?)/g, ours: "false " },
  { file: files.router, theirs: /!pendingActionResult\b/g, ours: "true" },
  { file: files.router, theirs: /\bfindRedirect\(fetcherResults\)/g, ours: "undefined" },
  { file: files.router, theirs: /\bPromise\.all\(fetchersToLoad\.map\([\s\S]*?\n {4}\}\)\)/g, ours: "[]" },
  { file: files.router, theirs: /\bawait Promise\.all\(\[resolveNavigationDeferredResults\(.*/g, ours: "" },
  { file: files.router, theirs: /\brevalidatingFetchers\.length === 0/g, ours: "true" },
  { file: files.router, theirs: /\brevalidatingFetchers\.length > 0/g, ours: "false" },
  { file: files.router, theirs: /(?<==> )revalidatingFetchers\.forEach\(f => .*\)/g, ours: "{}" },
  {
    file: files.router,
    theirs: /\bif \(true\) \{(?=\s+(?:state\.f|completedF)etchers\.forEach)/g,
    ours: "if (false) {",
  },
  { file: files.router, theirs: /^ +(?=deletedFetchers\.forEach\()/gm, ours: "false && " },
  {
    file: files.singleFetch,
    theirs: /\["POST", "PUT", "PATCH", "DELETE"\]\.includes\(request\.method\)/g,
    ours: "false",
  },
  { file: files.data, theirs: /\brequest\.method !== "GET"/g, ours: "false" },
  { file: files.singleFetch, theirs: /!init\.method \|\| init\.method === "GET"/g, ours: "true" },
  { file: files.routes, theirs: /^ {6}dataRoute\.action = [\s\S]*?\n {6}\};/gm, ours: "" },
  { file: files.routes, theirs: /\bif \((?:!route\.hasClientAction|mod\.clientAction)\)/g, ours: "if (false)" },
  { file: files.routes, theirs: /\blazyRoute\.action \?/g, ours: "false ?" },
  // Every page stands in the root's route, which has an error page.
  { file: files.reactRouter, theirs: / \|\| defaultErrorElement/g, ours: "" },
  {
    file: files.reactRouter,
    theirs: /\bisDataRoute \? useNavigateStable\(\) : useNavigateUnstable\(\)/g,
    ours: "useNavigateStable()",
  },
];

const singleFetchFlag = /(?:window\.__remixContext\.)?\bfuture\.v3_singleFetch/g;

/** Applies `remixChanges` and `settledRemix`; fails if an update of Remix says something else. */
export function changedRemix(): Plugin {
  return {
    name: "changed-remix",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transform(code, id) {
      const file =
        /node_modules\/((?:@remix-run\/(?:react\/dist\/esm|router\/dist)|react-router(?:-dom)?\/dist)\/[\w-]+\.js)$/.exec(
          id,
        )?.[1];
      if (!file) return null;
      let changed = code.replace(singleFetchFlag, String(remixConfig.future?.v3_singleFetch));
      for (const { theirs, ours } of settledRemix.filter((settled) => settled.file === file)) {
        if (changed.search(theirs) < 0) this.error(`${file} differs: look at settledRemix (${theirs})`);
        changed = changed.replace(theirs, ours);
      }
      const change = remixChanges.find((one) => one.file === file);
      if (!change) return { code: changed, map: null };
      if (changed.split(change.theirs).length !== 2) this.error(`${file} differs: look at remixChanges`);
      return { code: changed.replace(change.theirs, change.ours), map: null };
    },
  };
}
