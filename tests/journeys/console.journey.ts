import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TOTP, URI } from "otpauth";
import type { Locator, Page } from "playwright/test";
import { consoleCopy, consoleWord, operationName } from "~/copy/console";
import { errorSentences } from "~/copy/errors";
import { subscribePageCopy } from "~/copy/subscribe";

import { paths } from "~/paths";
import { runInServer } from "~server/upstream/operations/socket";
import { logInByRequest } from "../support/browser-login";
import { startProduct } from "../support/product";
import { expectAccessible } from "./axe";
import { test as base, expect } from "./fixtures";

/** A product of its own, whose operators' socket the journey can reach. */
const test = base.extend<object, { dataDir: string }>({
  dataDir: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), "console-"));
      if (process.env.FIRST_START_DATA) cpSync(process.env.FIRST_START_DATA, dataDir, { recursive: true });
      await use(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  productUrl: [
    async ({ dataDir }, use) => {
      const product = await startProduct({ DATA_DIR: dataDir, TRUSTED_PROXIES: "127.0.0.1 ::1" });
      await use(product.url);
      await product.stop();
    },
    { scope: "worker", timeout: 480_000 },
  ],
});

/** Presses Tab until the element has the focus, then fills it in or presses it. */
async function reach(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < 120; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}

async function type(page: Page, label: string, text: string) {
  await reach(page, page.getByLabel(label));
  await page.keyboard.type(text);
}

async function follow(page: Page, name: string) {
  await reach(page, page.getByRole("link", { name, exact: true }).first());
  await page.keyboard.press("Enter");
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name: operationName(name), level: 1 });

/** Phone, code, authenticator and its first code, by the keyboard alone. */
async function logInToConsole(page: Page, phone: string) {
  const { login } = consoleCopy;
  await page.goto(paths.console, { waitUntil: "networkidle" });
  await expectAccessible(page, "login");
  await type(page, login.phone, phone);
  await page.keyboard.press("Enter");
  const sent = await page.getByText(/演示模式的验证码/).innerText();
  await type(page, login.code, /\d{6}/.exec(sent)?.[0] ?? "");
  await page.keyboard.press("Enter");
  await expect(page.getByText(login.enrol)).toBeVisible();
  await expectAccessible(page, "authenticator");
  const secret = await page.locator("code").innerText();
  await type(page, login.totp, (URI.parse(`otpauth://totp/a?secret=${secret}`) as TOTP).generate());
  await page.keyboard.press("Enter");
  await expect(page.getByText(login.recovery)).toBeVisible();
  await follow(page, login.enter);
  await expect(heading(page, "today")).toBeVisible();
}

test("an operator finds a person, grants, bans and unbans by the keyboard, and the person is told", async ({
  browser,
  page,
  productUrl,
  dataDir,
}) => {
  test.setTimeout(180_000);
  const operatorPhone = "13711112222";
  const added = await runInServer(dataDir, {
    args: ["operators", "add", operatorPhone, "--role", "owner", "--name", "李四"],
    operator: "root",
  });
  expect(added).toMatchObject({ exitCode: 0 });
  const visitor = await browser.newContext({ baseURL: productUrl });
  const phone = await logInByRequest(visitor.request, productUrl);

  await logInToConsole(page, operatorPhone);
  await expectAccessible(page, "today");
  await follow(page, operationName("person"));
  await type(page, "手机号、账号或支付单号", phone);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: consoleWord("users") })).toBeVisible();
  await expectAccessible(page, "a person");

  await follow(page, operationName("grant-characters"));
  await type(page, consoleWord("characters"), "500");
  await type(page, consoleCopy.reason, "补偿");
  await expectAccessible(page, "a grant");
  await page.keyboard.press("Enter");
  await expect(page.getByText(consoleCopy.done)).toBeVisible();
  await follow(page, consoleCopy.back);
  await expect(page.getByRole("cell", { name: "500", exact: true })).toBeVisible();

  await follow(page, operationName("ban"));
  await type(page, consoleCopy.reason, "冒用他人声音");
  await page.keyboard.press("Enter");
  await expect(page.getByText(consoleCopy.done)).toBeVisible();
  const banned = await visitor.newPage();
  await banned.goto(paths.clone);
  await expect(banned).toHaveURL(new RegExp(paths.login));
  await expect(banned.getByText(errorSentences["account-banned"])).toBeVisible();

  await follow(page, consoleCopy.back);
  await follow(page, operationName("unban"));
  await type(page, consoleCopy.reason, "误会");
  await page.keyboard.press("Enter");
  await expect(page.getByText(consoleCopy.done)).toBeVisible();
  for (const name of ["orders", "packages", "audit"]) {
    await follow(page, operationName(name));
    await expect(heading(page, name)).toBeVisible();
    await expectAccessible(page, name);
  }
  await expect(page.getByRole("cell", { name: /冒用他人声音/ })).toBeVisible();
  const csv = await page.request.get(paths.consoleCsv("audit", { section: "acts" }));
  expect(await csv.text()).toContain("unban");
});

test("an operator makes redeem codes and a person spends one, both by the keyboard", async ({
  browser,
  page,
  productUrl,
  dataDir,
}) => {
  test.setTimeout(180_000);
  const operatorPhone = "13711113333";
  await runInServer(dataDir, { args: ["operators", "add", operatorPhone, "--role", "owner"], operator: "root" });
  await logInToConsole(page, operatorPhone);
  await follow(page, operationName("codes"));
  await expect(heading(page, "codes")).toBeVisible();
  await follow(page, operationName("codes-create"));
  await type(page, consoleWord("count"), "2");
  await type(page, consoleWord("characters"), "4321");
  await reach(page, page.getByLabel(consoleWord("until")));
  await page.getByLabel(consoleWord("until")).fill("2099-12-31");
  await type(page, consoleWord("note"), "年会");
  await page.keyboard.press("Enter");
  const codes = (await page.getByLabel(consoleWord("new-codes")).inputValue()).split("\n");
  expect(codes).toHaveLength(2);
  await expectAccessible(page, "new codes");
  await follow(page, consoleCopy.back);
  await expect(page.getByRole("cell", { name: "年会", exact: true })).toBeVisible();
  await expectAccessible(page, "the list of codes");

  const visitor = await browser.newContext({ baseURL: productUrl });
  await logInByRequest(visitor.request, productUrl);
  const theirs = await visitor.newPage();
  await theirs.goto(paths.subscribe, { waitUntil: "networkidle" });
  const { redeem } = subscribePageCopy;
  await type(theirs, redeem.label, "AAAA-BBBB");
  await theirs.keyboard.press("Enter");
  await expect(theirs.getByText(errorSentences["redeem-wrong"])).toBeVisible();
  await expectAccessible(theirs, "a wrong code");
  await reach(theirs, theirs.getByLabel(redeem.label));
  await theirs.keyboard.press("ControlOrMeta+a");
  await theirs.keyboard.type(codes[0]?.toLowerCase() ?? "");
  await theirs.keyboard.press("Enter");
  await expect(theirs.getByText(redeem.characters(4321))).toBeVisible();
  await expect(theirs.locator("section", { has: theirs.locator("#ledger") }).getByText("+4,321 字")).toBeVisible();
  await visitor.close();
});
