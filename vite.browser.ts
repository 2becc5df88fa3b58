import { join, parse } from "node:path";
import { minify } from "oxc-minify";
import { type Plugin, type Rollup, transformWithEsbuild } from "vite";

/** On nearly every page: a separate file costs each 0.1 kB of HTML and compresses alone. */
const frameModules = [
  "/app/root.tsx",
  "/app/copy/format.ts",
  "/app/features/portrait/still.tsx",
  "/app/ui/card.tsx",
  "/app/ui/feedback.tsx",
  "/server/contract/limits.ts",
].map((path) => join(import.meta.dirname, path));

/**
 * Further chunks: pages that show one of these show most of them. Each file of a first load costs a request, and while it
 * waits for its answer the others share the line with it.
 */
const sharedChunks = [
  // Half of what every page loads. It arrives on a connection of its own, and stays cached over deployments.
  { name: "react", modules: /\/node_modules\/(?:react|react-dom|scheduler)\/|^\0?commonjsHelpers\.js$/ },
  // Less than 1 kB that half the pages need.
  {
    name: "frame",
    modules:
      /\/draft\.ts\?only=(?:read|write)\w+Value$|\bonly=(?:countCharacters|Field|IconFrame|RadioGroup|WaveformBars)$/,
  },
  // Else it would be a part of "people", though only loaders of its pages read parameters.
  { name: "portrait", modules: /\/portrait\/parameters\.ts$/ },
  {
    name: "people",
    modules: /\/(?:player\/use-previews\.ts|portrait\/picture\.tsx)$|\b(?:humanCardCopy|cloningSentence)$/,
  },
  {
    name: "pages",
    modules:
      /\/(?:app\/call|analytics-events|copy\/errors|contract\/codes|player\/downloads)\.ts$|\/(?:tool-icon|share-button)\.tsx$|\b(?:noScriptCopy|shareCopy)$|\/fields\.tsx\?only=/,
  },
  { name: "square", modules: /\b(?:squareCopy|reportCopy)$/ },
  { name: "login", modules: /\/login\/(?:login-form|use-login)\.tsx?$|\blogin(?:Page)?Copy$/ },
  {
    name: "checkout",
    modules: /\/checkout\/(?:checkout-client|order-numbers)\.tsx?$|\b(?:checkoutCopy|formatExpiry|subscribePageCopy)$/,
  },
  { name: "recording", modules: /\/reference\/record-panel\.tsx$|\b(?:readingSentences|recordingCopy|trialCopy)$/ },
  {
    name: "reference",
    modules:
      /\/reference\/reference\.ts$|\/contract\/(?:recording\/quality|consent)\.ts$|\b(?:recordingTips|referenceCopy)$/,
  },
  { name: "work", modules: /\/(?:contract\/marks|copy\/generation)\.ts\?only=/ },
];

/** Pages of one member's work: what two of them and no other page load first is one chunk. */
const workPages = /\/main\.(?:clone|dubbing|role)\//;

/** What a page imports dynamically as it opens. */
const firstParts = /\/main\.dubbing\/studio\.tsx$/;

/** What every page imports dynamically as it opens for a member. */
const memberParts = /\/(?:frame\/overlays\.tsx|account\/account-sync\.ts)$/;

/**
 * Assigns the modules of first loads to chunks: React, the rest of what every page imports, `sharedChunks`, and one for
 * each set of modules that the same pages load first and the same pages may load at all. Rollup alone makes a file for every
 * combination of dynamic imports, 39 for the dubbing page: gzipped apart they weigh 4 % more. It places all other modules.
 */
export function createChunks() {
  let names: Map<string, string> | undefined;
  return (id: string, { getModuleIds, getModuleInfo }: Rollup.ManualChunkMeta) => {
    names ??= nameChunks([...getModuleIds()], getModuleInfo);
    return names.get(id);
  };
}

function nameChunks(ids: readonly string[], getModuleInfo: Rollup.GetModuleInfo): Map<string, string> {
  const collect = (starts: readonly string[], followsDynamic: (id: string) => boolean) =>
    collectImports(starts, getModuleInfo, followsDynamic);
  const entries = ids.filter((id) => getModuleInfo(id)?.isEntry);
  const everywhere = entries.filter((id) => /\/app\/(?:root|entry\.client)\.tsx/.test(id));
  const frame = collect(everywhere, () => false);
  // This one hydrates the page when it is evaluated, which is after the page's own modules.
  for (const id of everywhere) if (id.includes("entry.client")) frame.delete(id);
  for (const id of frameModules) frame.add(id);
  const pages = entries.filter((id) => !everywhere.includes(id)).map((id) => [id]);
  const starts = [...pages, ids.filter((id) => memberParts.test(id))];
  const first = starts.map((page) => collect(page, (id) => firstParts.test(id)));
  const isWork = starts.map(([id = ""]) => workPages.test(id));
  const reached = starts.map((page) => collect(page, () => true));
  const placesIn = (sets: readonly Set<string>[], id: string) => sets.map((set) => Number(set.has(id))).join("");

  const isOfWork = (places: string) =>
    places.split("1").length > 2 && [...places].every((place, index) => place === "0" || isWork[index]);

  // First, so that a chunk with a module that is imported dynamically has its name.
  const isImportedDynamically = (id: string) => (getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
  const names = new Map<string, string>();
  const namesByPlaces = new Map<string, string>();
  for (const id of [...ids.filter(isImportedDynamically), ...ids]) {
    if (names.has(id)) continue;
    const firstPlaces = placesIn(first, id);
    const shared = findSharedChunk(id) ?? (frame.has(id) ? "frame" : isOfWork(firstPlaces) ? "work" : undefined);
    if (!shared && !firstPlaces.includes("1")) continue;
    const places = `${firstPlaces} ${placesIn(reached, id)}`;
    const name = shared ?? namesByPlaces.get(places) ?? unusedName(id, new Set(names.values()));
    if (!shared) namesByPlaces.set(places, name);
    names.set(id, name);
  }
  return names;
}

const findSharedChunk = (id: string) => sharedChunks.find(({ modules }) => modules.test(id))?.name;

/** Of the module or its export, and not a number of all chunks: a further module must not rename every file. */
function unusedName(id: string, used: ReadonlySet<string>): string {
  const base = /\?only=(\w+)$/.exec(id)?.[1] ?? /routes\/([\w.]+)[^/]*\/route\./.exec(id)?.[1] ?? parse(id).name;
  for (let name = base, count = 2; ; name = `${base}-${count++}`) if (!used.has(name)) return name;
}

/** `starts` and what they import, directly or not; dynamic imports only where `followsDynamic` says so. */
function collectImports(
  starts: readonly string[],
  getModuleInfo: Rollup.GetModuleInfo,
  followsDynamic: (id: string) => boolean,
): Set<string> {
  const found = new Set(starts);
  for (const id of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = getModuleInfo(id) ?? {};
    for (const imported of [...importedIds, ...dynamicallyImportedIds.filter(followsDynamic)]) found.add(imported);
  }
  return found;
}

/** Words, pure functions and small components. None may hold state or a class: each export becomes a separate module. */
export const dividedModules =
  /\/app\/(?:(?:copy\/(?!errors\b|format\b)[\w-]+|features\/draft\/draft)\.ts|ui\/(?:fields|icons\/icon)\.tsx)$|\/server\/contract\/marks\.ts$/;

/**
 * Loads each export of `dividedModules` with the pages that use it. Rollup places modules whole, so a page that shows one
 * sentence would load every sentence of its file.
 */
export function dividedExports(): Plugin {
  return {
    name: "divided-exports",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transform: {
      order: "post",
      async handler(code, id) {
        if (id.includes("node_modules")) return null;
        const [file = id, only] = id.split("?only=");
        let divided = code;
        for (const [statement, names = "", source = ""] of code.matchAll(/^import \{([^}]+)\} from "([^"]+)";/gm)) {
          const target = await this.resolve(source, file);
          if (!target || !dividedModules.test(target.id)) continue;
          const imports = names.split(",").flatMap((part) => {
            const name = part.trim();
            return name ? `import { ${name} } from "${target.id}?only=${name.split(" ")[0]}";` : [];
          });
          divided = divided.replace(statement, () => imports.join(" "));
        }
        if (only)
          divided = divided.replace(/^export (?=(?:async )?(?:const|function) (\w+))/gm, (exported, name) =>
            name === only ? exported : "",
          );
        // Some sentences are built by functions: without this, pages that dropped the sentence would still load its module.
        return divided === code ? null : { code: divided, map: null, moduleSideEffects: only === undefined };
      },
    },
  };
}

/** The router's hints for developers, which it prints in production too: 0.7 kB of every page, gzipped. */
const developmentWarnings = ["warning", "warningOnce", "logV6DeprecationWarnings", "logDeprecation", "console.warn"];

/**
 * Properties of React's own objects that no other code reads: shorter names are 0.9 kB less on every page, gzipped. All of
 * React is in one chunk.
 */
export const reactProperties =
  /^(?:alternate|baseLanes|baseQueue|baseState|cachePool|callbackNode|callbackPriority|child|childLanes|containerInfo|dehydrated|deletions|dependencies|eagerState|elementType|entangledLanes|entanglements|eventTimes|expirationTimes|expiredLanes|finishedLanes|finishedWork|firstBaseUpdate|firstContext|flags|hasEagerState|interleaved|isBackwards|isDehydrated|lanes|lastBaseUpdate|lastEffect|lastRenderedReducer|lastRenderedState|memoizedProps|memoizedState|memoizedValue|mode|pendingChildren|pendingContext|pendingLanes|pendingProps|pingCache|pingedLanes|renderingStartTime|retryLane|return|sibling|stateNode|subtreeFlags|suspendedLanes|tag|tail|tailMode|transitions|treeContext|updateQueue)$/;

/** Minifies the browser's files with oxc: the home page's scripts are 4.5 % smaller, gzipped, than with esbuild. */
export function minified(): Plugin {
  return {
    name: "minified",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    config: () => ({ build: { minify: false, cssMinify: "esbuild" } }),
    renderChunk: {
      order: "post",
      async handler(readable, { fileName, name }) {
        const { code } =
          name === "react"
            ? await transformWithEsbuild(readable, fileName, { mangleProps: reactProperties })
            : { code: readable };
        const compress = { target: "es2022", treeshake: { manualPureFunctions: developmentWarnings } };
        const { code: small, errors } = await minify(fileName, code, { module: true, compress });
        if (errors.length > 0) this.error(errors.map(({ message }) => message).join("\n"));
        // Vite finds the style sheets and preloads of a dynamic import only behind an address in quotes, not in backticks.
        // Rollup's placeholders of file names may contain a dollar sign; a template's "${" is left alone.
        return { code: small.replace(/\bimport\(`((?:[^`$]|\$(?!\{))+)`\)/g, 'import("$1")'), map: null };
      },
    },
  };
}
