import type { ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";
import { createResourceRouteFinder } from "./pages";

const modules: Array<[id: string, parentId: string | undefined, path: string | undefined, module: object]> = [
  ["root", undefined, "", { default: () => null }],
  ["home", "root", undefined, { default: () => null, loader: () => "home" }],
  ["all", "root", "*", { loader: () => "all" }],
  ["page", "root", "page", { default: () => null, loader: () => "page" }],
  ["things", "root", "bff/things", { loader: () => "things" }],
  ["thing", "things", ":id", { loader: () => "thing" }],
  ["parts", "thing", "parts", { loader: () => "parts" }],
  ["quote", "root", "bff/things/quote", { action: () => "quote" }],
  ["icon", "root", "icons/:file?", { loader: () => "icon" }],
  ["map", "root", "sitemap.xml", { loader: () => "map" }],
];
const routes = Object.fromEntries(modules.map(([id, parentId, path, module]) => [id, { id, parentId, path, module }]));
const find = createResourceRouteFinder(routes as unknown as ServerBuild["routes"]);

test.each([
  ["/bff/things", "things", {}],
  ["/bff/things/a-1_b", "thing", { id: "a-1_b" }],
  ["/bff/things/a/parts", "parts", { id: "a" }],
  ["/sitemap.xml", "map", {}],
])("the resource route %s is answered by its loader", (path, answer, params) => {
  const found = find(path);
  expect(found?.loader({} as never)).toBe(answer);
  expect(found?.params).toEqual(params);
});

test.each([
  ["a page", "/page"],
  ["home", "/"],
  ["nothing", "/bff/nothing"],
  ["a route with only an action that also matches a parameter", "/bff/things/quote"],
  ["a slash at the end", "/bff/things/"],
  ["an escape", "/bff/things/a%2Fb"],
  ["non-ASCII letters", "/bff/things/声"],
  ["capitals", "/BFF/things"],
  ["a page's data", "/bff/things.data"],
  ["a parameter's data", "/bff/things/a.data"],
  ["an optional part", "/icons/a"],
])("the path %s is left to Remix", (_what, path) => {
  expect(find(path)).toBeNull();
});
