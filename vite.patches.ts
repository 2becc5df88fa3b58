import type { Plugin } from "vite";

/** The only changes of a package by our build: each has an upstream report and a journey that fails without it. */
const patches = [
  {
    // https://github.com/remix-run/remix/issues/8915: a lost file of a page reloads the page that is shown, without end.
    // `reloadForChunk` loads the wanted page at most once in ten seconds; then the root's error page shows.
    // tests/journeys/shell-updates.journey.ts
    file: "@remix-run/react/dist/esm/routeModules.js",
    theirs: "window.location.reload();",
    ours: "if (!window.reloadForChunk?.()) return { default() { throw error; } };",
  },
  {
    // https://github.com/facebook/react/issues/24476: the router's update is urgent, so that React renders anew every
    // part that has not hydrated yet: what people opened in it closes. tests/journeys/slow-start.journey.ts
    file: "@remix-run/react/dist/esm/browser.js",
    theirs: "setLocation(newState.location);",
    ours: "React.startTransition(() => setLocation(newState.location));",
  },
];

/** Applies `patches` to the browser's files; fails if an update of Remix says something else. */
export function patchedRemix(): Plugin {
  return {
    name: "patched-remix",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transform(code, id) {
      const patch = patches.find(({ file }) => id.endsWith(`node_modules/${file}`));
      if (!patch) return null;
      if (code.split(patch.theirs).length !== 2) this.error(`${patch.file} differs: look at vite.patches.ts`);
      return { code: code.replace(patch.theirs, patch.ours), map: null };
    },
  };
}
