import { type BrowserContext, devices, type Page } from "playwright/test";
import { payElsewhereCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { subscribePageCopy } from "~/copy/subscribe";

import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { type AlipayServer, openAlipay } from "../support/payment-servers/alipay";
import { openWechatPay, type WechatPayServer } from "../support/payment-servers/wechat-pay";
import { freePort } from "../support/postgres";
import { startProduct } from "../support/product";
import { findFaults } from "./axe";
import { test as base, expect } from "./fixtures";

interface Gateways {
  wechat: WechatPayServer;
  alipay: AlipayServer;
}

/** A product with both gateways, at servers that speak their protocols. */
const test = base.extend<object, { gateways: Gateways; productUrl: string }>({
  gateways: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const [wechat, alipay] = [await openWechatPay(), await openAlipay()];
      await use({ wechat, alipay });
      await Promise.all([wechat.close(), alipay.close()]);
    },
    { scope: "worker" },
  ],
  productUrl: [
    async ({ gateways: { wechat, alipay } }, use) => {
      const port = String(await freePort());
      const product = await startProduct({
        PORT: port,
        SITE_URL: `http://localhost:${port}`,
        TRUSTED_PROXIES: "127.0.0.1 ::1",
        WECHAT_PAY_MERCHANT_ID: wechat.settings.merchantId,
        WECHAT_PAY_APP_ID: wechat.settings.appId,
        WECHAT_PAY_SERIAL: wechat.settings.serial,
        WECHAT_PAY_PRIVATE_KEY: wechat.settings.privateKey,
        WECHAT_PAY_API_V3_KEY: wechat.settings.apiV3Key,
        WECHAT_PAY_ENDPOINT: wechat.origin,
        WECHAT_OFFICIAL_SECRET: wechat.settings.official?.secret ?? "",
        WECHAT_OFFICIAL_ENDPOINT: wechat.origin,
        PAY_NOTIFY_ORIGIN: "https://voice.example",
        ALIPAY_APP_ID: alipay.settings.appId,
        ALIPAY_SELLER_ID: alipay.settings.sellerId,
        ALIPAY_PRIVATE_KEY: alipay.settings.privateKey,
        ALIPAY_PUBLIC_KEY: alipay.settings.publicKeys[0] ?? "",
        ALIPAY_ENDPOINT: alipay.origin,
        ALIPAY_DESKTOP: "page",
        REFERRAL_CHARACTERS: "3000",
      });
      await use(product.url);
      await product.stop();
    },
    { scope: "worker", timeout: 480_000 },
  ],
});
test.use({ allowedErrors: [/^AbortError/] });

const payDialog = (page: Page) => page.getByRole("dialog", { name: checkoutCopy.title });

async function openPayDialog(page: Page, origin: string) {
  await logInByRequest(page.request, origin);
  await page.goto(paths.subscribe, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }).click();
  await expect(payDialog(page)).toBeVisible();
}

const expectThanks = (page: Page) =>
  expect(page.getByRole("dialog", { name: checkoutCopy.success.title })).toBeVisible();

async function expectNoFaults(page: Page, width: number) {
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

test("Alipay's own page takes the payment on a desktop and leads back to where the payer left", async ({
  page,
  context,
  productUrl,
}) => {
  await openPayDialog(page, productUrl);
  await payDialog(page).getByText(checkoutCopy.methods[2]).click();
  const opened = context.waitForEvent("page");
  await payDialog(page)
    .getByRole("link", { name: checkoutCopy.goPay(2), exact: true })
    .click();
  const alipay = await opened;
  await expect(alipay.getByRole("heading", { name: "alipay.trade.page.pay 99.00" })).toBeVisible();
  await alipay.getByRole("button", { name: "pay" }).click();
  await expectThanks(alipay);
  await expect(alipay).toHaveURL(productUrl + paths.subscribe);
  await page.bringToFront();
  await expectThanks(page);
});

test("a friend's link brings both their characters after the friend's first payment", async ({
  page,
  browser,
  productUrl,
}) => {
  await logInByRequest(page.request, productUrl);
  await page.goto(paths.subscribe, { waitUntil: "networkidle" });
  const card = page.getByRole("region", { name: subscribePageCopy.referral.heading });
  const [link = ""] = /http\S+ref=\w{8}/.exec(await card.innerText()) ?? [];
  await expectNoFaults(page, 1280);
  const others = await browser.newContext({ baseURL: productUrl, extraHTTPHeaders: { "x-forwarded-for": "10.9.9.8" } });
  const friend = await others.newPage();
  await friend.goto(link, { waitUntil: "networkidle" });
  await openPayDialog(friend, productUrl);
  await payDialog(friend).getByText(checkoutCopy.methods[2]).click();
  const opened = others.waitForEvent("page");
  await payDialog(friend)
    .getByRole("link", { name: checkoutCopy.goPay(2), exact: true })
    .click();
  await (await opened).getByRole("button", { name: "pay" }).click();
  await expectThanks(friend);
  // An open dialog comes back after a reload, and hides the page behind it.
  await friend.getByRole("button", { name: checkoutCopy.success.done }).click();
  for (const one of [page, friend]) {
    await one.goto(paths.subscribe);
    const ledger = one.getByRole("region", { name: checkoutCopy.ledger.heading });
    await expect(ledger.getByText(checkoutCopy.ledger.referral)).toHaveCount(1);
  }
  await expect(card.getByText(subscribePageCopy.referral.month(1, 10))).toBeVisible();
  await others.close();
});

test.describe("inside WeChat", () => {
  const { userAgent, ...phone } = devices["Pixel 5"];
  test.use({
    ...{ viewport: { width: 360, height: 780 }, isMobile: phone.isMobile, hasTouch: phone.hasTouch },
    userAgent: `${userAgent} XWEB/1160117 MMWEBSDK/20240501 MicroMessenger/8.0.50.2701`,
  });

  /** WeChat's bridge: its payment sheet is the protocol server, which checks the merchant's signature. */
  async function addBridge(context: BrowserContext, server: string) {
    const outcomes = ["cancel"];
    await context.exposeFunction("payInWechat", async (name: string, parameters: object) => {
      if (outcomes.pop()) return "get_brand_wcpay_request:cancel";
      const paid = await fetch(`${server}/app/pay`, { method: "POST", body: JSON.stringify(parameters) });
      const { err_msg } = (await paid.json()) as { err_msg: string };
      return name === "getBrandWCPayRequest" ? `get_brand_wcpay_request:${err_msg}` : "system:function_not_exist";
    });
    await context.addInitScript(() => {
      const { payInWechat } = window as unknown as {
        payInWechat(name: string, parameters: object): Promise<string>;
      };
      const invoke = (name: string, parameters: object, done: (answer: { err_msg: string }) => void) =>
        void payInWechat(name, parameters).then((err_msg) => done({ err_msg }));
      setTimeout(() => {
        Object.assign(window, { WeixinJSBridge: { invoke } });
        document.dispatchEvent(new Event("WeixinJSBridgeReady"));
      }, 200);
    });
  }

  test("the payer is identified, cancels, then pays on the page", async ({ page, context, productUrl, gateways }) => {
    await addBridge(context, gateways.wechat.origin);
    await openPayDialog(page, productUrl);
    gateways.wechat.denies = true;
    const pay = checkoutCopy.goPay(1, 9_900);
    await payDialog(page).getByRole("link", { name: pay }).click();
    await expect(payDialog(page).getByText(payElsewhereCopy.wechat.denied)).toBeVisible();
    gateways.wechat.denies = false;
    await payDialog(page).getByRole("link", { name: payElsewhereCopy.wechat.again }).click();
    await payDialog(page).getByRole("button", { name: pay }).click();
    await expect(page.getByText(payElsewhereCopy.wechat.cancelled)).toBeVisible();
    await expectNoFaults(page, 360);
    await payDialog(page).getByRole("button", { name: pay }).click();
    await expectThanks(page);
  });

  test("an order is handed over to a browser that pays it without a login", async ({ page, browser, productUrl }) => {
    await openPayDialog(page, productUrl);
    await payDialog(page).getByText(checkoutCopy.methods[2]).click();
    await payDialog(page).getByRole("button", { name: payElsewhereCopy.wechat.makeLink }).click();
    const link = payDialog(page).getByRole("link", { name: payElsewhereCopy.wechat.openOutside });
    await expect(link).toBeVisible();
    await expectNoFaults(page, 360);
    const address = productUrl + (await link.getAttribute("href"));
    const outside = await browser.newContext({
      ...devices["Desktop Chrome"],
      baseURL: productUrl,
      extraHTTPHeaders: { "x-forwarded-for": "10.9.9.9" },
    });
    const other = await outside.newPage();
    await other.goto(address);
    await expect(other.locator("meta[name=referrer]")).toHaveAttribute("content", "same-origin");
    await other.getByRole("button", { name: payElsewhereCopy.handover.open }).click();
    await expect(other).toHaveURL(productUrl + paths.handedOver);
    await expect(other.locator("meta[name=referrer]")).toHaveCount(0);
    await other.getByRole("button", { name: checkoutCopy.methods[2] }).click();
    await expectNoFaults(other, 1280);
    const opened = outside.waitForEvent("page");
    await other.getByRole("link", { name: checkoutCopy.goPay(2) }).click();
    const alipay = await opened;
    await alipay.getByRole("button", { name: "pay" }).click();
    await expect(alipay.getByText(payElsewhereCopy.handover.paid)).toBeVisible();
    await expect(other.getByText(payElsewhereCopy.handover.paid)).toBeVisible();
    await expectThanks(page);
    await other.goto(address);
    await other.getByRole("button", { name: payElsewhereCopy.handover.open }).click();
    await expect(other.getByText(payElsewhereCopy.handover.missing)).toBeVisible();
    await outside.close();
  });
});
