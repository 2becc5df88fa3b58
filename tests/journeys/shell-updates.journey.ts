import type { Page } from "playwright/test";
import { bffPaths } from "~/call";
import { loginCopy } from "~/copy/account";
import { trialCopy } from "~/copy/home";
import { missingFileCopy, offlinePageCopy, servicePageCopy } from "~/copy/pages";
import { uploadCopy } from "~/copy/recording";
import { loadFailureCopy, navCopy, siteCopy, updatesCopy } from "~/copy/site";
import { squareCopy } from "~/copy/square";
import { paths } from "~/paths";
import { filesWith } from "../support/built-files";
import { type Product, startProduct } from "../support/product";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const sentence = "刷新以后，这句话还在。";

const errorPageFile = () => filesWith("dynamically imported|module script");

test.describe("a newer build", () => {
  let product: Product;
  test.beforeAll(async () => {
    product = await startProduct({ BUILD_CHECK_SECONDS: "2" });
  });
  test.afterAll(() => product.stop());

  test("is offered on a visible page and keeps the draft when accepted", async ({ page }) => {
    let asked = 0;
    await page.route(`**${paths.build}`, (route) => {
      asked += 1;
      return route.fulfill({ json: { buildId: asked < 2 ? undefined : "another" } });
    });
    await page.goto(product.url);
    await page.getByLabel(trialCopy.text.label).fill(sentence);
    const bar = page.getByRole("region", { name: updatesCopy.label });
    await expect(bar).toBeVisible();
    expect(asked).toBeGreaterThanOrEqual(2);
    await bar.getByRole("button", { name: updatesCopy.reload }).click();
    await page.waitForLoadState("networkidle");
    await expect(page.getByLabel(trialCopy.text.label)).toHaveValue(sentence);
  });

  test("is not offered for the same build", async ({ page }) => {
    await page.goto(product.url);
    const answer = await page.waitForResponse((response) => response.url().endsWith(paths.build), { timeout: 20_000 });
    expect((await answer.json()).buildId).toMatch(/\w{4,}/);
    await page.waitForTimeout(300);
    await expect(page.getByRole("region", { name: updatesCopy.label })).toHaveCount(0);
  });
});

test.describe("a missing chunk", () => {
  test.use({ allowedErrors: [/.*/] });

  /** The file of a page, once its link has been discovered. */
  async function fileOf(page: Page, id: string): Promise<string> {
    const find = (route: string) =>
      (window as unknown as { __remixManifest: { routes: Record<string, { module: string }> } }).__remixManifest.routes[
        route
      ]?.module;
    await expect.poll(() => page.evaluate(find, id)).toMatch(/\.js$/);
    return `**${await page.evaluate(find, id)}`;
  }

  test("loads the target's document once in ten seconds, keeps drafts and then names the failure", async ({ page }) => {
    await page.goto(paths.home, { waitUntil: "networkidle" });
    await page.getByLabel(trialCopy.text.label).fill(sentence);
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    let asked = 0;
    await page.route(await fileOf(page, "routes/main.square"), (route) =>
      asked++ === 0 ? route.abort() : route.continue(),
    );
    await page.getByRole("navigation").getByRole("link", { name: navCopy.square }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(squareCopy.heading);
    await expect(page).toHaveURL(new RegExp(`${paths.square}$`));
    await expect.poll(() => loads).toBe(1);
    await page.goBack({ waitUntil: "networkidle" });
    await expect(page.getByLabel(trialCopy.text.label)).toHaveValue(sentence);
    await page.route(await fileOf(page, "routes/main.clone"), (route) => route.abort());
    // Independent of the machine's speed, the last reload counts as recent.
    await page.evaluate(() => sessionStorage.setItem("chunk-reloaded-at", String(Date.now())));
    const before = loads;
    await page.getByRole("navigation").getByRole("link", { name: navCopy.clone }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(missingFileCopy.heading(navCopy.clone));
    expect(loads).toBe(before);
  });

  test("or failed data of the terms makes their link in the login load the document", async ({ page }) => {
    await page.goto(paths.login, { waitUntil: "networkidle" });
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    await page.route(`**${paths.service}.data*`, (route) => route.abort());
    await page.getByRole("link", { name: loginCopy.terms }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(servicePageCopy.title);
    await expect(page).toHaveURL(new RegExp(`${paths.service}$`));
    await expect.poll(() => loads).toBe(1);
    await page.goto(paths.login, { waitUntil: "networkidle" });
    await page.unroute(`**${paths.service}.data*`);
    loads = 0;
    await page.getByRole("link", { name: loginCopy.terms }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(servicePageCopy.title);
    expect(loads).toBe(0);
  });
});

test.describe("a missing lazy part", () => {
  test.use({ allowedErrors: [/.*/] });

  test("is reported beside its button and loads on a retry without a page reload", async ({ page }) => {
    const dialogFile = filesWith("one-time-code");
    await page.route(dialogFile, (route) => route.abort());
    await page.goto(paths.home, { waitUntil: "networkidle" });
    await page.getByLabel(trialCopy.text.label).fill(sentence);
    await page.getByRole("link", { name: siteCopy.login, exact: true }).click();
    const failure = page.getByRole("alert").filter({ hasText: loadFailureCopy.sentence });
    await expect(failure).toBeVisible();
    await expect(failure.getByRole("button", { name: loadFailureCopy.retry })).toBeFocused();
    await expectAccessible(page, "lost dialog");
    await expect(page.getByLabel(trialCopy.text.label)).toHaveValue(sentence);
    await failure.getByRole("button", { name: loadFailureCopy.close }).click();
    await expect(failure).toHaveCount(0);
    await page.getByRole("link", { name: siteCopy.login, exact: true }).click();
    await expect(failure).toBeVisible();
    await page.unroute(dialogFile);
    await failure.getByRole("button", { name: loadFailureCopy.retry }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  });

  test("is reported in its place where it is no dialog", async ({ page }) => {
    const panelFile = /\/assets\/reference-panel-[\w-]+\.js$/;
    await page.route(panelFile, (route) => route.abort());
    await page.goto(paths.home, { waitUntil: "networkidle" });
    const card = page.getByRole("region", { name: trialCopy.label });
    await card.getByRole("radio", { name: trialCopy.voice.sources.upload }).check({ force: true });
    await expect(card.getByRole("alert")).toContainText(loadFailureCopy.sentence);
    await card.getByRole("button", { name: loadFailureCopy.retry }).click();
    await expect(card.getByRole("button", { name: loadFailureCopy.reload })).toBeVisible();
    await expectAccessible(page, "lost panel");
    await page.unroute(panelFile);
    await card.getByRole("button", { name: loadFailureCopy.retry }).click();
    await expect(card.getByText(uploadCopy.formats)).toBeVisible();
  });

  test("is preloaded once the page is idle", async ({ page, context }) => {
    const loaded = page.waitForResponse((response) => filesWith("one-time-code").test(response.url()), {
      timeout: 60_000,
    });
    await page.goto(paths.home, { waitUntil: "networkidle" });
    await (await loaded).finished();
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await page.getByRole("link", { name: siteCopy.login, exact: true }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  });
});

test.describe("offline", () => {
  test.use({
    allowedErrors: [
      /ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource|fetch|loading route module|a part of the page did not load/,
    ],
  });

  test("the page reports it from its first seconds on, stays when a link is pressed, and goes on later", async ({
    page,
    context,
  }) => {
    await page.goto(paths.square, { waitUntil: "networkidle" });
    await context.setOffline(true);
    await expect(page.getByText(updatesCopy.offline)).toBeVisible();
    await page.getByRole("navigation").getByRole("link", { name: navCopy.home, exact: true }).click();
    await expect(page.getByText(updatesCopy.stays)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(squareCopy.heading);
    await context.setOffline(false);
    await expect(page.getByText(updatesCopy.offline)).toHaveCount(0);
    await page.getByRole("navigation").getByRole("link", { name: navCopy.home, exact: true }).click();
    await expect(page).toHaveURL(paths.home);
  });
});

test.describe("a document without the network", () => {
  test.use({ allowedErrors: [/ERR_INTERNET_DISCONNECTED/], serviceWorkers: "allow" });

  test("is the offline page, which gives way to the wanted page when the network is back", async ({
    page,
    context,
  }) => {
    await page.goto(paths.service, { waitUntil: "networkidle" });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await context.setOffline(true);
    await page.goto(paths.square);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(offlinePageCopy.heading);
    await expectAccessible(page, "offline page");
    await expect(page.getByRole("link", { name: offlinePageCopy.again })).toHaveAttribute("href", "");
    await context.setOffline(false);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(squareCopy.heading);
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const stored = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return stored.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toEqual([paths.offline]);
  });
});

test.describe("a lost page without the error page", () => {
  test.use({ allowedErrors: [/.*/] });

  test("a press or the returning network restores the page", async ({ page }) => {
    const lost = [errorPageFile(), `**${paths.square}.data*`];
    for (const file of lost) await page.route(file, (route) => route.abort());
    await page.goto(paths.home, { waitUntil: "networkidle" });
    await page.getByRole("navigation").getByRole("link", { name: navCopy.square, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(loadFailureCopy.sentence);
    await expect(page.getByRole("button", { name: siteCopy.again })).toBeVisible();
    for (const file of lost) await page.unroute(file);
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(squareCopy.heading);
  });
});

test("a trial whose answer was lost is shown once and counted once", async ({ page }) => {
  await page.goto(paths.home, { waitUntil: "networkidle" });
  const card = page.getByRole("region", { name: trialCopy.label });
  await card.getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card.getByRole("group", { name: trialCopy.voice.samples }).getByRole("radio").first().check({ force: true });
  await card.getByLabel(trialCopy.text.label).fill("这一次只算一次。");
  let calls = 0;
  await page.route(`**${bffPaths.trials}`, async (route) => {
    calls += 1;
    if (calls > 1) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await card.getByRole("button", { name: trialCopy.go }).click();
  await expect(card.getByText(trialCopy.left(2))).toBeVisible();
  expect(calls).toBe(2);
});
test.use({ allowedErrors: [/ERR_CONNECTION_RESET/] });
