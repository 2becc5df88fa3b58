import { createRequire } from "node:module";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const own = "https://site.test";
const remote = "https://icons.test";

/** Iconify caches which service answered last: each test uses its own provider. */
function freshLibrary() {
  const require = createRequire(import.meta.url);
  delete require.cache[require.resolve("@iconify/react")];
  return require("@iconify/react");
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.doMock("@iconify/react", freshLibrary);
  vi.stubGlobal("window", { location: { origin: own } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function drawn(url: string) {
  const [prefix, icon] = [/(\w+)\.json/.exec(url)?.[1] ?? "", new URL(url).searchParams.get("icons") ?? ""];
  return Response.json({ prefix, icons: { [icon]: { body: "<path/>" } }, width: 24, height: 24 });
}

/** Loads an icon; returns the hosts requested, in order, and the icon. */
async function askFor(name: string, service: string | null, answerRemote: (url: string) => Promise<Response>) {
  const asked: string[] = [];
  (await import("./icon-service")).setIconService(service);
  await import("./iconify");
  const { _api, loadIcon } = await import("@iconify/react");
  _api.setFetch((async (url: string) => {
    asked.push(url.slice(0, url.indexOf("?")));
    return url.startsWith(own) ? drawn(url) : answerRemote(url);
  }) as typeof fetch);
  let found: unknown = null;
  void loadIcon(`lucide:${name}`).then((icon) => {
    found = icon;
  });
  return { asked, found: () => found };
}

const atOwn = `${own}/icons/lucide.json`;
const atRemote = `${remote}/lucide.json`;

test("the external icon service has 1,500 ms before the site's own service answers", async () => {
  const { asked, found } = await askFor("slow", remote, () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(1490);
  expect([asked, found()]).toEqual([[atRemote], null]);
  await vi.advanceTimersByTimeAsync(60);
  expect(asked).toEqual([atRemote, atOwn]);
  expect(found()).toMatchObject({ body: "<path/>" });
});

test("the site's own service answers at once if the external service fails", async () => {
  const { asked, found } = await askFor("broken", remote, async () => new Response(null, { status: 503 }));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual([atRemote, atOwn]);
  expect(found()).toMatchObject({ body: "<path/>" });
});

test("only the external service is requested if it answers", async () => {
  const { asked, found } = await askFor("quick", remote, async (url) => drawn(url));
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toEqual([atRemote]);
  expect(found()).toMatchObject({ body: "<path/>" });
});

test("only the site's own service is requested if no external one is configured", async () => {
  const { asked } = await askFor("own", null, () => Promise.reject(new Error("nobody")));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual([atOwn]);
});
