import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dividedModules, reactProperties } from "../../vite.browser";

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

// Every change of the page would look for elements in all of it that such a rule affects.
test("no style asks the body or the root for a descendant with :has()", () => {
  const styles = filesOf("app").filter((path) => path.endsWith(".css"));
  expect(styles.length).toBeGreaterThan(2);
  const rules = /(?:^|[\s,}])(?:body|html|:root|main)[^\s,{]*:has\(\s*[^>\s]/;
  expect("body:has(.open) .menu {}").toMatch(rules);
  expect(styles.filter((path) => rules.test(readFileSync(path, "utf8")))).toEqual([]);
});

// `settledRemix` shortens Remix's own error page to the error's text.
test("the root exports an error page", () => {
  expect(readFileSync("app/root.tsx", "utf8")).toMatch(/^export function ErrorBoundary\b/m);
});

// `reactProperties` are shortened in React's chunk alone, and only where they are not in quotes.
describe("properties of React that the build shortens", () => {
  const names = reactProperties.source.match(/\w+/g) ?? [];
  const read = (file: string) => readFileSync(`node_modules/${file}`, "utf8");

  test("are never in quotes in React", () => {
    const react = ["react/cjs/react", "react-dom/cjs/react-dom", "scheduler/cjs/scheduler"]
      .map((file) => read(`${file}.production.min.js`))
      .join("");
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => new RegExp(`["'\`]${name}["'\`]`).test(react))).toEqual([]);
    expect(names.filter((name) => !react.includes(name))).toEqual([]);
  });

  test("are not read by other packages of the browser", () => {
    const imported = sources
      .filter((path) => path.startsWith("app/"))
      .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/ from "((?:@[\w.-]+\/)?[\w][\w.-]*)/g)])
      .map(([, name = ""]) => name)
      .filter((name) => !name.startsWith("react-dom") && name !== "react" && existsSync(`node_modules/${name}`));
    const files = [...new Set(imported)].flatMap((name) => filesOf(`node_modules/${name}`));
    const readers = files
      .filter((file) => /\.m?js$/.test(file) && statSync(file).isFile())
      .filter((file) =>
        /__reactFiber|_reactInternals|\b(?:memoizedProps|stateNode)\b/.test(readFileSync(file, "utf8")),
      );
    expect(files.length).toBeGreaterThan(100);
    expect(readers).toEqual([]);
  });
});
