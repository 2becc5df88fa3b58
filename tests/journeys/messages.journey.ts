import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messagesCopy } from "~/copy/account-settings";
import { siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { freePort } from "../support/postgres";
import { startProduct } from "../support/product";
import { findFaults } from "./axe";
import { expect, test } from "./fixtures";

const sms = {
  SMS_PROVIDER: "aliyun",
  SMS_ACCESS_KEY_ID: "id",
  SMS_ACCESS_KEY_SECRET: "secret",
  SMS_SIGN_NAME: "声像",
  SMS_TEMPLATE_CODE: "SMS_1",
  SMS_TEMPLATE_PAID: "SMS_2",
};

test("a member switches text messages off by the keyboard, where templates are set", async ({ page }) => {
  test.setTimeout(120_000);
  const dataDir = mkdtempSync(join(tmpdir(), "messages-"));
  if (process.env.FIRST_START_DATA) cpSync(process.env.FIRST_START_DATA, dataDir, { recursive: true });
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()) };
  const messages = page.getByRole("checkbox", { name: messagesCopy.label });
  const openMenu = async (url: string) => {
    await page.goto(url + paths.subscribe, { waitUntil: "networkidle" });
    await page.getByRole("button", { name: new RegExp(siteCopy.account) }).click();
    await expect(page.getByRole("link", { name: /会员与订单/ })).toBeVisible();
  };
  // A code that is shown on the page: with a provider it would go to a phone.
  let product = await startProduct(settings);
  try {
    await logInByRequest(page.request, product.url);
    await openMenu(product.url);
    await expect(messages).toHaveCount(0);
    await page.goto("about:blank");
    await product.stop();
    product = await startProduct({ ...settings, ...sms });
    await openMenu(product.url);
    await expect(messages).toBeChecked();
    expect(await findFaults(page)).toEqual([]);
    await messages.focus();
    await page.keyboard.press("Space");
    await expect(page.getByText(messagesCopy.turnedOff)).toBeVisible();
    await openMenu(product.url);
    await expect(messages).not.toBeChecked();
  } finally {
    await page.goto("about:blank");
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
