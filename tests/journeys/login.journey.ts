import { readFileSync } from "node:fs";
import type { Page } from "playwright/test";
import { bffPaths } from "~/call";
import { accountCopy, loginCopy } from "~/copy/account";
import { removalCopy } from "~/copy/account-settings";
import { errorSentences } from "~/copy/errors";
import { maskPhone } from "~/copy/format";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { referenceCopy, uploadCopy } from "~/copy/recording";
import { confirmCopy, siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { expireForNow } from "../support/browser-login";
import { newPhone } from "../support/new-phone";
import { findFaults } from "./axe";
import { expect, test } from "./fixtures";
import { spokenRecording } from "./microphone";

const sentence = "登录以后，这句话还在。";

const card = (page: Page) => page.getByRole("region", { name: trialCopy.label });
const dialog = (page: Page) => page.getByRole("dialog", { name: loginCopy.title });
const openHome = (page: Page) => page.goto(paths.home, { waitUntil: "networkidle" });
const wayIn = (page: Page) => page.getByRole("link", { name: siteCopy.login, exact: true });
const menuButton = (page: Page, phone: string) =>
  page.getByRole("button", { name: `${accountCopy.label} ${maskPhone(phone)}` });
const send = (page: Page) => page.getByRole("button", { name: loginCopy.send });
const go = (page: Page) => page.getByRole("button", { name: loginCopy.go, exact: true });
const notice = (page: Page, text: string) => page.locator(".Toastify__toast").filter({ hasText: text });

async function fillIn(page: Page, phone: string) {
  await page.getByLabel(loginCopy.phone, { exact: true }).fill(phone);
  await send(page).click();
  await page.getByRole("button", { name: loginCopy.fill }).click();
  await go(page).click();
}

/** Waits until the page has reloaded and is hydrated. */
async function expectLoggedIn(page: Page, phone: string) {
  await expect(menuButton(page, phone)).toBeVisible();
  await page.waitForLoadState("networkidle");
}

async function logIn(page: Page, phone: string) {
  await page.goto(paths.login, { waitUntil: "networkidle" });
  await fillIn(page, phone);
  await expectLoggedIn(page, phone);
}

async function chooseSample(page: Page) {
  await card(page).getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card(page)
    .getByRole("group", { name: trialCopy.voice.samples })
    .getByRole("radio")
    .first()
    .check({ force: true });
}

async function generate(page: Page, text: string, left: number) {
  await card(page).getByLabel(trialCopy.text.label).fill(text);
  await card(page).getByRole("button", { name: trialCopy.go }).click();
  await expect(card(page).getByText(trialCopy.left(left))).toBeVisible();
  // The unchanged text plays again for nothing.
  const next = left > 0 ? trialCopy.again : trialCopy.usedUp.visitor;
  await expect(card(page).getByRole("button", { name: next })).toBeEnabled();
}

test.describe("after the last trial", () => {
  // The browser logs refused requests: the fourth trial, the wrong code.
  test.use({ allowedErrors: [/403|422/] });

  test("a visitor sees what is missing, logs in, and the text is spoken with the voice that was chosen", async ({
    page,
  }) => {
    const phone = newPhone();
    await openHome(page);
    await chooseSample(page);
    for (const left of [2, 1, 0]) await generate(page, `还剩${left}次。`, left);
    await card(page).getByLabel(trialCopy.text.label).fill(sentence);
    await card(page).getByRole("button", { name: trialCopy.usedUp.visitor }).click();
    await expect(dialog(page)).toContainText(loginCopy.reasons["trials-used"]);

    await send(page).click();
    await expect(dialog(page).getByText(loginCopy.field.phoneFirst)).toBeVisible();
    const phoneInput = dialog(page).getByLabel(loginCopy.phone, { exact: true });
    const codeInput = dialog(page).getByLabel(loginCopy.code, { exact: true });
    await phoneInput.press("Enter");
    await expect(dialog(page).getByText(loginCopy.field.phoneMissing)).toBeVisible();
    await phoneInput.fill("12812345678");
    await send(page).click();
    await expect(dialog(page).getByText(loginCopy.field.phoneWrong)).toBeVisible();
    await phoneInput.fill(phone);
    await expect(go(page)).toBeDisabled();
    await phoneInput.press("Enter");
    await expect(dialog(page).getByText(loginCopy.field.codeNotSent, { exact: true })).toBeVisible();
    await expect(notice(page, loginCopy.notice.codeNotSent)).toBeVisible();

    await send(page).click();
    await expect(dialog(page).getByText(loginCopy.demo, { exact: true })).toBeVisible();
    await expect(dialog(page).getByRole("button", { name: /^(59|60) 秒后重发$/ })).toBeDisabled();
    await expect(codeInput).toBeFocused();
    await codeInput.press("Enter");
    await expect(dialog(page).getByText(loginCopy.field.codeMissing, { exact: true })).toBeVisible();
    await expect(notice(page, loginCopy.notice.codeMissing)).toBeVisible();
    await expect(go(page)).toBeDisabled();
    const shown = await dialog(page)
      .getByText(/^验证码 \d{6}$/)
      .innerText();
    const code = shown.slice(-6);
    await codeInput.fill(code === "000000" ? "111111" : "000000");
    await go(page).click();
    await expect(notice(page, loginCopy.notice.failed)).toBeVisible();
    await expect(dialog(page).getByText(errorSentences["code-wrong"])).toBeVisible();

    await codeInput.fill(code);
    await go(page).click();
    // The pressed action continues with the first of the account's own trials.
    await expectLoggedIn(page, phone);
    await expect(card(page).getByText(trialCopy.left(2))).toBeVisible();
    await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
    await expect(card(page).getByLabel(trialCopy.text.label)).toHaveValue(sentence);
    await expect(
      card(page).getByRole("group", { name: trialCopy.voice.samples }).getByRole("radio", { checked: true }),
    ).toHaveCount(1);
    const [account = null, cookie] = await page.evaluate(() => [localStorage.getItem("account"), document.cookie]);
    expect(JSON.parse(account ?? "null")).toMatchObject({ isLogin: true, tryNum: 0 });
    expect(`${account}${cookie}`).not.toMatch(/token|[sv]id=/);
  });
});

test("the pressed action continues after the login", async ({ page }) => {
  const phone = newPhone();
  await openHome(page);
  await card(page).getByRole("radio", { name: trialCopy.voice.sources.upload }).check({ force: true });
  await card(page).getByLabel(new RegExp(uploadCopy.pick)).setInputFiles(spokenRecording);
  await expect(card(page).getByRole("button", { name: referenceCopy.replace })).toBeVisible();
  await generate(page, "保存这个声音。", 2);
  await card(page).getByRole("button", { name: trialResultCopy.save }).click();
  await expect(dialog(page)).toContainText(loginCopy.reasons["save-role"]);
  await fillIn(page, phone);
  await expect(page).toHaveURL(new RegExp(`${paths.role}\\?new=1`));
});

test.describe("an expired login", () => {
  // The browser logs the refused trial.
  test.use({ allowedErrors: [/401/] });

  test("is explained on the login page, and the trial continues after the account's next login", async ({ page }) => {
    await logIn(page, newPhone());
    await openHome(page);
    await chooseSample(page);
    await card(page).getByLabel(trialCopy.text.label).fill("登录过期也不丢。");
    const logInAgain = await expireForNow(page);
    await card(page).getByRole("button", { name: trialCopy.go }).click();
    await expect(page).toHaveURL(/\/user\/login/);
    await expect(notice(page, errorSentences["login-expired"])).toBeVisible();
    await logInAgain(paths.home);
    await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
  });
});

test("the login page returns to the previous page and to no foreign address", async ({ page }) => {
  await page.goto(paths.loginFrom("/main/square?page=1"), { waitUntil: "networkidle" });
  await fillIn(page, newPhone());
  await expect(page).toHaveURL(/\/main\/square\?page=1$/);
  await page.goto(paths.loginFrom("//evil.example/"));
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/$/);
});

test("the terms replace the login dialog", async ({ page }) => {
  await openHome(page);
  await wayIn(page).click();
  await dialog(page).getByRole("link", { name: loginCopy.terms }).click();
  await expect(page).toHaveURL(new RegExp(`${paths.service}$`));
  await expect(dialog(page)).toHaveCount(0);
});

test("logging out in one tab logs the other tab out", async ({ page, context }) => {
  const phone = newPhone();
  await logIn(page, phone);
  const other = await context.newPage();
  await openHome(other);
  await expect(menuButton(other, phone)).toBeVisible();
  await menuButton(page, phone).click();
  await page.getByRole("button", { name: accountCopy.logOut }).click();
  const question = page.getByRole("alertdialog", { name: accountCopy.leaving.title });
  await question.getByRole("button", { name: confirmCopy.cancel }).click();
  await expect(menuButton(page, phone)).toBeVisible();
  await menuButton(page, phone).click();
  await page.getByRole("button", { name: accountCopy.logOut }).click();
  await question.getByRole("button", { name: accountCopy.leaving.confirm }).click();
  await expect(wayIn(page)).toBeVisible();
  await expect(wayIn(other)).toBeVisible();
  expect(await other.evaluate(() => localStorage.getItem("account"))).toBeNull();
});

test("the export downloads all data of an account as one archive", async ({ page }) => {
  const phone = newPhone();
  await logIn(page, phone);
  await menuButton(page, phone).click();
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: accountCopy.export }).click();
  const archive = await started;
  expect(archive.suggestedFilename()).toBe(accountCopy.archive);
  expect(readFileSync(await archive.path()).toString("latin1", 0, 4)).toBe("PK\x03\x04");
});

test.describe("deleting the account", () => {
  // The browser logs two refusals: a code requested too soon and a wrong code.
  test.use({ allowedErrors: [/4\d\d/] });

  test("asks for the code sent to the phone and offers a receipt to copy and to download", async ({ page }) => {
    const phone = newPhone();
    await logIn(page, phone);
    await menuButton(page, phone).click();
    await page.getByRole("button", { name: accountCopy.remove }).click();
    const asking = page.getByRole("dialog", { name: removalCopy.removing.title });
    const confirm = asking.getByRole("button", { name: removalCopy.removing.confirm });
    await confirm.click();
    await expect(asking.getByRole("alert")).toHaveText(loginCopy.field.codeNotSent);
    // The login's code is less than a minute old.
    await page.route(`**${bffPaths.passed("userDeleteCode")}`, (route) => route.fulfill({ json: { resend: 60 } }));
    await asking.getByRole("button", { name: removalCopy.removing.send(maskPhone(phone)) }).click();
    await asking.getByLabel(loginCopy.code, { exact: true }).fill("000000");
    await confirm.click();
    await expect(asking.getByRole("alert")).toHaveText(errorSentences["code-wrong"]);

    const removed = { roles: 1, clones: 2, dubs: 3, files: 4 };
    const receipt = { receiptId: "r-1", deletedAt: "2026-11-22T10:00:00+08:00", removed };
    await page.route(`**${bffPaths.account}`, (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ json: receipt }) : route.fallback(),
    );
    await confirm.click();
    const given = page.getByRole("dialog", { name: removalCopy.receipt.title });
    await expect(given).toContainText("r-1");
    await page.reload();
    const started = page.waitForEvent("download");
    await given.getByRole("link", { name: removalCopy.receipt.download }).click();
    const file = await started;
    expect(file.suggestedFilename()).toBe(removalCopy.receipt.file("r-1"));
    expect(readFileSync(await file.path(), "utf8")).toContain(removalCopy.receipt.counts(1, 2, 3, 4));
    await given.getByRole("button", { name: removalCopy.removing.done }).first().click();
    await expect(given).toHaveCount(0);
  });
});

test("the keyboard alone opens and closes the login, logs in, opens the menu and logs out", async ({ page }) => {
  const phone = newPhone();
  await openHome(page);
  await wayIn(page).focus();
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByLabel(loginCopy.phone, { exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(wayIn(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByLabel(loginCopy.phone, { exact: true })).toBeFocused();
  await page.keyboard.type(phone);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByLabel(loginCopy.code, { exact: true })).toBeFocused();
  await page.keyboard.type(
    (
      await dialog(page)
        .getByText(/^验证码 \d{6}$/)
        .innerText()
    ).slice(-6),
  );
  await page.keyboard.press("Enter");
  await expectLoggedIn(page, phone);
  await menuButton(page, phone).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: accountCopy.subscribe })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: accountCopy.subscribe })).toHaveCount(0);
  await expect(menuButton(page, phone)).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: accountCopy.logOut }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: confirmCopy.cancel })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(wayIn(page)).toBeVisible();
});

for (const width of [360, 1280]) {
  test(`axe finds nothing in the login, the account menu and the confirmation, ${width} px wide`, async ({ page }) => {
    const phone = newPhone();
    const clean = async (what: string) => {
      expect(await findFaults(page), what).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(width);
    };
    await page.setViewportSize({ width, height: 800 });
    await openHome(page);
    await wayIn(page).click();
    await dialog(page).getByLabel(loginCopy.phone, { exact: true }).fill("1");
    await send(page).click();
    await clean("dialog with a fault");
    await dialog(page).getByLabel(loginCopy.phone, { exact: true }).fill(phone);
    await send(page).click();
    await page.getByRole("button", { name: loginCopy.fill }).click();
    await clean("dialog with a code");
    await go(page).click();
    await expectLoggedIn(page, phone);
    await menuButton(page, phone).click();
    await expect(page.getByRole("link", { name: accountCopy.subscribe })).toBeVisible();
    await clean("menu");
    await page.getByRole("button", { name: accountCopy.logOut }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await clean("question");
  });
}
