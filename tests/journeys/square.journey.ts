import type { Page } from "playwright/test";
import { errorSentences } from "~/copy/errors";
import { humanCardCopy } from "~/copy/site";
import { reportCopy, squareCopy } from "~/copy/square";
import { pageSize } from "~/features/square/filter";
import { paths } from "~/paths";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const cards = (page: Page) => page.getByRole("list", { name: squareCopy.results }).getByRole("article");
const open = (page: Page, query = "") => page.goto(paths.square + query, { waitUntil: "networkidle" });
const top = (page: Page) => page.evaluate(() => window.scrollY);

async function scrollToEnd(page: Page) {
  await expect(async () => {
    await page.mouse.wheel(0, 3000);
    await expect(page.getByText(/^已显示全部/)).toBeInViewport({ timeout: 300 });
  }).toPass({ timeout: 20_000 });
}

test("the square loads to its end by scrolling, and Back and a reload restore it", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 400 });
  await open(page);
  await expect(cards(page)).toHaveCount(pageSize);
  await scrollToEnd(page);
  const all = await cards(page).count();
  expect(all).toBeGreaterThan(pageSize);
  await expect(page.getByText(squareCopy.end(all))).toBeVisible();
  const last = cards(page).last();
  await last.scrollIntoViewIfNeeded();
  const before = await top(page);
  expect(before).toBeGreaterThan(500);

  await last.getByRole("link", { name: squareCopy.use }).click();
  // The page has adopted the voice and removed it from the address.
  await expect(page).toHaveURL(new RegExp(`${paths.clone}$`));
  await page.goBack();
  await expect(cards(page)).toHaveCount(all);
  await expect.poll(async () => Math.abs((await top(page)) - before)).toBeLessThan(40);

  await page.reload({ waitUntil: "networkidle" });
  await expect(cards(page)).toHaveCount(all);
  await expect.poll(async () => Math.abs((await top(page)) - before)).toBeLessThan(40);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a link leads to the next page and another one back", async ({ page }) => {
    await open(page);
    await page.getByRole("link", { name: squareCopy.more }).click();
    await expect(page).toHaveURL(/page=2/);
    expect(await cards(page).count()).toBeGreaterThan(0);
    await page.getByRole("link", { name: squareCopy.previous }).click();
    await expect(cards(page)).toHaveCount(pageSize);
  });
});

test("the keyboard filters by words, category, gender, language and order, and an empty result offers a reset", async ({
  page,
}) => {
  await open(page);
  await page.getByRole("searchbox", { name: squareCopy.search }).focus();
  await page.keyboard.type("纪实");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/keyword=/);
  await expect(cards(page).first()).toContainText("纪实");
  await page.getByRole("combobox", { name: squareCopy.language }).selectOption("en");
  await expect(page.getByRole("heading", { name: squareCopy.nothingFound.heading })).toBeVisible();
  await expectAccessible(page, "nothing found");
  await page.getByRole("link", { name: squareCopy.nothingFound.action }).focus();
  await page.keyboard.press("Enter");
  // The next page comes by itself where the end of the first is in sight.
  await expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(pageSize);
  await page.getByRole("combobox", { name: squareCopy.gender }).selectOption("female");
  await expect(page).toHaveURL(/gender=female/);
  await page.getByRole("combobox", { name: squareCopy.sort }).selectOption("name");
  await expect(page).toHaveURL(/sort=name/);
  await page.getByRole("link", { name: squareCopy.categories[0], exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/category=/);
  await expect(page).toHaveURL(/gender=female/);
});

test("words filter as they are typed, the count is said, and Back undoes the whole search", async ({ page }) => {
  await open(page);
  const search = page.getByRole("searchbox", { name: squareCopy.search });
  await search.pressSequentially("纪");
  await expect(page).toHaveURL(/keyword=%E7%BA%AA&/);
  await search.pressSequentially("实");
  await expect(page).toHaveURL(/keyword=%E7%BA%AA%E5%AE%9E&/);
  await expect(search).toBeFocused();
  const found = await cards(page).count();
  expect(found).toBeLessThan(pageSize);
  await expect(page.getByRole("status").filter({ hasText: squareCopy.count(found) })).toHaveCount(1);
  const hasAll = () => expect.poll(() => cards(page).count()).toBeGreaterThanOrEqual(pageSize);
  await search.fill("");
  await hasAll();
  await search.pressSequentially("纪实");
  await expect(cards(page)).toHaveCount(found);
  await page.goBack();
  await hasAll();
  await expect(search).toHaveValue("");
});

test.describe("when the next page fails", () => {
  test.use({ allowedErrors: [/502|Failed to load/] });

  test("the square reports it and continues on a press", async ({ page }) => {
    await page.route("**/bff/square**", (route) => route.fulfill({ status: 502, body: "{}" }));
    await open(page);
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await expect(page.getByText(errorSentences["request-failed"])).toBeVisible();
    await expectAccessible(page, "more failed");
    await page.unroute("**/bff/square**");
    await page.route("**/bff/square**", (route) => route.abort());
    await page.getByRole("link", { name: squareCopy.retry }).press("Enter");
    await expect(page.getByText(errorSentences.network)).toBeVisible();
    await page.unroute("**/bff/square**");
    await page.getByRole("link", { name: squareCopy.retry }).press("Enter");
    await expect.poll(() => cards(page).count()).toBeGreaterThan(pageSize);
  });
});

test.describe("a drawn portrait that does not load", () => {
  test.use({ allowedErrors: [/503/] });

  test("is reported once with its status, and the initial takes its place", async ({ page }) => {
    await page.route("**/portrait?**", (route) => route.fulfill({ status: 503 }));
    await open(page);
    await expect(page.getByText(humanCardCopy.pictureFailed(503))).toHaveCount(1);
    const card = page.getByRole("article").first();
    await expect(card.locator("img")).toHaveCount(0);
    const [initial = ""] = await card.getByRole("heading").innerText();
    await expect(card.locator(".human-picture")).toHaveText(initial);
  });
});

for (const width of [360, 1280]) {
  test(`a visitor reports a digital human by keyboard, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 780 });
    await open(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const name = (await cards(page).last().getByRole("heading").textContent()) ?? "";
    const more = page.getByRole("button", { name: squareCopy.menu(name) });
    const openReport = async () => {
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: reportCopy.go }).press("Enter");
    };
    await more.focus();
    await openReport();
    const dialog = page.getByRole("dialog", { name: reportCopy.title(name) });
    await expect(dialog).toBeVisible();
    await expectAccessible(page, "report");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(more).toBeFocused();
    await openReport();
    await dialog.getByRole("radio").first().focus();
    await page.keyboard.press("ArrowDown");
    await expect(dialog.getByRole("radio", { name: reportCopy.reasons[1] })).toBeChecked();
    await dialog.getByRole("button", { name: reportCopy.go, exact: true }).press("Enter");
    await expect(page.locator(".Toastify__toast").filter({ hasText: reportCopy.thanks })).toBeVisible();
    await expect(page.getByRole("heading", { name, exact: true })).toHaveCount(0);
  });
}
