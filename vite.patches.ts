import type { Plugin } from "vite";

/**
 * The only change of a package by our build: https://github.com/remix-run/remix/issues/8915. Remix answers a lost file of a
 * page by reloading the page that is shown, again and again. `reloadForChunk` loads the wanted page, at most once in ten
 * seconds; then the root's error page shows. Without it tests/journeys/shell-updates.journey.ts fails.
 */
const patch = {
  file: "node_modules/@remix-run/react/dist/esm/routeModules.js",
  theirs: "window.location.reload();",
  ours: "if (!window.reloadForChunk?.()) return { default() { throw error; } };",
};

/** Applies the patch to the browser's files; fails if an update of Remix says something else. */
export function patchedRemix(): Plugin {
  return {
    name: "patched-remix",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transform(code, id) {
      if (!id.endsWith(patch.file)) return null;
      if (code.split(patch.theirs).length !== 2) this.error(`${patch.file} differs: look at vite.patches.ts`);
      return { code: code.replace(patch.theirs, patch.ours), map: null };
    },
  };
}
