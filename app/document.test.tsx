import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import {
  type AppLoadContext,
  createRequestHandler,
  data,
  type EntryContext,
  redirect,
  type ServerBuild,
} from "@remix-run/node";
import {
  Await,
  Link,
  Outlet,
  RemixServer,
  Scripts,
  useHref,
  useLoaderData,
  useLocation,
  useMatches,
} from "@remix-run/react";
import { type ReactNode, Suspense } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { expect, test } from "vitest";
import { createPageDocument } from "~server/web/page-document";
import { createPageBuilds } from "~server/web/pages";
import handleRequest, { handleError, isDeferred, renderDocument } from "./entry.server";
import { PageLink, PageNavLink } from "./ui/button";
import { Fixed } from "./ui/card";

const nonce = "bm9uY2U=";

interface Site {
  loader?(): unknown;
  page?(): ReactNode;
  root?(): ReactNode;
  headers?(): HeadersInit;
  entry?: ServerBuild["entry"]["module"]["default"];
}

function Broken(): ReactNode {
  throw new Error("broken");
}

const rootWithScripts = () => (
  <html lang="zh-CN">
    <body>
      <Outlet />
      <Scripts nonce={nonce} />
    </body>
  </html>
);

function open({ loader, page = () => <p>page</p>, root = rootWithScripts, entry = handleRequest, headers }: Site) {
  const module = { default: page, loader: loader ?? (() => null), ...(headers && { headers }) };
  const routes = {
    root: { id: "root", path: "", module: { default: root, ErrorBoundary: root, loader: () => ({ site: "声像" }) } },
    page: { id: "page", parentId: "root", index: true, module },
  };
  const inBrowser = (id: string) => ({ id, module: `/${id}.js`, hasLoader: id === "page" });
  const build = {
    entry: { module: { default: entry, handleError, renderDocument } },
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
  const context = { nonce, report: (error: unknown) => void reported.push(error) } as unknown as AppLoadContext;
  const handle = createRequestHandler(build, "production");
  const address = "http://localhost/?name=%E5%A3%B0&b=%3Cb%3E";
  const pageBuild = createPageBuilds(build).get("/");
  const renderPage = pageBuild && createPageDocument(pageBuild, pageBuild.matches);
  /** The document without Remix's handler. */
  const render = async (url = address) => renderPage?.(new Request(url), context);
  return { reported, render, assets: pageBuild?.assets, ask: () => handle(new Request(address), context) };
}

/** Remix's own document: RemixServer with its stream. */
const streamed = (...[request, status, headers, remix]: [Request, number, Headers, EntryContext, AppLoadContext]) =>
  new Promise<Response>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(<RemixServer context={remix} nonce={nonce} url={request.url} />, {
      onAllReady: () =>
        text(pipe(new PassThrough())).then((html) => resolve(new Response(html, { status, headers })), reject),
      onError: reject,
    });
  });

/** The state that the document's scripts pass to the browser's router. */
function handedOver(html: string) {
  let data = "";
  let isClosed = false;
  const streamController = {
    enqueue: (piece: string) => {
      data += piece;
    },
    close: () => {
      isClosed = true;
    },
  };
  for (const [, code = ""] of html.matchAll(
    /<script nonce="[^"]*">(window\.__remixContext\.streamController[\s\S]*?)<\/script>/g,
  ))
    new Function("window", code)({ __remixContext: { streamController } });
  return { data, isClosed };
}

test("the page contains the manifest of routes as JSON without line breaks", async () => {
  const html = await (await open({}).ask()).text();
  const manifest = /window\.__remixManifest = (.*?);/s.exec(html)?.[1] ?? "";
  expect(manifest).not.toContain("\n");
  expect(JSON.parse(manifest)).toMatchObject({ routes: { page: { id: "page" } } });
});

test("a document in one piece holds the markup and the data of Remix's own", async () => {
  const loader = () => ({
    name: "<b>小雨</b> & </script>\u2028 \\n 'it' \r\n \"x\" \\",
    when: new Date(0),
    list: Array.from({ length: 300 }, (_, i) => `第${i}句`),
  });
  const page = () => <p>{useLoaderData<typeof loader>().name}</p>;
  const own = await (await open({ loader, page }).ask()).text();
  const theirs = await (await open({ loader, page, entry: streamed }).ask()).text();
  const markup = (html: string) => html.slice(0, html.indexOf("</html>"));
  const compact = (text: string) =>
    text
      .replace(/\n */g, "")
      .replaceAll('": ', '":')
      .replace(/"has\w+":false,|,"css":\[\]/g, "");
  expect(compact(markup(own))).toBe(compact(markup(theirs)));
  expect(handedOver(own)).toEqual(handedOver(theirs));
  expect(handedOver(own)).toMatchObject({ isClosed: true, data: expect.stringContaining("小雨") });
});

/** A page that shows what the router knows. */
function RouterState() {
  const { pathname, search, hash } = useLocation();
  const matches = useMatches().map(({ id, pathname: at, data }) => `${id} ${at} ${JSON.stringify(data)}`);
  return (
    <p>
      {[pathname, search, hash, useHref("../other"), ...matches].join()}
      <Link to="/main">main</Link>
    </p>
  );
}

test.each([
  ["data of every kind", () => ({ name: "<b>小雨</b> </script>\u2028", none: undefined, list: [1, [null]] })],
  ["data() without a status", () => data({ a: 1 })],
  ["null", () => null],
  ["text", () => "text"],
])("a page's document is the one that Remix's handler answers: %s", async (_, loader: () => unknown) => {
  const { ask, render } = open({ loader, page: RouterState });
  const html = await (await ask()).text();
  expect(await render()).toBe(html);
  expect(html).toContain("?name=");
});

test("fixed markup is rendered once per name", async () => {
  let renders = 0;
  const Count = () => <b>{++renders}</b>;
  let name: string | null = 'a <">&';
  const root = () => (
    <html lang="zh-CN">
      <body>
        <Fixed name={name}>
          <Count />
        </Fixed>
        <Outlet />
        <Fixed name="scripts">
          <Scripts nonce={nonce} />
        </Fixed>
      </body>
    </html>
  );
  const { ask, render, assets } = open({ root, page: RouterState, loader: () => ({ at: 1 }) });
  const html = await (await ask()).text();
  expect(html).toContain("__remixManifest");
  const counted = (count: number) => html.replace("<b>1</b>", `<b>${count}</b>`);
  expect(await render()).toBe(counted(2));
  let reads = 0;
  Object.defineProperty(assets ?? {}, "version", { enumerable: true, get: () => String(++reads) });
  expect(await render()).toBe(counted(2));
  expect(reads).toBe(0);
  name = "b";
  expect(await render()).toContain("<b>3</b>");
  name = null;
  expect(await render()).toContain("<b>4</b>");
});

/** The attributes of all anchors, in alphabetical order. */
const anchorsIn = (html: string) =>
  [...html.matchAll(/<a ([^>]*)>/g)].map(([, attributes = ""]) => (attributes.match(/[\w-]+="[^"]*"/g) ?? []).sort());

test("links on the server have the attributes of Remix's own", async () => {
  const own = () => (
    <>
      <PageLink aria-label="a" className="b" to="/main/clone?role=1#top" />
      <PageLink discover="none" to="/" />
      <PageNavLink className="tab" discover="none" to="/" />
      <PageNavLink className="tab" to="/main/clone" />
    </>
  );
  const theirs = () => (
    <>
      <Link aria-label="a" className="b" to="/main/clone?role=1#top" />
      <Link discover="none" to="/" />
      <Link aria-current="page" className="tab" discover="none" to="/" />
      <Link className="tab" to="/main/clone" />
    </>
  );
  const [found, wanted] = await Promise.all([own, theirs].map(async (page) => (await open({ page }).ask()).text()));
  expect(anchorsIn(found ?? "")).toEqual(anchorsIn(wanted ?? ""));
  expect(anchorsIn(found ?? "")).toHaveLength(4);
});

class Point {
  x = 1;
}

test.each<[string, Site]>([
  ["an error", { loader: () => Promise.reject(new Error("broken")) }],
  ["a redirect", { loader: () => redirect("/elsewhere") }],
  ["an answer that is thrown", { loader: () => Promise.reject(new Response("gone", { status: 404 })) }],
  ["a status beside the data", { loader: () => data({}, { status: 404 }) }],
  ["no data", { loader: () => undefined }],
  ["a promise in the data", { loader: () => ({ a: { b: Promise.resolve(1) } }) }],
  ["an error in the data", { loader: () => ({ error: new Error("secret") }) }],
  ["an instance of a class", { loader: () => ({ a: [new Point()] }) }],
  ["headers of the page", { headers: () => ({ "x-page": "1" }) }],
  ["a date", { loader: () => ({ when: new Date(0) }) }],
  ["an error of the page", { page: Broken }],
])("%s is left to Remix's handler", async (_, site) => {
  expect((await open(site).render()) ?? null).toBeNull();
});

test("a loader's redirect is answered without a second run of the loaders", async () => {
  let runs = 0;
  const loader = () => {
    runs += 1;
    throw redirect("/user/login");
  };
  const answer = await open({ loader }).render();
  expect(answer).toBeInstanceOf(Response);
  expect((answer as Response).headers.get("location")).toBe("/user/login");
  expect(runs).toBe(1);
});

test.each(["_data=page", "_routes=page", "index"])(
  "a request of Remix's own with %s is left to its handler",
  async (q) => {
    expect(await open({}).render(`http://localhost/?${q}`)).toBeNull();
  },
);

test("a document in one piece has a length, and one without scripts hands nothing over", async () => {
  const answer = await open({ loader: () => ({ secret: 1 }), root: () => <html lang="zh-CN" /> }).ask();
  const html = await answer.text();
  expect(html).toBe('<!DOCTYPE html><html lang="zh-CN"></html>');
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(html)));
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

test("only a promise beside the data defers a page", () => {
  const context = (loaderData: unknown) =>
    ({ staticHandlerContext: { loaderData } }) as Pick<EntryContext, "staticHandlerContext">;
  expect(isDeferred(context({ page: { slow: Promise.resolve(1) } }))).toBe(true);
  for (const data of [{ page: null }, { page: { list: [1] } }, { page: "text" }, null])
    expect(isDeferred(context(data))).toBe(false);
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

test("an error outside every boundary is reported once and answered by the error page", async () => {
  const { ask, reported } = open({ page: Broken });
  const answer = await ask();
  expect([answer.status, reported.length]).toEqual([500, 1]);
  expect(await answer.text()).toContain("<html");
});
