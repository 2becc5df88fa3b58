import { join } from "node:path";
import { minify } from "oxc-minify";
import type { Plugin, Rollup } from "vite";
import remixConfig from "./remix.config.js";

/** On nearly every page: a file of its own costs each 0.1 kB of HTML and compresses alone. */
const frameModules = [
  "/app/copy/format.ts",
  "/app/features/portrait/still.tsx",
  "/app/ui/card.tsx",
  "/app/ui/feedback.tsx",
  "/app/ui/fields.tsx",
  "/server/contract/limits.ts",
];

/** Further chunks, each with what it alone imports: pages that show one of these show all of them. */
const sharedChunks = [
  // Else it would be a part of "people", though only loaders of its pages read parameters.
  { name: "portrait", modules: /\/portrait\/parameters\.ts$/ },
  { name: "people", modules: /\/(?:player\/use-previews|portrait\/picture)\.tsx?$/ },
  { name: "recorder", modules: /\/reference\/record-panel\.tsx$/ },
];

/**
 * One chunk for what every page imports, packages included: as separate files the home page's scripts weigh 5 % more,
 * gzipped.
 */
export function createChunks() {
  let frame: Set<string> | undefined;
  return (id: string, { getModuleInfo }: Rollup.ManualChunkMeta) => {
    frame ??= new Set([
      ...collectImports("/app/root.tsx", getModuleInfo),
      ...collectImports("/app/entry.client.tsx", getModuleInfo),
      ...frameModules.map((path) => join(import.meta.dirname, path)),
    ]);
    return frame.has(id) ? "frame" : sharedChunks.find(({ modules }) => modules.test(id))?.name;
  };
}

/** The modules that `entry` imports statically, directly or not. */
function collectImports(entry: string, getModuleInfo: Rollup.GetModuleInfo): Set<string> {
  const found = new Set<string>();
  const pending = [join(import.meta.dirname, entry)];
  for (let id = pending.pop(); id; id = pending.pop())
    for (const imported of getModuleInfo(id)?.importedIds ?? [])
      if (!found.has(imported)) {
        found.add(imported);
        pending.push(imported);
      }
  return found;
}

/** Words and pure functions. None may hold state or a class: each export becomes a module of its own. */
export const dividedModules =
  /\/app\/(copy\/(?!errors\b|format\b)[\w-]+|features\/draft\/draft)\.ts$|\/server\/contract\/marks\.ts$/;

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

/** Changes of Remix's code for browsers: the file, what it says and what it shall say. */
const remixChanges = [
  {
    // `reloadForChunk` loads the target at most once in ten seconds. Thrown while rendering, the error reaches the root's
    // boundary; the route's own one is in the file that is lost.
    file: "routeModules.js",
    theirs: "window.location.reload();",
    ours: "if (!window.reloadForChunk?.()) return { default() { throw error; } };",
  },
  {
    // Every page change makes a new context value. As an urgent update it makes React give up on lazy parts that have not
    // hydrated yet (its error 421), and render them again.
    file: "browser.js",
    theirs: "setLocation(newState.location);",
    ours: "React.startTransition(() => setLocation(newState.location));",
  },
  {
    // A visitor who goes on to another page cancels the data of the one before: no error.
    file: "single-fetch.js",
    theirs: "console.error(e);",
    ours: 'if (e?.name !== "AbortError") console.error(e);',
  },
  {
    // Remix looks for new links in the parent of every added node, and a dialog is added to the body: searching the whole
    // document took 47 of the 330 ms of a traced dialog, over a script of 500 lines at a quarter of the speed.
    file: "fog-of-war.js",
    theirs: "[r.target, ...r.addedNodes].forEach",
    ours: '(r.type === "childList" ? r.addedNodes : [r.target]).forEach',
  },
];

/**
 * Settled on this site: Rollup leaves out of the browser's files what the other way needs, 5 kB of every page, gzipped.
 * All data comes by single fetch, which knows no `defer`; scripts of a document are the server's; no link prefetches.
 */
const settledRemix: Array<{ file: string; theirs: RegExp; ours: string }> = [
  { file: "components.js", theirs: /\bstaticContext \?/g, ours: "false ?" },
  { file: "components.js", theirs: /= !isStatic \?/g, ours: "= true ?" },
  { file: "components.js", theirs: /typeof __remixContext === "object" && __remixContext\.a\b/g, ours: "false" },
  { file: "components.js", theirs: /(?<== )usePrefetchBehavior\(prefetch, props\)/g, ours: "[false, null, {}]" },
  {
    file: "components.js",
    theirs: /\b(?:shouldPrefetch && !isAbsolute|isPageLinkDescriptor\(link\)) \?/g,
    ours: "false ?",
  },
  { file: "routes.js", theirs: /typeof singleFetch === "function"/g, ours: "true" },
  { file: "router.js", theirs: /\bisDeferred(?:Result|Data)\(\w+\)(?! \{)/g, ours: "false" },
];

const singleFetchFlag = /(?:window\.__remixContext\.)?\bfuture\.v3_singleFetch/g;

/** Applies `remixChanges` and `settledRemix`; fails if an update of Remix says something else. */
export function changedRemix(): Plugin {
  return {
    name: "changed-remix",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transform(code, id) {
      const file = /@remix-run\/(?:react\/dist\/esm|router\/dist)\/([\w-]+\.js)$/.exec(id)?.[1];
      if (!file) return null;
      let changed = code.replace(singleFetchFlag, String(remixConfig.future?.v3_singleFetch));
      for (const { theirs, ours } of settledRemix.filter((settled) => settled.file === file)) {
        if (changed.search(theirs) < 0) this.error(`${file} of Remix differs: look at settledRemix`);
        changed = changed.replace(theirs, ours);
      }
      const change = remixChanges.find((one) => one.file === file);
      if (!change) return { code: changed, map: null };
      if (changed.split(change.theirs).length !== 2) this.error(`${file} of Remix differs: look at changed-remix`);
      return { code: changed.replace(change.theirs, change.ours), map: null };
    },
  };
}

/** The router's hints for developers, which it prints in production too: 0.7 kB of every page, gzipped. */
const developmentWarnings = ["warning", "warningOnce", "logV6DeprecationWarnings", "logDeprecation", "console.warn"];

/** Minifies the browser's files with oxc: the home page's scripts are 4.5 % smaller, gzipped, than with esbuild. */
export function minified(): Plugin {
  return {
    name: "minified",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    config: () => ({ build: { minify: false, cssMinify: "esbuild" } }),
    renderChunk: {
      order: "post",
      async handler(code, { fileName }) {
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
