import type { BrowserContext, Page } from "playwright/test";
import { bffPaths } from "~/call";
import { loginCopy } from "~/copy/account";
import { audibleMarkCopy } from "~/copy/audible-mark";
import { checkoutCopy } from "~/copy/checkout";
import { cloneRecordsCopy, composerCopy } from "~/copy/clone";

import { errorSentences } from "~/copy/errors";
import { costCopy, emphasisCopy, readingCopy, toneCopy } from "~/copy/generation";
import { noScriptCopy } from "~/copy/pages";
import { confirmCopy, playerCopy } from "~/copy/site";
import { voicePickerCopy } from "~/copy/square";
import { paths } from "~/paths";
import { expireForNow, logInByForm } from "../support/browser-login";
import { findFlacLabels, findMp3Labels, findMp4Labels, findWavLabels } from "../support/independent-label";
import { downloadBy, preloadsOf } from "../support/page-actions";
import { findFaults } from "./axe";
import { expect, test } from "./fixtures";

const box = (page: Page) => page.getByRole("region", { name: composerCopy.label });
const list = (page: Page) => page.getByRole("list", { name: cloneRecordsCopy.list });
const row = (page: Page, text: string) => list(page).getByRole("listitem").filter({ hasText: text });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const go = (page: Page) => box(page).getByRole("button", { name: composerCopy.go, exact: true });
const write = (page: Page, text: string) => box(page).getByLabel(composerCopy.text.label).fill(text);

const open = (page: Page, path: string = paths.clone) => page.goto(path, { waitUntil: "networkidle" });

/** Opens the page with a new account that has all its trials. */
async function enter(page: Page) {
  await page.goto(paths.loginFrom(paths.clone), { waitUntil: "networkidle" });
  await logInByForm(page);
  await expect(page).toHaveURL(new RegExp(`${paths.clone}$`));
  await page.waitForLoadState("networkidle");
}

/** Makes the account a member by a sandbox payment. */
async function join(page: Page, context: BrowserContext, tier?: 1) {
  await page.getByRole("button", { name: toneCopy.change }).click();
  await page.getByText(toneCopy.fine, { exact: true }).click();
  await page.getByRole("button", { name: toneCopy.unlock }).click();
  const tabs = dialog(page, checkoutCopy.title).getByRole("tab");
  await expect(tabs.and(page.getByRole("tab", { name: checkoutCopy.tabs[2] }))).toHaveAttribute(
    "aria-selected",
    "true",
  );
  if (tier) await tabs.and(page.getByRole("tab", { name: checkoutCopy.tabs[tier] })).click();
  await payInDialog(page, context);
  await page.getByRole("button", { name: checkoutCopy.success.done }).click();
}

async function payInDialog(page: Page, context: BrowserContext) {
  const opened = context.waitForEvent("page");
  await dialog(page, checkoutCopy.title).getByRole("link", { name: checkoutCopy.openCashier }).click();
  const cashier = await opened;
  await cashier.getByRole("button", { name: checkoutCopy.cashier.levers.pay, exact: true }).click();
  await page.bringToFront();
  await dialog(page, checkoutCopy.success.title).waitFor({ timeout: 20_000 });
  await cashier.close();
}

async function chooseVoice(page: Page) {
  await box(page)
    .getByRole("button", { name: new RegExp(`${composerCopy.voice.pick}|${composerCopy.voice.change}`) })
    .click();
  await page.getByRole("tab", { name: voicePickerCopy.tabs.square }).click();
  const first = page.getByRole("list", { name: voicePickerCopy.results }).getByRole("listitem").first();
  await first.getByRole("button").first().click();
  await expect(dialog(page, voicePickerCopy.title)).toBeHidden();
}

const isDone = (page: Page, text: string) =>
  expect(row(page, text).getByRole("button", { name: cloneRecordsCopy.download("") })).toBeVisible();

async function expectClean(page: Page) {
  expect(await findFaults(page)).toEqual([]);
}

const expectNoScroll = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

test("a visitor writes, logs in when pressing clone, and the clone continues, plays and is stored", async ({
  page,
}) => {
  await open(page);
  await expect(page.getByRole("heading", { name: cloneRecordsCopy.visitor.heading })).toBeVisible();
  await chooseVoice(page);
  await write(page, "银行里的人都在排队。");
  await expect(box(page).getByText(composerCopy.costs.visitor(10))).toBeVisible();
  await go(page).click();
  await expect(dialog(page, loginCopy.title)).toContainText(loginCopy.reasons["to-clone"]);
  await logInByForm(page);
  await expect(row(page, "银行里的人都在排队。")).toBeVisible();
  await expect(box(page).getByLabel(composerCopy.text.label)).toHaveValue("银行里的人都在排队。");
  await expect(
    page
      .getByRole("progressbar")
      .or(page.getByRole("button", { name: cloneRecordsCopy.download("") }))
      .first(),
  ).toBeVisible();
  await isDone(page, "银行里");
  await expect(box(page).getByRole("button", { name: costCopy.againTrial })).toBeVisible();

  // The result plays by itself, and its record is marked and in sight.
  await expect(page.getByRole("region", { name: playerCopy.region })).toBeVisible();
  await expect(row(page, "银行里").getByText(cloneRecordsCopy.latest)).toBeInViewport();
  for (const [format, find] of [
    ["MP3", findMp3Labels],
    ["WAV", findWavLabels],
    ["M4A", findMp4Labels],
    ["FLAC", findFlacLabels],
  ] as const) {
    await row(page, "银行里")
      .getByRole("button", { name: cloneRecordsCopy.download("") })
      .click();
    const { name, bytes } = await downloadBy(page, () =>
      page.getByRole("menuitem", { name: cloneRecordsCopy.downloadAs(format) }).click(),
    );
    expect(name).toMatch(new RegExp(`^银行里的人都在排队-[^-]+-20\\d{6}-\\d{4}\\.${format.toLowerCase()}$`));
    expect(find(bytes).length).toBeGreaterThan(0);
  }
  await row(page, "银行里")
    .getByRole("button", { name: cloneRecordsCopy.download("") })
    .click();
  await page.getByRole("menuitem", { name: playerCopy.markNote }).click();
  await expect(dialog(page, audibleMarkCopy.title)).toBeVisible();
});

test("three presses make one paid record, which plays for nothing; another delivery says its cost", async ({
  page,
}) => {
  await enter(page);
  await chooseVoice(page);
  await write(page, "一次就够。");
  // Its words change with its state; a press by force also reaches a busy button.
  const button = box(page).locator("button[aria-describedby=clone-cost]");
  await button.click();
  await expect(row(page, "一次就够").first()).toBeVisible();
  for (let press = 0; press < 2; press++) await button.click({ force: true });
  await isDone(page, "一次就够");
  const used = async () => 3 - (await (await page.request.get(bffPaths.clones)).json()).allowance.left;
  expect(await used()).toBe(1);
  await expect(box(page).getByText(composerCopy.same.done(costCopy.takesTrial(1)))).toBeVisible();
  await expectClean(page);
  // The result played by itself.
  const player = page.getByRole("region", { name: playerCopy.region });
  await player.getByRole("button", { name: playerCopy.close }).click();
  await expect(button).toHaveText(composerCopy.same.listen);
  await button.click();
  await expect(player).toBeVisible();
  await expect(row(page, "一次就够")).toHaveCount(1);

  const again = box(page).getByRole("button", { name: costCopy.againTrial });
  await again.focus();
  await page.keyboard.press("Enter");
  await expect(row(page, "一次就够")).toHaveCount(2);
  await expect(button).toBeFocused();
  await expect(row(page, "一次就够").getByRole("button", { name: cloneRecordsCopy.download("") })).toHaveCount(2);
  expect(await used()).toBe(2);

  await write(page, "一次就够，再改一个字。");
  await expect(go(page)).toBeVisible();
  await expect(box(page).getByText(costCopy.takesTrial(0))).toBeVisible();
});

const long = (opening: string) =>
  `${opening}，${"清晨的菜市场里有最新鲜的青菜，刚出锅的豆浆，还有一路的吆喝声。".repeat(12)}`;

test.describe("with a membership", () => {
  // After a payment the account is loaded twice; Remix logs the aborted first load.
  test.use({ allowedErrors: [/^AbortError/] });

  test("a member sees progress everywhere, cancels without a charge and retries", async ({ page, context }) => {
    await enter(page);
    await join(page, context, 1);
    await chooseVoice(page);
    const other = await context.newPage();
    await open(other);

    const text = long("第一段");
    await write(page, text);
    const before = await box(page)
      .getByText(/将消耗 \d+ 字/)
      .innerText();
    await go(page).click();
    const bar = row(page, "第一段").getByRole("progressbar");
    await expect(bar).toBeVisible();
    await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(10);
    await expect(row(other, "第一段").getByRole("progressbar")).toBeVisible();
    await page.reload({ waitUntil: "networkidle" });
    await expect(row(page, "第一段").getByRole("progressbar")).toBeVisible();
    await expect(box(page).getByLabel(composerCopy.text.label)).toHaveValue(text);
    await expect(box(page).getByText(before)).toBeHidden();

    await row(page, "第一段").getByRole("button", { name: cloneRecordsCopy.cancel, exact: true }).click();
    await expect(page.getByText(new RegExp(`${cloneRecordsCopy.states.cancelled}，.*已退回`))).toBeVisible();
    await expect(row(page, "第一段").getByText(cloneRecordsCopy.states.cancelled, { exact: true })).toBeVisible();
    await expect(row(other, "第一段").getByText(cloneRecordsCopy.states.cancelled, { exact: true })).toBeVisible();
    // Nothing was charged: cost and balance are unchanged.
    await expect(box(page).getByText(before)).toBeVisible();

    await row(page, "第一段").getByRole("button", { name: cloneRecordsCopy.retry }).click();
    await expect(row(page, "第一段").getByRole("progressbar")).toBeVisible();
    await expect(box(page).getByText(before)).toBeHidden();
    await row(page, "第一段").getByRole("button", { name: cloneRecordsCopy.cancel, exact: true }).click();
    await expect(box(page).getByText(before)).toBeVisible();
  });
});

test("records are searched, filtered, copied, reused and deleted in bulk", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await enter(page);
  await expect(page.getByRole("heading", { name: cloneRecordsCopy.empty.heading })).toBeVisible();
  await page.getByRole("button", { name: cloneRecordsCopy.empty.action }).click();
  await expect(box(page).getByLabel(composerCopy.text.label)).toHaveValue(cloneRecordsCopy.empty.sample);
  await chooseVoice(page);
  for (const text of ["春天来了。", "雨停了。", "风起来了。"]) {
    await write(page, text);
    await go(page).click();
    await expect(row(page, text)).toBeVisible();
  }
  for (const text of ["春天来了。", "雨停了。", "风起来了。"]) await isDone(page, text);

  await page.getByRole("searchbox", { name: cloneRecordsCopy.search }).fill("雨停");
  await expect(list(page).getByRole("listitem")).toHaveCount(1);
  await page.goBack();
  await expect(list(page).getByRole("listitem")).toHaveCount(3);
  await page.getByRole("link", { name: cloneRecordsCopy.statuses[3], exact: true }).click();
  await expect(page.getByRole("heading", { name: cloneRecordsCopy.nothingFound.heading })).toBeVisible();
  await page.getByRole("link", { name: cloneRecordsCopy.nothingFound.action }).click();

  await write(page, "别的话。");
  await page.getByRole("button", { name: cloneRecordsCopy.more("雨停了。") }).click();
  await page.getByRole("menuitem", { name: cloneRecordsCopy.save }).waitFor({ state: "detached" });
  await page.getByRole("menuitem", { name: cloneRecordsCopy.reuse }).click();
  await expect(box(page).getByLabel(composerCopy.text.label)).toHaveValue("雨停了。");

  await page.getByRole("button", { name: cloneRecordsCopy.more("风起来了。") }).click();
  await page.getByRole("menuitem", { name: cloneRecordsCopy.copy }).click();
  await expect(page.getByText(cloneRecordsCopy.copied)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("风起来了。");

  await row(page, "春天来了。").getByRole("checkbox").check();
  await row(page, "雨停了。").getByRole("checkbox").check();
  await page.getByRole("button", { name: cloneRecordsCopy.removeMany(2) }).click();
  await page
    .getByRole("alertdialog", { name: cloneRecordsCopy.confirm.title })
    .getByRole("button", { name: confirmCopy.cancel })
    .click();
  await expect(list(page).getByRole("listitem")).toHaveCount(3);
  await page.getByRole("button", { name: cloneRecordsCopy.removeMany(2) }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: cloneRecordsCopy.confirm.go, exact: true }).click();
  await expect(list(page).getByRole("listitem")).toHaveCount(1);
  await page.reload({ waitUntil: "networkidle" });
  await expect(list(page).getByRole("listitem")).toHaveCount(1);
});

test.describe("refusals", () => {
  // The browser logs refused requests.
  test.use({ allowedErrors: [/401|403/] });

  test("without a trial left only the membership dialog opens, and the refused text is spoken after a purchase", async ({
    page,
    context,
  }) => {
    await enter(page);
    await chooseVoice(page);
    for (const text of ["一。", "二。", "三。"]) {
      await write(page, text);
      await go(page).click();
      await expect(row(page, text)).toBeVisible();
    }
    await expect(box(page).getByText(costCopy.noTrial)).toBeVisible();
    await write(page, "四。");
    await go(page).click();
    await expect(dialog(page, checkoutCopy.title)).toBeVisible();
    await expect(page.getByText(errorSentences.entitlement)).toHaveCount(0);
    await expect(row(page, "四。")).toHaveCount(0);
    await expect(box(page).locator("[role=alert]")).toHaveCount(1);
    await payInDialog(page, context);
    await page.reload({ waitUntil: "networkidle" });
    await page.getByRole("button", { name: checkoutCopy.success.goOn }).click();
    await expect(row(page, "四。")).toBeVisible();
    await expect(box(page).getByText(costCopy.noTrial)).toHaveCount(0);
    await expect(box(page).getByRole("alert")).toHaveCount(0);
  });

  test("an expired login leads to the login page, and the pressed action continues after the account's next login", async ({
    page,
  }) => {
    await enter(page);
    // The press finds the login expired before the page's own calls do: the account keeps the voice that was used.
    const isKept = page.waitForResponse((answer) => answer.url().endsWith(bffPaths.passed("projectPut")));
    await chooseVoice(page);
    await write(page, "登录过期也不丢。");
    await isKept;
    await page.waitForLoadState("networkidle");
    const logInAgain = await expireForNow(page);
    await go(page).click();
    await expect(page).toHaveURL(/\/user\/login/);
    await expect(page.getByText(errorSentences["login-expired"])).toBeVisible();
    await logInAgain(paths.clone);
    await expect(row(page, "登录过期也不丢。")).toBeVisible();
  });
});

test.describe("with a list that cannot be read", () => {
  test.use({ allowedErrors: [/503/] });

  test("the list arrives after the document, failures have a retry, and without scripts a link leads to it", async ({
    page,
    context,
    browser,
    productUrl,
  }) => {
    await enter(page);
    await chooseVoice(page);
    await write(page, "后来才到的记录。");
    await go(page).click();
    await isDone(page, "后来才到");
    await open(page);
    await expect(row(page, "后来才到")).toBeVisible();
    expect(await preloadsOf(page, bffPaths.clones)).toBe(1);

    const answer = { status: 503, json: { refusal: { code: "network" } } };
    await page.route(`**${bffPaths.clones}`, (route) => route.fulfill(answer));
    await open(page);
    await expect(page.getByRole("heading", { name: cloneRecordsCopy.failed.heading })).toBeVisible();
    await page.unroute(`**${bffPaths.clones}`);
    await page.getByRole("button", { name: cloneRecordsCopy.failed.action }).click();
    await expect(row(page, "后来才到")).toBeVisible();

    const storageState = await context.storageState();
    const still = await browser.newContext({ baseURL: productUrl, storageState, javaScriptEnabled: false });
    const unscripted = await still.newPage();
    await unscripted.goto(paths.clone);
    await unscripted.getByRole("link", { name: noScriptCopy.toRecords }).click();
    await expect(row(unscripted, "后来才到")).toBeVisible();
    await still.close();
  });
});

test.describe("at 360 px", () => {
  test.use({ viewport: { width: 360, height: 780 } });

  test("the keyboard alone chooses a voice, inserts a pause, plays the result and deletes it", async ({ page }) => {
    await enter(page);
    await box(page).getByRole("button", { name: composerCopy.voice.pick }).focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page, voicePickerCopy.title)).toBeVisible();
    // An account without roles sees the square.
    await expect(page.getByRole("list", { name: voicePickerCopy.results })).toBeVisible();
    await page.getByRole("tab", { name: voicePickerCopy.tabs.square }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(dialog(page, voicePickerCopy.title)).toBeHidden();

    await box(page).getByLabel(composerCopy.text.label).focus();
    await page.keyboard.type("听得见吗。");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menu")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(box(page).getByLabel(composerCopy.text.label)).toHaveValue("听得见吗。#0.3#");
    await expect(box(page).getByLabel(composerCopy.text.label)).toBeFocused();
    await page.keyboard.type("好");
    await expect(box(page).getByLabel(composerCopy.text.label)).toHaveValue("听得见吗。#0.3#好");
    const emphasise = box(page).getByRole("button", { name: emphasisCopy.action, exact: true });
    await emphasise.focus();
    await page.keyboard.press("Enter");
    await expect(box(page).getByLabel(composerCopy.text.label)).toHaveValue("听得见吗。#0.3#[重读]好[/重读]");
    await expect(box(page).getByLabel(composerCopy.text.label)).toBeFocused();

    await go(page).focus();
    await page.keyboard.press("Enter");
    await isDone(page, "听得见吗");
    const play = row(page, "听得见吗").getByRole("button", { name: cloneRecordsCopy.play("听得见吗。好") });
    const pause = row(page, "听得见吗").getByRole("button", { name: cloneRecordsCopy.pause("听得见吗。好") });
    // The result plays by itself.
    await pause.waitFor();
    await play.focus();
    await page.keyboard.press("Enter");
    await pause.waitFor();
    await page.getByRole("button", { name: cloneRecordsCopy.more("听得见吗。好") }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    await page.keyboard.press("End");
    await expect(page.getByRole("menuitem", { name: cloneRecordsCopy.remove })).toBeFocused();
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").getByRole("button", { name: cloneRecordsCopy.confirm.go, exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: cloneRecordsCopy.empty.heading })).toBeVisible();
  });
});

test("a mood sounds at one press and is offered with its tier, and a professional member sets its strength", async ({
  page,
  context,
}) => {
  await enter(page);
  await chooseVoice(page);
  await write(page, "今天真热闹。");
  await page.getByRole("button", { name: toneCopy.change }).click();
  const mood = page.getByRole("button", { name: toneCopy.moods.happy, exact: true });
  const player = page.getByRole("region", { name: playerCopy.region });
  await mood.focus();
  await page.keyboard.press("Enter");
  await expect(player.getByText(toneCopy.sampleTitle(toneCopy.moods.happy))).toBeVisible();
  await expect(page.getByText(toneCopy.offer(toneCopy.moods.happy))).toBeVisible();
  // A sample costs nothing, and the tone stays as it was.
  await expect(box(page).getByText(costCopy.takesTrial(2))).toBeVisible();
  await expect(box(page).getByText(toneCopy.plain, { exact: false }).first()).toBeVisible();
  await page.getByRole("button", { name: toneCopy.fold, exact: true }).click();
  await join(page, context);
  await expect(page.getByRole("button", { name: toneCopy.unlock })).toHaveCount(0);
  await mood.click();
  await expect(mood).toHaveAttribute("aria-pressed", "true");
  const strong = page.getByRole("radio", { name: toneCopy.strengths.strong });
  const sampled = page.waitForRequest((request) => request.url().endsWith(bffPaths.passed("sample")));
  await strong.check({ force: true });
  expect((await sampled).postDataJSON()).toMatchObject({
    content: "今天真热闹。",
    genre: 2,
    ext: { happy: 1 },
  });
  await expect(strong).toBeChecked();
  await expectClean(page);
  const created = page.waitForRequest(
    (request) => request.url().endsWith(bffPaths.clones) && request.method() === "POST",
  );
  await go(page).click();
  expect((await created).postDataJSON()).toMatchObject({ genre: 2, ext: { happy: 1 } });
  await isDone(page, "今天真热闹");
});

for (const width of [360, 1280]) {
  test(`axe finds nothing in any state of the clone page, ${width} px`, async ({ browser, productUrl }) => {
    const context = await browser.newContext({
      baseURL: productUrl,
      locale: "zh-CN",
      viewport: { width, height: 800 },
    });
    const page = await context.newPage();
    const check = async () => {
      await expectNoScroll(page);
      await expectClean(page);
    };
    await open(page);
    await check();
    await box(page).getByRole("button", { name: composerCopy.voice.pick }).click();
    await expect(page.getByRole("list", { name: voicePickerCopy.results })).toBeVisible();
    await check();
    await page.keyboard.press("Escape");
    await box(page).getByRole("radio", { name: composerCopy.voice.sources.reference }).check({ force: true });
    await go(page).click();
    await expect(dialog(page, loginCopy.title)).toBeVisible();
    await logInByForm(page);
    await expect(page.getByRole("heading", { name: cloneRecordsCopy.empty.heading })).toBeVisible();
    await expect(box(page).getByRole("alert")).toBeVisible();
    await check();
    await chooseVoiceFromReference(page);
    await write(page, "银行里的人都在排队。");
    await box(page).getByLabel(composerCopy.text.label).press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await box(page).locator("[data-offset='1']").waitFor();
    await page.keyboard.press("Alt+Enter");
    const readings = page.getByRole("dialog", { name: readingCopy.label });
    await expect(readings.getByRole("button", { name: /^háng/ })).toBeVisible();
    await check();
    await readings.getByRole("button", { name: /^háng/ }).click();
    await expect(box(page).getByLabel(composerCopy.text.label)).toHaveValue("银行(hang2)里的人都在排队。");
    await go(page).click();
    await expect(row(page, "银行里")).toBeVisible();
    await check();
    await isDone(page, "银行里");
    await row(page, "银行里").getByRole("checkbox").check();
    await page.getByRole("button", { name: /^更多操作/ }).click();
    await check();
    await page.keyboard.press("Escape");
    await open(page, `${paths.clone}?keyword=nothing`);
    await expect(page.getByRole("heading", { name: cloneRecordsCopy.nothingFound.heading })).toBeVisible();
    await check();
    await context.close();
  });
}

async function chooseVoiceFromReference(page: Page) {
  await box(page).getByRole("radio", { name: composerCopy.voice.sources.role }).check({ force: true });
  await chooseVoice(page);
}
