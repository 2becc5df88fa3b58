import type { BrowserContext, Locator, Page } from "playwright/test";
import { bffPaths } from "~/call";
import { accountCopy, loginCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { invoiceCopy, receiptCopy } from "~/copy/invoice";
import { subscribePageCopy } from "~/copy/subscribe";

import { paths } from "~/paths";
import { packCharacters } from "~server/contract/limits";
import { logInByForm } from "../support/browser-login";
import { findFaults } from "./axe";
import { expect, test } from "./fixtures";

const buyProfessional = new RegExp(subscribePageCopy.buy[2]);

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const payDialog = (page: Page) => dialog(page, checkoutCopy.title);
const mineOf = (page: Page) => page.getByRole("region", { name: subscribePageCopy.mine });
const retention = (page: Page) => page.getByRole("alertdialog", { name: checkoutCopy.retention.title });

/** A visitor who buys logs in first and then finds the pay dialog open. */
async function openPayDialog(page: Page) {
  await page.goto(paths.subscribe, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: buyProfessional }).click();
  await expect(dialog(page, loginCopy.title)).toBeVisible();
  await logInByForm(page);
  await expect(payDialog(page)).toBeVisible();
  await expect(page.getByRole("radio", { name: /月度/ })).toBeChecked();
}

const payButton = (cashier: Page) =>
  cashier.getByRole("button", { name: checkoutCopy.cashier.levers.pay, exact: true });

async function payAt(cashier: Page, said: string) {
  await payButton(cashier).click();
  await expect(cashier.getByText(said)).toBeVisible();
}

/** Presses the button twice while the answer loads: the form sends one request. */
async function payAtTwice(cashier: Page) {
  let posts = 0;
  await cashier.route("**/cashier/**", async (route) => {
    if (route.request().method() === "POST") {
      posts += 1;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await route.continue();
  });
  await payButton(cashier).evaluate((element: HTMLElement) => {
    element.click();
    setTimeout(() => element.click(), 100);
  });
  await expect(cashier.getByText(checkoutCopy.cashier.after.pay)).toBeVisible();
  expect(posts).toBe(1);
}

async function openCashier(page: Page, context: BrowserContext, name: string) {
  const opened = context.waitForEvent("page");
  await payDialog(page).getByRole("link", { name }).click();
  return opened;
}

/** The server handles each request, and the first answer is lost. Counts requests and idempotency keys. */
async function loseFirstAnswer(page: Page, path: string) {
  const seen = { answers: 0, keys: new Set<string | undefined>() };
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    seen.answers += 1;
    seen.keys.add(route.request().headers()["idempotency-key"]);
    await (seen.answers === 1 ? route.abort() : route.fulfill({ response }));
  });
  return () => ({ answers: seen.answers, keys: seen.keys.size });
}

async function expectPaid(page: Page) {
  await expect(dialog(page, checkoutCopy.success.title)).toBeVisible();
  await expect(page.getByText(checkoutCopy.thanks)).toBeVisible();
  await expect(payDialog(page)).toHaveCount(0);
}

const expectNoFaults = async (page: Page) => {
  // A background tab keeps animations at their first frame.
  await page.bringToFront();
  // Waits for colour transitions, not for endless animations.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((one) => one.finished.catch(() => {})),
    ),
  );
  expect(await findFaults(page)).toEqual([]);
};

async function askForInvoice(page: Page, orders: Locator) {
  await orders.getByRole("button", { name: invoiceCopy.ask }).click();
  const form = dialog(page, invoiceCopy.title);
  await form.getByRole("radio", { name: invoiceCopy.buyers.company }).check();
  await form.getByLabel(invoiceCopy.name).fill("晨声有限公司");
  await form.getByLabel(invoiceCopy.taxNumber).fill("1234");
  await form.getByLabel(invoiceCopy.email).fill("finance@voice.example");
  await form.getByRole("button", { name: invoiceCopy.submit }).click();
  await expect(form.getByText(invoiceCopy.taxNumberFault)).toBeVisible();
  await expectNoFaults(page);
  await form.getByLabel(invoiceCopy.taxNumber).fill("91310000MA1FL0ABCD");
  await form.getByRole("button", { name: invoiceCopy.submit }).click();
  await expect(orders.getByText(invoiceCopy.asked("晨声有限公司"))).toBeVisible();
}

// Remix prints an AbortError where a page's data is no longer wanted: two changes of the account come one after the other.
test.use({ allowedErrors: [/^AbortError/] });

test("a visitor logs in, scans the code, pays at the cashier and becomes a professional member", async ({
  page,
  context,
}) => {
  await openPayDialog(page);
  await expect(page.getByRole("img", { name: checkoutCopy.qr })).toBeVisible();
  await expect(page.getByRole("radio", { name: checkoutCopy.methods[1] })).toBeChecked();
  const otherTab = await context.newPage();
  await otherTab.goto(paths.subscribe, { waitUntil: "networkidle" });
  await page.bringToFront();
  await expectNoFaults(page);
  const cashier = await openCashier(page, context, checkoutCopy.openCashier);
  await expect(cashier.getByText("¥99.00")).toBeVisible();
  await expectNoFaults(cashier);
  await payAtTwice(cashier);
  await expectPaid(page);
  const success = dialog(page, checkoutCopy.success.title);
  for (const text of ["专业会员 · 月度", checkoutCopy.success.until, checkoutCopy.success.perMonth(100_000)])
    await expect(success.getByText(text)).toBeVisible();
  await expect(success.getByText(checkoutCopy.numbers.names.outTradeNo)).toBeHidden();
  await success.getByText(checkoutCopy.numbers.names.orderId).first().click();
  await expect(success.getByText(checkoutCopy.numbers.names.outTradeNo)).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole("button", { name: checkoutCopy.success.done }).click();
  for (const tab of [page, otherTab])
    await expect(mineOf(tab).getByText(`${accountCopy.tiers.svip} · 还剩 30 天`)).toBeVisible();
  await expect(mineOf(page).getByText(accountCopy.left(100_000, 100_000))).toBeVisible();
  const orders = page.getByRole("region", { name: checkoutCopy.orders.heading });
  await expect(orders.getByRole("listitem")).toHaveCount(1);
  await expect(orders.getByText(checkoutCopy.orders.states.success)).toBeVisible();
  await askForInvoice(page, orders);
  await orders.getByRole("button", { name: receiptCopy.open }).click();
  await expect(dialog(page, receiptCopy.title).getByText("¥99.00")).toBeVisible();
  await expectNoFaults(page);
  await page.keyboard.press("Escape");
  const ledger = page.getByRole("region", { name: checkoutCopy.ledger.heading });
  const payment = ledger.getByRole("listitem").filter({ hasText: "¥99.00" });
  await expect(payment.getByText(checkoutCopy.ledger.timeArrived)).toBeVisible();
  await page.getByRole("button", { name: subscribePageCopy.buy[3] }).click();
  await payAt(await openCashier(page, context, checkoutCopy.openCashier), checkoutCopy.cashier.after.pay);
  await expect(mineOf(otherTab).getByText(accountCopy.left(packCharacters.svip, packCharacters.svip))).toBeVisible();
});

test("the pay dialog asks once before closing and keeps its code when the payer stays", async ({ page }) => {
  await openPayDialog(page);
  const code = payDialog(page).getByRole("img", { name: checkoutCopy.qr }).locator("path");
  const drawn = await code.getAttribute("d");
  await page.getByRole("button", { name: checkoutCopy.close }).click();
  await expect(retention(page)).toBeVisible();
  await expect(payDialog(page)).toHaveCount(0);
  await expectNoFaults(page);
  await page.getByRole("button", { name: checkoutCopy.retention.stay }).click();
  await expect(code).toHaveAttribute("d", drawn ?? "");
  await page.keyboard.press("Escape");
  await expect(payDialog(page)).toHaveCount(0);
  await expect(retention(page)).toHaveCount(0);
  await page.getByRole("button", { name: buyProfessional }).click();
  await expect(code).toHaveAttribute("d", drawn ?? "");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: checkoutCopy.retention.leave }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

for (const size of [
  { width: 1280, height: 800 },
  { width: 1024, height: 700 },
  { width: 600, height: 480 },
  { width: 360, height: 480 },
])
  test(`a notice beside the pay dialog leaves its cross free, ${size.width} px wide`, async ({ page }) => {
    await page.setViewportSize(size);
    await openPayDialog(page);
    // By the layout, in one step: the notice moves in, and is gone after three seconds.
    const findGap = () =>
      payDialog(page)
        .getByRole("button", { name: checkoutCopy.close })
        .evaluate((cross) => {
          const notices = document.querySelector(".Toastify__toast-container")?.getBoundingClientRect();
          if (!notices?.height) return null;
          const { left, right, top, bottom } = cross.getBoundingClientRect();
          const between = [left - notices.right, notices.left - right, top - notices.bottom, notices.top - bottom];
          return Math.max(...between) >= 0;
        });
    let isFree: boolean | null = null;
    await expect
      .poll(async () => {
        isFree = await findGap();
        if (isFree === null) await payDialog(page).getByRole("button", { name: checkoutCopy.askByHand }).click();
        return isFree;
      })
      .not.toBeNull();
    expect(isFree).toBe(true);
  });

test("a reload during a payment keeps the order", async ({ page, context }) => {
  await openPayDialog(page);
  await payDialog(page).getByText(checkoutCopy.methods[2]).click();
  const cashier = await openCashier(page, context, checkoutCopy.openCashier);
  await expect(cashier.getByText(checkoutCopy.methods[2])).toBeVisible();
  await page.reload();
  await expect(payDialog(page).getByRole("radio", { name: checkoutCopy.methods[2] })).toBeChecked();
  await payAt(cashier, checkoutCopy.cashier.after.pay);
  await expectPaid(page);
});

test.describe("on a bad line", () => {
  test.use({ allowedErrors: [/ERR_FAILED|^AbortError/] });

  test("two tabs and a lost answer create one order, and both show its payment", async ({ page, context }) => {
    await openPayDialog(page);
    const other = await context.newPage();
    const lost = await loseFirstAnswer(other, bffPaths.orders);
    await other.goto(paths.subscribe, { waitUntil: "networkidle" });
    await other.getByRole("button", { name: buyProfessional }).click();
    await expect(other.getByRole("img", { name: checkoutCopy.qr })).toBeVisible();
    expect(lost()).toMatchObject({ answers: 2, keys: 1 });
    const cashier = await openCashier(page, context, checkoutCopy.openCashier);
    await payAt(cashier, checkoutCopy.cashier.after.pay);
    await expectPaid(page);
    await expectPaid(other);
    await other.getByRole("button", { name: checkoutCopy.success.done }).click();
    const orders = other.getByRole("region", { name: checkoutCopy.orders.heading });
    await expect(orders.getByRole("listitem")).toHaveCount(1);
    await expect(mineOf(other).getByText(`${accountCopy.tiers.svip} · 还剩 30 天`)).toBeVisible();
  });
});

test.describe("refused", () => {
  test.use({ allowedErrors: [/403|^AbortError/] });

  test("an add-on pack is refused without a membership before an order exists", async ({ page }) => {
    await openPayDialog(page);
    await payDialog(page).getByRole("tab", { name: checkoutCopy.tabs[3] }).click();
    await expect(payDialog(page).getByText(checkoutCopy.packForMembers).first()).toBeVisible();
    await payDialog(page).getByRole("button", { name: checkoutCopy.toTiers }).click();
    await expect(payDialog(page).getByRole("tab", { name: checkoutCopy.tabs[1], selected: true })).toBeVisible();
    await expect(payDialog(page).getByRole("img", { name: checkoutCopy.qr })).toBeVisible();
  });
});

test("the cashier page of an unknown attempt answers 404", async ({ request }) => {
  expect((await request.get(paths.cashier("no-such-attempt"))).status()).toBe(404);
});

for (const width of [360, 1280])
  test(`axe finds nothing in the pay dialogs and the account page, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await openPayDialog(page);
    await expectNoFaults(page);
    await page.keyboard.press("Escape");
    await expect(retention(page)).toBeVisible();
    await expectNoFaults(page);
    await page.keyboard.press("Escape");
    const orders = page.getByRole("region", { name: checkoutCopy.orders.heading });
    await expect(orders.getByRole("button", { name: checkoutCopy.orders.resume })).toBeHidden();
    await orders.getByText(checkoutCopy.orders.unfinished(1)).click();
    await expect(orders.getByRole("button", { name: checkoutCopy.orders.resume })).toBeVisible();
    await expectNoFaults(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

test.describe("on a phone", () => {
  const userAgent =
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";
  test.use({ viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, userAgent });

  test("支付宝 is the first method and its link pays", async ({ page, context }) => {
    await openPayDialog(page);
    const methods = payDialog(page).getByRole("group", { name: checkoutCopy.method }).getByRole("radio");
    await expect(methods.first()).toBeChecked();
    await expect(page.getByRole("img", { name: checkoutCopy.qr })).toHaveCount(0);
    await expect(payDialog(page).getByRole("button", { name: checkoutCopy.askByHand })).toBeInViewport({ ratio: 0.95 });
    await expectNoFaults(page);
    const cashier = await openCashier(page, context, checkoutCopy.goPay(2, 9_900));
    await expect(cashier.getByText(checkoutCopy.methods[2])).toBeVisible();
    await payAt(cashier, checkoutCopy.cashier.after.pay);
    await expectPaid(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});
