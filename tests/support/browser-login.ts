import type { APIRequestContext, Page } from "playwright";
import { bffPaths } from "~/call";
import { loginCopy } from "~/copy/account";
import { newPhone } from "./new-phone";

/** Logs a browser session in with the code that demo mode returns, without the form; returns the phone. */
export async function logInByRequest(request: APIRequestContext, origin: string): Promise<string> {
  const phone = newPhone();
  const post = (path: string, data: object) => request.post(origin + path, { data, headers: { origin } });
  const { sent } = await (await post(bffPaths.codes, { phone })).json();
  const answer = await post(bffPaths.session, { phone, verifyCode: sent.demoCode });
  if (!answer.ok()) throw new Error(`The login was refused: ${await answer.text()}`);
  return phone;
}

/** Fills in the open login form with the code that demo mode shows on it. */
export async function logInByForm(page: Page, phone = newPhone()): Promise<void> {
  await page.getByLabel(loginCopy.phone, { exact: true }).fill(phone);
  await page.getByRole("button", { name: loginCopy.send }).click();
  await page.getByRole("button", { name: loginCopy.fill }).click();
  await page.getByRole("button", { name: loginCopy.go, exact: true }).click();
}
