import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/node";
import { Await, Outlet, Scripts, useLoaderData } from "@remix-run/react";
import { type ReactNode, Suspense } from "react";
import { expect, test } from "vitest";
import handleRequest, { handleError } from "./entry.server";
import { useDocument } from "./ui/document-context";

const nonce = "bm9uY2U=";

interface Site {
  loader?(): unknown;
  page?(): ReactNode;
}

function Broken(): ReactNode {
  throw new Error("broken");
}

const Root = () => (
  <html data-request-id={useDocument().requestId} lang="zh-CN">
    <body>
      <Outlet />
      <Scripts nonce={nonce} />
    </body>
  </html>
);

function open({ loader = () => null, page = () => <p>page</p> }: Site) {
  const routes = {
    root: { id: "root", path: "", module: { default: Root, ErrorBoundary: Root } },
    page: { id: "page", parentId: "root", index: true, module: { default: page, loader } },
  };
  const inBrowser = (id: string) => ({ id, module: `/${id}.js`, hasLoader: id === "page" });
  const build = {
    entry: { module: { default: handleRequest, handleError } },
    routes,
    assets: {
      version: "1",
      url: "/manifest.js",
      entry: { module: "/entry.js", imports: [] },
      routes: { root: inBrowser("root"), page: { ...inBrowser("page"), parentId: "root", index: true } },
    },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: { v3_singleFetch: true, v3_lazyRouteDiscovery: true },
    isSpaMode: false,
    mode: "production",
  } as unknown as ServerBuild;
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const context = { nonce, requestId: "request-1", report } as unknown as AppLoadContext;
  const handle = createRequestHandler(build, "production");
  return { reported, ask: () => handle(new Request("http://localhost/"), context) };
}

test("every inline script carries the nonce, and a page that works has no request id", async () => {
  const html = await (await open({ loader: () => ({ a: 1 }) }).ask()).text();
  const scripts = html.match(/<script\b[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(2);
  expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
  expect(html).not.toContain("request-1");
});

test("a page with a promise in its data is sent before the promise is settled", async () => {
  let settle = (_word: string) => {};
  const slow = new Promise<string>((resolve) => {
    settle = resolve;
  });
  const page = () => (
    <Suspense fallback={<i>waiting</i>}>
      <Await resolve={useLoaderData<{ slow: Promise<string> }>().slow}>{(word) => <b>{word}</b>}</Await>
    </Suspense>
  );
  const answer = await open({ loader: () => ({ slow }), page }).ask();
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  expect(Buffer.from(first?.value ?? []).toString()).toContain("waiting");
  settle("arrived");
  let rest = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    rest += Buffer.from(part.value).toString();
  expect(rest).toContain("arrived");
});

test("an error inside a boundary is reported once and answered as a 500 with the rest of the page", async () => {
  const page = () => (
    <Suspense fallback={<i>fallback</i>}>
      <Broken />
    </Suspense>
  );
  const { ask, reported } = open({ page });
  const answer = await ask();
  expect([answer.status, reported.length]).toEqual([500, 1]);
  expect(await answer.text()).toContain("fallback");
});

test.each<[string, Site]>([
  ["the page", { page: Broken }],
  ["its loader", { loader: () => Promise.reject(new Error("broken")) }],
])("an error of %s is reported once and answered by the error page with the request id", async (_, site) => {
  const { ask, reported } = open(site);
  const answer = await ask();
  expect([answer.status, reported.length]).toEqual([500, 1]);
  expect(await answer.text()).toContain('data-request-id="request-1"');
});
