import type { Page } from "playwright/test";
import { accountCopy } from "~/copy/account";
import { paths } from "~/paths";
import { logInByForm } from "../support/browser-login";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

export const test = withMicrophone("over and over");

/** Opens a page as a new visitor. */
export async function logIn(page: Page) {
  await page.goto(paths.login, { waitUntil: "networkidle" });
  await logInByForm(page);
  const account = page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });
  await expect(account).toBeVisible();
  await page.waitForLoadState("networkidle");
}

export { expect };
