import type { Page } from "playwright/test";
import { accountCopy, loginCopy } from "~/copy/account";
import { maskPhone } from "~/copy/format";
import { announcementCopy, confirmCopy, serviceCopy, siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { type Product, startProduct } from "../support/product";
import { expect, test } from "./fixtures";

const button = (page: Page) => page.getByRole("button", { name: serviceCopy.open });
const floating = (page: Page) => page.getByRole("region", { name: serviceCopy.region, exact: true });
const panel = (page: Page) => page.getByRole("dialog", { name: serviceCopy.title });

async function boxOf(page: Page) {
  const box = await floating(page).boundingBox();
  if (!box) throw new Error("The service button does not show");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

async function openLoggedIn(page: Page, origin: string, path: string = paths.service) {
  const phone = await logInByRequest(page.request, origin);
  await page.goto(origin + path, { waitUntil: "networkidle" });
  return phone;
}

test.describe("the customer-service button", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("is visible on desktops and to members only", async ({ page, productUrl }) => {
    await page.goto(paths.service, { waitUntil: "networkidle" });
    await expect(button(page)).toHaveCount(0);
    await openLoggedIn(page, productUrl);
    await expect(button(page)).toBeVisible();
    await page.setViewportSize({ width: 360, height: 800 });
    await expect(button(page)).toHaveCount(0);
    for (const width of [1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(button(page)).toBeVisible();
    }
  });

  test("starts in the corner, follows pointer and keys and stays inside the window", async ({ page, productUrl }) => {
    await openLoggedIn(page, productUrl);
    await expect(button(page)).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.clientWidth);
    const start = await boxOf(page);
    expect([width - start.right, 800 - start.bottom]).toEqual([20, 20]);

    await button(page).hover();
    await page.mouse.down();
    await page.mouse.move(700, 400, { steps: 5 });
    await page.mouse.up();
    const dragged = await boxOf(page);
    expect(dragged.x).toBeLessThan(start.x - 400);
    expect(dragged.y).toBeLessThan(start.y - 200);
    await expect(panel(page)).toHaveCount(0); // a drag is no press

    await button(page).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowUp");
    const stepped = await boxOf(page);
    expect([dragged.x - stepped.x, dragged.y - stepped.y]).toEqual([20, 20]);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.reload({ waitUntil: "networkidle" });
    await expect.poll(() => boxOf(page)).toEqual(stepped);

    await button(page).hover();
    await page.mouse.down();
    await page.mouse.move(-300, -300, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => boxOf(page)).toMatchObject({ x: 0, y: 0 });
    await page.setViewportSize({ width: 1100, height: 420 });
    await expect
      .poll(async () => {
        const { x, y, right, bottom } = await boxOf(page);
        return x >= 0 && y >= 0 && right <= 1100 && bottom <= 420;
      })
      .toBe(true);
  });

  test("opens the contact panel, returns the focus and stays closed for the session", async ({ page, productUrl }) => {
    await openLoggedIn(page, productUrl);
    await button(page).focus();
    await page.keyboard.press("Enter");
    await expect(panel(page)).toContainText(serviceCopy.demo);
    const code = panel(page).getByRole("img", { name: serviceCopy.qr });
    await expect.poll(() => code.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)).toBe(true);
    await page.keyboard.press("Escape");
    await expect(panel(page)).toHaveCount(0);
    await expect(button(page)).toBeFocused();
    await page.getByRole("button", { name: serviceCopy.hide }).click();
    await expect(button(page)).toHaveCount(0);
    await page.reload({ waitUntil: "networkidle" });
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("/service-button-")),
    );
    await page.waitForTimeout(1000);
    await expect(button(page)).toHaveCount(0);
  });
});

test("a confirmation has the specified defaults, replaces the open dialog and returns the focus", async ({
  page,
  productUrl,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const phone = await openLoggedIn(page, productUrl);
  const menu = page.getByRole("button", { name: `${accountCopy.label} ${maskPhone(phone)}` });
  await menu.click();
  await page.getByRole("button", { name: accountCopy.logOut }).click();
  const question = page.getByRole("alertdialog", { name: accountCopy.leaving.title });
  await expect(question).toContainText(accountCopy.leaving.text);
  await expect(page.getByRole("dialog").or(page.getByRole("alertdialog"))).toHaveCount(1);
  await question.getByRole("button", { name: confirmCopy.cancel }).click();
  await expect(question).toHaveCount(0);
  await expect(menu).toBeFocused();
});

test("toasts stack below the header, cover no dialog button and close on a press", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(paths.home, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: siteCopy.login, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: loginCopy.title });
  await dialog.getByLabel(loginCopy.phone, { exact: true }).fill("13800000000");
  await dialog.getByLabel(loginCopy.code, { exact: true }).press("Enter");
  await dialog.getByLabel(loginCopy.code, { exact: true }).press("Enter");
  const notices = page.locator(".Toastify__toast");
  await expect(notices).toHaveCount(2);
  for (const notice of await notices.all()) {
    await expect(notice).toContainText(loginCopy.notice.codeNotSent);
    const box = await notice.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1200);
    expect(box?.y ?? 999).toBeLessThan(300);
    const header = await page.locator("header").boundingBox();
    expect(box?.y).toBeGreaterThan(header?.height ?? 999);
  }
  for (const action of await dialog.getByRole("button").all()) {
    const box = await action.boundingBox();
    if (!box) continue;
    const isOnTop = await action.evaluate((element, [x, y]) => element.contains(document.elementFromPoint(x, y)), [
      box.x + box.width / 2,
      box.y + box.height / 2,
    ] as const);
    expect(isOnTop, await action.innerText()).toBe(true);
  }
  await notices.first().click();
  await expect(notices).toHaveCount(1);
  await expect(dialog).toBeVisible();
});

test.describe("the operator's notice", () => {
  let product: Product;
  test.beforeAll(async () => {
    product = await startProduct({ BANNER_TEXT: "今晚十点维护半小时。", BANNER_LINK: paths.service });
  });
  test.afterAll(() => product.stop());

  test("is part of the page, sets its height for the layout and stays closed", async ({ page }) => {
    const html = await (await page.request.get(product.url)).text();
    expect(html).toContain("今晚十点维护半小时。");
    // No lazy part: see slow-start.journey.ts.
    expect(html.split("</html>")[0]).not.toContain("<!--$");
    await page.goto(product.url, { waitUntil: "networkidle" });
    const notice = page.getByRole("complementary", { name: announcementCopy.label });
    const height = (await notice.boundingBox())?.height ?? 0;
    expect(height).toBeGreaterThan(40);
    await logInByRequest(page.request, product.url);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(product.url + paths.service, { waitUntil: "networkidle" });
    await button(page).hover();
    await page.mouse.down();
    await page.mouse.move(600, -300, { steps: 4 });
    await page.mouse.up();
    const noticeHeight = (await notice.boundingBox())?.height ?? 0;
    await expect.poll(async () => (await boxOf(page)).y).toBeCloseTo(noticeHeight, 0);

    const kept = page.waitForResponse((response) => response.url().endsWith(paths.closedBanner));
    await notice.getByRole("button", { name: announcementCopy.close }).click();
    await expect(notice).toHaveCount(0);
    await kept;
    expect(await (await page.request.get(product.url)).text()).not.toContain("今晚十点维护半小时。</");
  });
});
