import { afterEach, beforeEach, expect, test, vi } from "vitest";

const own = "https://site.test";
const remote = "https://icons.test";
const atOwn = `${own}/icons/lucide.json`;
const atRemote = `${remote}/lucide.json`;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal("window", { location: { origin: own } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const drawn = () =>
  Response.json({ prefix: "lucide", icons: { headset: { body: '<path d="M1 (2)"/>' } }, width: 24, height: 24 });

/** Loads an icon; returns the addresses requested, in order, and the image. */
async function load(service: string | null, answerRemote: () => Promise<Response>) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url.slice(0, url.indexOf("?")));
    return url.startsWith(own) ? drawn() : answerRemote();
  });
  const { loadIcon } = await import("./load-icon");
  let image: string | null = null;
  void loadIcon("lucide:headset", service).then((loaded) => {
    image = loaded;
  });
  return { asked, image: () => image };
}

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M1 (2)"/></svg>';

test("the external icon service has 1,500 ms before the site's own service answers", async () => {
  const { asked, image } = await load(remote, () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(1490);
  expect([asked, image()]).toEqual([[atRemote], null]);
  await vi.advanceTimersByTimeAsync(60);
  expect(asked).toEqual([atRemote, atOwn]);
  expect(decodeURIComponent(image() ?? "")).toBe(`data:image/svg+xml,${drawing}`);
});

test("the site's own service answers at once if the external service fails or lacks the icon", async () => {
  for (const answer of [new Response(null, { status: 503 }), Response.json({ icons: {} })]) {
    vi.resetModules();
    const { asked, image } = await load(remote, async () => answer);
    await vi.advanceTimersByTimeAsync(100);
    expect(asked).toEqual([atRemote, atOwn]);
    expect(image()).not.toBeNull();
  }
});

test("only the external service is requested if it answers", async () => {
  const { asked, image } = await load(remote, async () => drawn());
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toEqual([atRemote]);
  expect(image()).not.toMatch(/["'() <>]/);
});

test("only the site's own service is requested if no external one is configured", async () => {
  const { asked } = await load(null, () => Promise.reject(new Error("not configured")));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual([atOwn]);
});
