import type { Page } from "playwright/test";
import { bffPaths } from "~/call";
import { navCopy, updatesCopy } from "~/copy/site";
import { subscribePageCopy } from "~/copy/subscribe";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { type Product, startProduct } from "../support/product";
import { expect, test } from "./fixtures";
import { iconService, queues, stubVendors, toldDeeds } from "./vendors";

const baiduId = "0123456789abcdef0123456789abcdef";
const gtagId = "G-TEST123456";
const { consent } = updatesCopy;

let product: Product;
test.beforeAll(async () => {
  product = await startProduct({
    ANALYTICS_BAIDU_ID: baiduId,
    ANALYTICS_BAIDU_TAGS: "5001,5002,5003",
    ANALYTICS_GTAG_ID: gtagId,
    ICON_SERVICE_URL: iconService,
  });
});
test.afterAll(() => product.stop());

const bar = (page: Page) => page.getByRole("region", { name: consent.label });

test("no vendor script loads before consent or after a refusal", async ({ page }) => {
  const loaded = await stubVendors(page);
  await page.goto(product.url, { waitUntil: "networkidle" });
  await bar(page).getByRole("button", { name: consent.no }).click();
  await expect(bar(page)).toHaveCount(0);
  await page.reload({ waitUntil: "networkidle" });
  await expect(bar(page)).toHaveCount(0);
  expect(loaded).toEqual([]);
  expect(await queues(page)).toEqual({ hmt: null, gtag: undefined, ran: 0 });
});

test("both vendors' queues receive page views, tags and events in their formats", async ({ page }) => {
  const loaded = await stubVendors(page);
  await page.goto(product.url, { waitUntil: "networkidle" });
  await bar(page).getByRole("button", { name: consent.yes }).click();
  await expect.poll(async () => (await queues(page)).ran).toBe(2);
  expect(loaded.sort()).toEqual([
    `https://hm.baidu.com/hm.js?${baiduId}`,
    `https://www.googletagmanager.com/gtag/js?id=${gtagId}`,
  ]);
  const main = page.getByRole("navigation").getByRole("link", { name: navCopy.square, exact: true });
  await main.click();
  await expect(page).toHaveURL(new RegExp(`${paths.square}$`));
  await expect.poll(async () => (await queues(page)).hmt).toContainEqual(["_trackPageview", paths.square]);
  const { hmt, gtag } = await queues(page);
  expect(hmt?.[0]).toEqual(["_setAutoPageview", false]);
  expect(hmt?.filter(([command]) => command === "_trackPageview")).toEqual([
    ["_trackPageview", "/"],
    ["_trackPageview", paths.square],
  ]);
  expect(hmt).toContainEqual(["_setUserTag", "5001", "游客"]);
  expect(gtag?.every(([kind]) => kind === "[object Arguments]")).toBe(true);
  expect(gtag).toContainEqual(["[object Arguments]", "config", gtagId, { send_page_view: false }]);
  expect(gtag).toContainEqual([
    "[object Arguments]",
    "event",
    "page_view",
    expect.objectContaining({ page_path: paths.square, page_location: product.url + paths.square }),
  ]);
  expect(gtag).toContainEqual([
    "[object Arguments]",
    "set",
    "user_properties",
    { tier: "游客", expiry: "", phone: "" },
  ]);
});

test("events report login, order, payment and clone with a masked phone", async ({ page }) => {
  await stubVendors(page);
  const phone = await logInByRequest(page.request, product.url);
  await page.addInitScript(() => {
    localStorage.setItem("analytics-consent", "yes");
    sessionStorage.setItem("event-before-reload", "login");
  });
  await page.goto(product.url, { waitUntil: "networkidle" });
  const masked = `${phone.slice(0, 3)}****${phone.slice(-4)}`;
  await expect.poll(async () => (await queues(page)).hmt).toContainEqual(["_setUserTag", "5003", masked]);
  const { hmt, gtag } = await queues(page);
  expect(hmt).toContainEqual(["_trackEvent", "product", "login", ""]);
  expect(gtag).toContainEqual(["[object Arguments]", "event", "login", {}]);
  expect(JSON.stringify([hmt, gtag])).not.toContain(phone);

  await page.goto(product.url + paths.clone, { waitUntil: "networkidle" });
  const events = () => toldDeeds(page);
  await expect.poll(async () => (await queues(page)).ran).toBe(2);
  const { voices } = await (await page.request.get(`${product.url}${bffPaths.squareVoices}?page=1`)).json();
  await page.request.post(product.url + bffPaths.clones, {
    data: { content: "数一数。", roleId: voices[0].roleId },
    headers: { origin: product.url },
  });
  await expect.poll(events).toContainEqual(["generated", { where: "clone" }]);
  await page.goto(product.url + paths.subscribe, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }).click();
  await expect.poll(events).toContainEqual(["order_created", { package: "svip-month", yuan: 99 }]);
  const cashierPath = await page.getByRole("dialog").getByRole("link").first().getAttribute("href");
  const headers = { origin: product.url };
  await page.request.post(`${product.url}${cashierPath}.data`, { form: { lever: "pay" }, headers });
  await expect.poll(events).toContainEqual(["paid", { package: "svip-month" }]);
});

test("icons come from the site's own endpoint when the configured service times out", async ({ page }) => {
  await stubVendors(page);
  let asked = 0;
  await page.route(`${iconService}/**`, () => {
    asked += 1;
  });
  const answer = await page.goto(product.url + paths.service, { waitUntil: "load" });
  expect(answer?.headers()["content-security-policy"]).toContain(iconService);
  const icon = page.getByRole("contentinfo").locator("[data-icon]").first();
  await icon.scrollIntoViewIfNeeded();
  await expect(icon).toHaveCSS("mask-image", /svg/, { timeout: 20_000 });
  expect(asked).toBeGreaterThan(0);
});

test("without ids the page asks no consent and its policy allows no vendor", async ({ page, productUrl }) => {
  const answer = await page.goto(productUrl, { waitUntil: "networkidle" });
  expect(answer?.headers()["content-security-policy"]).not.toMatch(/baidu|google/);
  await page.waitForTimeout(4500);
  await expect(bar(page)).toHaveCount(0);
});
