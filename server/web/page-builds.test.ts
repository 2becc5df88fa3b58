import { fileURLToPath } from "node:url";
import { flatRoutes } from "@remix-run/dev/dist/config/flat-routes.js";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/router";
import { expect, test } from "vitest";
import remixConfig from "../../remix.config.js";
import { createPageBuilds, pagePathOf, pathOf } from "./pages";

type Routes = ServerBuild["routes"];

function buildOf(routes: object): ServerBuild {
  return { routes, assets: { version: "1", routes } } as unknown as ServerBuild;
}

/** The product's own routes: a .tsx file has a page. */
const appDirectory = fileURLToPath(new URL("../../app", import.meta.url));
const own = Object.fromEntries([
  ["root", { id: "root", path: "", module: { default: () => null } }],
  ...Object.values(flatRoutes(appDirectory, remixConfig.ignoredRouteFiles)).map((route) => [
    route.id,
    { ...route, module: route.file.endsWith(".tsx") ? { default: () => null } : {} },
  ]),
]);

const page = { module: { default: () => null } };
/** Layouts with and without a path, an index, parameters, an optional part, splats and a page inside a page. */
const nested = Object.fromEntries(
  Object.entries({
    root: { path: "" },
    home: { parentId: "root", index: true },
    all: { parentId: "root", path: "*" },
    frame: { parentId: "root" },
    shop: { parentId: "frame", path: "shop" },
    "shop-index": { parentId: "shop", index: true },
    "shop-cart": { parentId: "shop", path: "cart" },
    "shop-item": { parentId: "shop", path: ":item" },
    "shop-rest": { parentId: "shop", path: "*" },
    "cart-done": { parentId: "shop-cart", path: "done" },
    optional: { parentId: "root", path: "en?/about" },
    news: { parentId: "root", path: "news/today" },
  }).map(([id, route]) => [id, { id, ...page, ...route }]),
);

const toTree = (routes: Routes, parentId?: string): object[] =>
  Object.values(routes)
    .filter((route) => route?.parentId === parentId)
    .map((route) => {
      const { module, parentId: _, ...rest } = route as NonNullable<typeof route>;
      return rest.index ? rest : { ...rest, children: toTree(routes, rest.id) };
    });
const idsOf = (routes: Routes, path: string) =>
  (matchRoutes(toTree(routes) as Parameters<typeof matchRoutes>[0], path) ?? []).map(({ route }) => route.id);

test.each([
  ["the product's routes", own],
  ["nested routes", nested],
])("each page's build matches the page, and the paths above it, as the whole build does: %s", (_, routes) => {
  const build = buildOf(routes);
  const builds = createPageBuilds(build);
  expect(builds.size).toBeGreaterThanOrEqual(5);
  for (const [path, narrowed] of builds) {
    const above = path.split("/").map((_part, i, parts) => parts.slice(0, i + 1).join("/") || "/");
    for (const place of [path, ...above]) expect(idsOf(narrowed.routes, place)).toEqual(idsOf(build.routes, place));
    expect(Object.keys(narrowed.assets.routes)).toEqual(Object.keys(narrowed.routes));
  }
});

test("every page without parameters has a build, and nothing else", () => {
  const pages = Object.values(own as Routes).filter((route) => route?.module.default);
  const paths = pages.map((route) => route && pathOf(route, own)).filter((path) => path && !/[:*?]/.test(path));
  expect([...createPageBuilds(buildOf(own)).keys()].sort()).toEqual(paths.sort());
  expect([...createPageBuilds(buildOf(nested)).keys()].sort()).toEqual([
    "/",
    "/news/today",
    "/shop",
    "/shop/cart",
    "/shop/cart/done",
  ]);
});

test.each([
  "/main/square/",
  "/MAIN/square",
  "//main/square",
  "/main",
  "/404/x",
  "/cashier/a",
  "/bff/products",
  "/main/squar%65",
])("the path %s is left to the whole build", (path) => {
  expect(createPageBuilds(buildOf(own)).has(pagePathOf(path))).toBe(false);
});

test("a page's data has the page's build", () => {
  expect(["/_root.data", "/main/square.data", "/main/square", "/.data"].map(pagePathOf)).toEqual([
    "/",
    "/main/square",
    "/main/square",
    "/",
  ]);
});
