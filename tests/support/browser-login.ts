import { type APIRequestContext, type BrowserContext, type Page, request as requests } from "playwright";
import { bffPaths } from "~/call";
import { loginCopy } from "~/copy/account";
import { newPhone } from "./new-phone";

/** Logs a browser session in with the code that demo mode returns, without the form; returns the phone. */
export async function logInByRequest(request: APIRequestContext, origin: string): Promise<string> {
  const phone = newPhone();
  const post = (path: string, data: object) => request.post(origin + path, { data, headers: { origin } });
  const sent = await (await post(bffPaths.passed("captcha"), { phone })).json();
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

/** Ends the context's login at the upstream, as time would: its cookie stays and its token is refused. */
export async function expireLogin(context: BrowserContext, origin: string): Promise<void> {
  const elsewhere = await requests.newContext({ storageState: await context.storageState() });
  const answer = await elsewhere.delete(origin + bffPaths.session, { headers: { origin } });
  if (!answer.ok()) throw new Error(`The login did not end: ${await answer.text()}`);
  await elsewhere.dispose();
}

/**
 * Expires the page's login in the same way, and returns how the same account logs in again: its phone gets no second code
 * within a minute, so the login that ends is another account's.
 */
export async function expireForNow(page: Page): Promise<(next: string) => Promise<void>> {
  const context = page.context();
  const { origin } = new URL(page.url());
  const cookies = await context.cookies();
  await context.clearCookies();
  await logInByRequest(page.request, origin);
  await expireLogin(context, origin);
  return async (next) => {
    await context.clearCookies();
    await context.addCookies(cookies);
    await page.goto(next);
  };
}
