import type { Page } from "playwright/test";
import { accountCopy, loginCopy } from "~/copy/account";
import { paths } from "~/paths";
import { newPhone } from "../support/new-phone";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

export const test = withMicrophone("over and over");

/** Opens a page as a new visitor. */
export async function logIn(page: Page) {
  await page.goto(paths.login, { waitUntil: "networkidle" });
  await page.getByLabel(loginCopy.phone, { exact: true }).fill(newPhone());
  await page.getByRole("button", { name: loginCopy.send }).click();
  await page.getByRole("button", { name: loginCopy.fill }).click();
  await page.getByRole("button", { name: loginCopy.go, exact: true }).click();
  const account = page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });
  await expect(account).toBeVisible();
  await page.waitForLoadState("networkidle");
}

export { expect };
