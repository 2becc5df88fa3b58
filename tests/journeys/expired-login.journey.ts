import type { Page } from "playwright/test";
import { bffPaths } from "~/call";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { errorSentences } from "~/copy/errors";
import { maskPhone } from "~/copy/format";
import { paths } from "~/paths";
import { expireForNow, expireLogin, logInByRequest } from "../support/browser-login";
import { expect, test } from "./fixtures";

const savedAccount = (page: Page) => page.evaluate(() => localStorage.getItem("account"));

/** Opens the page of an account, which the browser saves. */
async function enter(page: Page, path: string, origin: string): Promise<void> {
  const phone = await logInByRequest(page.request, origin);
  await page.goto(path);
  await expect.poll(() => savedAccount(page)).toContain(maskPhone(phone));
}

/** Specification section 8, code 5: user data cleared, the login page, a toast. */
async function expectExpired(page: Page, next: string) {
  await expect(page).toHaveURL((url) => url.pathname === paths.login && url.searchParams.get("next") === next);
  await expect(page.locator(".Toastify__toast").filter({ hasText: errorSentences["login-expired"] })).toHaveCount(1);
  await expect.poll(() => savedAccount(page)).toBeNull();
  expect((await (await page.request.get(bffPaths.account)).json()).user).toBeNull();
}

/** A change of the page in the browser, as its links make one. */
const changePage = (page: Page, path: string) =>
  page.evaluate((to) => {
    const { __remixRouter } = window as unknown as { __remixRouter: { navigate(path: string): Promise<void> } };
    void __remixRouter.navigate(to);
  }, path);

// The browser logs the refused data of the page and the calls.
test.use({ allowedErrors: [/401|404/] });

const people = "people";
const pages = [
  paths.home,
  paths.role,
  paths.roleNew(),
  paths.clone,
  paths.dubbing,
  paths.square,
  paths.subscribe,
  paths.service,
  paths.verify,
  people,
];

for (const path of pages) {
  test(`an expired login leads from ${path} to the login page, by document and by a page change`, async ({
    page,
    context,
    productUrl,
  }) => {
    const { humans } = await (await page.request.get(bffPaths.squareMore(""))).json();
    const asked = path === people ? paths.person(humans[0].roleId) : path;
    const start = asked === paths.service ? paths.square : paths.service;
    await enter(page, start, productUrl);
    await expireLogin(context, productUrl);
    await page.goto(asked);
    await expectExpired(page, asked);

    await enter(page, start, productUrl);
    await page.waitForLoadState("networkidle");
    await expireLogin(context, productUrl);
    await changePage(page, asked);
    await expectExpired(page, asked);
  });
}

test("an expired login on the login page keeps the page to return to", async ({ page, context, productUrl }) => {
  await enter(page, paths.service, productUrl);
  await expireLogin(context, productUrl);
  await page.goto(paths.loginFrom(paths.clone));
  await expectExpired(page, paths.clone);
});

const line = (page: Page) => page.getByRole("textbox", { name: /^第 1 句台词/ });
const play = (page: Page) => page.getByRole("button", { name: dubbingRecordsCopy.play("") }).first();
const made = (page: Page) => expect(play(page)).toBeVisible({ timeout: 90_000 });

/** Until the page has made its own last calls: a press finds the login expired before they do. `last` is one of them. */
async function untilQuiet(page: Page, last: "projectPut" | "projectList", act: () => Promise<unknown>) {
  const calls = (["dubQuote", "readings", last] as const).map(bffPaths.passed);
  const answered = calls.map((path) => page.waitForResponse((answer) => answer.url().endsWith(path)));
  await act();
  await Promise.all(answered);
  await page.waitForLoadState("networkidle");
}

async function write(page: Page, productUrl: string, words: string) {
  await enter(page, paths.dubbing, productUrl);
  await untilQuiet(page, "projectPut", () => line(page).fill(words));
  await expect(page.getByText(editorCopy.saved, { exact: true })).toBeVisible();
}

test("generating a script after the login expired goes on after the same account's next login", async ({
  page,
  productUrl,
}) => {
  await write(page, productUrl, "登录过期了。");
  const logInAgain = await expireForNow(page);
  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  await expectExpired(page, paths.dubbing);
  await logInAgain(paths.dubbing);
  await expect(line(page)).toHaveValue("登录过期了。");
  await made(page);
});

test("listening to and deleting a dub after the login expired lead to the login page", async ({ page, productUrl }) => {
  await write(page, productUrl, "听一听。");
  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  await made(page);
  await untilQuiet(page, "projectList", () => page.goto(paths.dubbing));
  const logInAgain = await expireForNow(page);
  await play(page).click();
  await expectExpired(page, paths.dubbing);

  await untilQuiet(page, "projectList", () => logInAgain(paths.dubbing));
  await expireForNow(page);
  await page.getByRole("button", { name: dubbingRecordsCopy.menu("") }).click();
  await page.getByRole("menuitem", { name: dubbingRecordsCopy.remove }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: dubbingRecordsCopy.remove, exact: true }).click();
  await expectExpired(page, paths.dubbing);
});
