import type { Page } from "playwright/test";
import { accountCopy, loginCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { paths } from "~/paths";
import { newPhone } from "../support/new-phone";
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

test("a visitor uses all trials, logs in, uses the account's, pays in a second page, is thanked and goes on", async ({
  page,
  context,
}) => {
  await page.goto(paths.home, { waitUntil: "networkidle" });
  await card(page).getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card(page)
    .getByRole("group", { name: trialCopy.voice.samples })
    .getByRole("radio")
    .first()
    .check({ force: true });
  for (const text of ["第一句。", "第二句。", "第三句。"]) await generate(page, text);
  await write(page, "第四句。");
  await card(page).getByRole("button", { name: trialCopy.usedUp.visitor }).click();

  await expect(dialog(page, loginCopy.title)).toBeVisible();
  await page.getByLabel(loginCopy.phone, { exact: true }).fill(newPhone());
  await page.getByRole("button", { name: loginCopy.send }).click();
  await page.getByRole("button", { name: loginCopy.fill }).click();
  await page.getByRole("button", { name: loginCopy.go, exact: true }).click();
  // The pressed action goes on with the first of the account's own trials.
  await expect(card(page).getByText(trialCopy.left(2))).toBeVisible();
  await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
  for (const text of ["第五句。", "第六句。"]) await generate(page, text);
  await write(page, "第七句，想接着说。");
  await card(page).getByRole("button", { name: trialCopy.usedUp.member }).click();

  await expect(dialog(page, checkoutCopy.title)).toBeVisible();
  const opened = context.waitForEvent("page");
  await dialog(page, checkoutCopy.title).getByRole("link", { name: checkoutCopy.openCashier }).click();
  const cashier = await opened;
  await cashier.getByRole("button", { name: checkoutCopy.cashier.levers.pay, exact: true }).click();
  await page.bringToFront();
  await expect(dialog(page, checkoutCopy.success.title)).toBeVisible();
  await expect(page.getByText(checkoutCopy.thanks)).toBeVisible();
  await page.getByRole("button", { name: checkoutCopy.success.done }).click();

  await expect(card(page).getByLabel(trialCopy.text.label)).toHaveValue("第七句，想接着说。");
  await generate(page, "第七句，接着说。");
  await page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) }).click();
  await expect(page.getByText(accountCopy.tiers.vip).first()).toBeVisible();
});
