import { noScriptCopy, rolePageCopy, servicePageCopy } from "~/copy/pages";
import { homeTitle, siteCopy, tabBarCopy } from "~/copy/site";
import { paths } from "~/paths";
import { dark, light } from "~/ui/palette";
import { expect, test } from "./fixtures";

const phone =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";

test("every page has its title, description and share image", async ({ request, productUrl }) => {
  for (const path of [paths.home, paths.square, paths.service, paths.role]) {
    const html = await (await request.get(path)).text();
    expect(html, path).toContain(`<link href="${productUrl}${path}" rel="canonical"/>`);
    expect(html, path).toContain(`property="og:image"`);
    for (const property of ["og:title", "og:description", "og:site_name", "og:url"]) {
      expect(html, `${path} ${property}`).toContain(`property="${property}"`);
    }
  }
  const picture = await request.get("/og.png");
  expect(picture.headers()["content-type"]).toBe("image/png");
  const bytes = await picture.body();
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
});

test("pages name the site in their titles, except where the specification gives the title", async ({ request }) => {
  const titleOf = async (path: string) => /<title>([^<]*)<\/title>/.exec(await (await request.get(path)).text())?.[1];
  expect(await titleOf(paths.role)).toBe(rolePageCopy.title);
  expect(await titleOf(paths.service)).toBe(servicePageCopy.title);
  expect(await titleOf(paths.home)).toBe(homeTitle("声像"));
  for (const path of [
    paths.clone,
    paths.dubbing,
    paths.slides,
    paths.square,
    paths.subscribe,
    paths.login,
    paths.verify,
  ])
    expect(await titleOf(path), path).toMatch(/^.+ · 声像$/);
});

test("the home page describes the product to search engines", async ({ request }) => {
  const html = await (await request.get(paths.home)).text();
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? "{}";
  expect(JSON.parse(json)).toMatchObject({ "@type": "WebApplication", name: "声像", inLanguage: "zh-CN" });
});

test("the browser's own bars have the paper's colour in every mode, and prints are light", async ({ page }) => {
  const colours = () =>
    page.locator('meta[name="theme-color"]').evaluateAll((all) => all.map((one) => one.getAttribute("content")));
  await page.goto(paths.service, { waitUntil: "networkidle" });
  expect(await colours()).toEqual([light.paper, dark.paper]);
  const { label, system, light: lightName, dark: darkName } = siteCopy.colorMode;
  const press = async (now: string, next: string) => {
    const saved = page.waitForResponse((response) => response.url().endsWith(paths.colorMode));
    await page.getByRole("button", { name: label(now, next) }).click();
    await saved;
  };
  await press(system, lightName);
  await expect.poll(colours).toEqual([light.paper, light.paper]);
  await press(lightName, darkName);
  await expect.poll(colours).toEqual([dark.paper, dark.paper]);
  await page.reload();
  expect(await colours()).toEqual([dark.paper, dark.paper]);
  const ink = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--ink"));
  expect(await ink()).toBe(dark.ink);
  await page.emulateMedia({ media: "print" });
  expect(await ink(), "on paper").toBe(light.ink);
  await page.emulateMedia({ media: "screen" });
  await press(darkName, system);
  await expect.poll(colours).toEqual([light.paper, dark.paper]);
});

test("a printed page has its text and no bars or buttons", async ({ page }) => {
  await page.goto(paths.subscribe, { waitUntil: "networkidle" });
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("table")).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
});

test("role, dubbing and slides state that they need JavaScript", async ({ request }) => {
  for (const [path, sentence] of [
    [paths.role, noScriptCopy.role],
    [paths.dubbing, noScriptCopy.dubbing],
    [paths.slides, noScriptCopy.slides],
  ] as const) {
    const html = await (await request.get(path)).text();
    expect(/<noscript>(.*?)<\/noscript>/s.exec(html)?.[1], path).toContain(sentence);
  }
});

test("no page contains a zero byte or a broken character at a chunk border", async ({ request }) => {
  const pages = [
    paths.home,
    `${paths.square}?language=zh`,
    `${paths.square}?keyword=中年`,
    paths.clone,
    paths.dubbing,
    paths.slides,
    paths.role,
    paths.service,
    paths.subscribe,
    paths.login,
    paths.verify,
    paths.notFound,
  ];
  for (const path of pages) {
    for (let shift = 1; shift <= 12; shift++) {
      const address = `${path}${path.includes("?") ? "&" : "?"}shift=${"x".repeat(shift)}`;
      expect(await (await request.get(address)).text(), address).not.toMatch(/[\0\uFFFD]/);
    }
  }
});

test("robots, sitemap and manifest contain the site's address and name", async ({ request, productUrl }) => {
  const robots = await (await request.get("/robots.txt")).text();
  expect(robots).toContain(`Sitemap: ${productUrl}${paths.sitemap}`);
  const sitemap = await (await request.get(paths.sitemap)).text();
  const places = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1] ?? "");
  expect(places).toContain(productUrl + paths.square);
  const barred = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map((match) => productUrl + match[1]);
  expect(places.filter((place) => barred.some((start) => place.startsWith(start)))).toEqual([]);
  expect(barred.filter((start) => `${productUrl}${paths.login}`.startsWith(start))).toEqual([]);
  for (const place of places) expect((await request.get(place)).status(), place).toBe(200);
  const manifest = await (await request.get(paths.manifest)).json();
  expect(manifest).toMatchObject({ name: "声像", start_url: "/", lang: "zh-CN" });
  for (const { src } of manifest.icons) expect((await request.get(src)).status(), src).toBe(200);
});

test("scripts are served precompressed and immutable", async ({ request }) => {
  const html = await (await request.get(paths.home)).text();
  const script = /\/assets\/root-[\w-]+\.js/.exec(html)?.[0] ?? "";
  const answer = await request.get(script, { headers: { "accept-encoding": "br" } });
  expect(answer.headers()).toMatchObject({
    "content-encoding": "br",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(answer.headers()["content-length"]).toBeTruthy();
  expect(await answer.text()).toContain("import");
});

test("icons come from the site's own endpoint in Iconify's format", async ({ page, request }) => {
  const answer = await request.get("/icons/lucide.json?icons=headset,no-such-icon");
  expect(answer.headers()["cache-control"]).toContain("immutable");
  expect(await answer.json()).toMatchObject({ prefix: "lucide", not_found: ["no-such-icon"] });
  expect((await request.get("/icons/mdi.json?icons=home")).status()).toBe(404);
  await page.goto(paths.service, { waitUntil: "networkidle" });
  const shelf = page.getByRole("contentinfo").locator("[data-icon]").first();
  const before = await shelf.boundingBox();
  await shelf.scrollIntoViewIfNeeded();
  await expect(shelf).toHaveCSS("mask-image", /svg/);
  expect((await shelf.boundingBox())?.width).toBe(before?.width);
});

test.describe("on a phone", () => {
  test.use({ userAgent: phone, viewport: { width: 390, height: 780 }, javaScriptEnabled: false });

  test("the first paint has the phone layout before scripts run", async ({ page }) => {
    await page.goto(paths.home);
    await expect(page.getByRole("navigation", { name: siteCopy.tabNav }).getByText(tabBarCopy.dubbing)).toBeVisible();
    await expect(page.getByRole("navigation", { name: siteCopy.mainNav })).toBeHidden();
    await expect(page).toHaveTitle(homeTitle("声像"));
  });
});

test("the colours follow the system until the visitor chooses a mode", async ({ page, context, productUrl }) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(paths.home, { waitUntil: "networkidle" });
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(paper).not.toBe(light);
  const { label, system, light: lightName } = siteCopy.colorMode;
  const kept = page.waitForResponse((response) => response.url().endsWith(paths.colorMode));
  await page.getByRole("button", { name: label(system, lightName) }).click();
  await kept;
  await expect.poll(paper).toBe(light);
  const cookie = (await context.cookies(productUrl)).find(({ name }) => name === "color-mode");
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(355.9);
  expect(days).toBeLessThan(356.1);
  // The next page is light before scripts run, although the system is dark.
  const html = await (await page.request.get(paths.home)).text();
  expect(html).toContain('data-theme="light"');
});

test("forced colours keep icons, the borders of buttons and the chosen option visible", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(paths.home, { waitUntil: "networkidle" });
  const colour = (selector: string, name: "backgroundColor" | "borderTopWidth") =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element)[name], name);
  const paper = await colour("body", "backgroundColor");
  expect(await colour("main .btn-primary", "borderTopWidth")).toBe("1px");
  for (const chosen of ["[aria-current=page]", ".radio-pill:has(:checked)", ".chip[aria-pressed=true] > span"])
    expect.soft(await colour(chosen, "backgroundColor"), chosen).not.toBe(paper);
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await expect(page.locator("footer [data-icon]").first()).toHaveCSS("mask-image", /svg/);
  expect(await colour("footer [data-icon]", "backgroundColor")).not.toBe(paper);
});

test("the headline has one line for each of its clauses on a tablet", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto(paths.home);
  const lines = await page.getByRole("heading", { level: 1 }).evaluate((heading) => {
    const { height } = heading.getBoundingClientRect();
    return height / Number.parseFloat(getComputedStyle(heading).lineHeight);
  });
  expect(Math.round(lines)).toBe(2);
});
