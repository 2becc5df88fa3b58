import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dividedModules } from "../../vite.browser";

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`);
const sources = ["app", "server/contract"].flatMap(filesOf).filter((path) => /(?<!\.test)\.tsx?$/.test(path));

// Every export gets a copy of its module in the browser's files.
test.each(sources.filter((path) => dividedModules.test(`/${path}`)))("%s holds no state", (path) => {
  const code = readFileSync(path, "utf8");
  expect(code).not.toMatch(/^(?:export )?(?:let|class|default)\b/m);
  expect(code).not.toMatch(/^(?:export )?const \w+(?:: [^=]+)? = (?:new (?:Map|Set|WeakMap)|create\w*)\b/m);
});

test("modules are divided", () => {
  expect(sources.filter((path) => dividedModules.test(`/${path}`)).length).toBeGreaterThan(10);
});

// `settledRemix` leaves them out of the browser's files.
test("no page defers data, submits by the router, prefetches links, uses fetchers, blocks navigation or asks for view transitions", () => {
  const app = sources.filter((path) => path.startsWith("app/"));
  const users = app.filter((path) =>
    /<(?:Await|Form)\b|\bclientAction\b|\buseSubmit\b.*@remix-run|\bdefer\(|\bPrefetchPageLinks\b|\bprefetch=|\buse(?:Fetchers?|Blocker)\b|\bnavigate[:=] ?\{?false|\bviewTransition\b/.test(
      readFileSync(path, "utf8"),
    ),
  );
  expect(users).toEqual([]);
});

// `settledRemix` shortens Remix's own error page to the error's text.
test("the root exports an error page", () => {
  expect(readFileSync("app/root.tsx", "utf8")).toMatch(/^export function ErrorBoundary\b/m);
});
