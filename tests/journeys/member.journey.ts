import type { Page } from "playwright/test";
import { accountCopy, loginCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { paths } from "~/paths";
import { logInByForm } from "../support/browser-login";
import { chooseSample } from "../support/page-actions";
import { expect, test } from "./fixtures";

const card = (page: Page) => page.getByRole("region", { name: trialCopy.label });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const write = (page: Page, text: string) => card(page).getByLabel(trialCopy.text.label).fill(text);
const press = (page: Page) => card(page).getByRole("button", { name: trialCopy.go }).click();

async function generate(page: Page, text: string) {
  await write(page, text);
  await press(page);
  await expect(card(page).getByRole("paragraph").filter({ hasText: text })).toBeVisible();
  await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
}

// The browser logs the refused fourth trial.
test.use({ allowedErrors: [/403/] });

test("a visitor uses all trials, logs in, pays in a second page, is thanked and hears the clone again", async ({
  page,
  context,
}) => {
  await page.goto(paths.home, { waitUntil: "networkidle" });
  await chooseSample(page);
  for (const text of ["第一句。", "第二句。", "第三句。"]) await generate(page, text);
  await write(page, "第四句，想接着说。");
  await card(page).getByRole("button", { name: trialCopy.usedUp.visitor }).click();

  await expect(dialog(page, loginCopy.title)).toBeVisible();
  await logInByForm(page);

  await expect(dialog(page, checkoutCopy.title)).toBeVisible();
  const opened = context.waitForEvent("page");
  await dialog(page, checkoutCopy.title).getByRole("link", { name: checkoutCopy.openCashier }).click();
  const cashier = await opened;
  await cashier.getByRole("button", { name: checkoutCopy.cashier.levers.pay, exact: true }).click();
  await page.bringToFront();
  await expect(dialog(page, checkoutCopy.success.title)).toBeVisible();
  await expect(page.getByText(checkoutCopy.thanks)).toBeVisible();
  await page.getByRole("button", { name: checkoutCopy.success.done }).click();

  await expect(card(page).getByLabel(trialCopy.text.label)).toHaveValue("第四句，想接着说。");
  await generate(page, "第四句，接着说。");
  await page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) }).click();
  await expect(page.getByText(accountCopy.tiers.vip).first()).toBeVisible();
});
