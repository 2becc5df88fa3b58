import type { Locator, Page } from "playwright/test";
import { accountCopy, loginCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { editorCopy, toneDialogCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { toneCopy } from "~/copy/generation";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { humanCardCopy, navCopy, siteCopy } from "~/copy/site";
import { squareCopy } from "~/copy/square";
import { subscribePageCopy } from "~/copy/subscribe";
import { paths } from "~/paths";
import { newPhone } from "../support/new-phone";
import { expect, test } from "./fixtures";

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Presses Tab until the element has the focus; fails if it is unreachable. */
async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab") {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < 80; stops++) {
    await page.keyboard.press(key);
    if (await isFocused(target)) return;
  }
  throw new Error(`${key} does not reach ${target}`);
}

async function press(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab") {
  await tabTo(page, target, key);
  await page.keyboard.press("Enter");
}

const onlyDialog = async (page: Page, role: "dialog" | "alertdialog", name: string) => {
  const one = page.getByRole(role, { name });
  await expect(one).toBeVisible();
  await expect(page.getByRole("dialog").or(page.getByRole("alertdialog"))).toHaveCount(1);
  // The focus stays inside the dialog.
  await expect.poll(() => one.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  return one;
};
const noDialog = (page: Page) => expect(page.getByRole("dialog").or(page.getByRole("alertdialog"))).toHaveCount(0);

const menuOf = (page: Page) => page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });
const inNav = (page: Page, name: string) =>
  page.getByRole("navigation", { name: siteCopy.mainNav }).getByRole("link", { name, exact: true });

async function logIn(page: Page) {
  await press(page, page.getByRole("link", { name: siteCopy.login, exact: true }));
  const form = await onlyDialog(page, "dialog", loginCopy.title);
  const phone = form.getByLabel(loginCopy.phone, { exact: true });
  if (!(await isFocused(phone))) await tabTo(page, phone);
  await page.keyboard.type(newPhone());
  await press(page, form.getByRole("button", { name: loginCopy.send }));
  await press(page, form.getByRole("button", { name: loginCopy.fill }));
  const go = form.getByRole("button", { name: loginCopy.go, exact: true });
  await expect(go).toBeEnabled();
  await press(page, go);
  await expect(menuOf(page)).toBeVisible();
  await page.waitForLoadState("networkidle");
}

/** Uses the skip link past the navigation and arrow keys to choose a voice. */
async function cloneOnce(page: Page) {
  await press(page, page.getByRole("link", { name: siteCopy.skip }));
  await expect(page.getByRole("main")).toBeFocused();
  const card = page.getByRole("region", { name: trialCopy.label });
  await tabTo(page, card.getByRole("radio", { name: trialCopy.voice.sources.record }));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(card.getByRole("radio", { name: trialCopy.voice.sources.sample })).toBeFocused();
  const first = card.getByRole("group", { name: trialCopy.voice.samples }).getByRole("radio").first();
  await tabTo(page, first);
  await page.keyboard.press("Space");
  await expect(first).toBeChecked();
  await tabTo(page, card.getByLabel(trialCopy.text.label));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("只用键盘也行。");
  await press(page, card.getByRole("button", { name: trialCopy.go }));
  const download = card.getByRole("link", { name: trialResultCopy.download("MP3") });
  await expect(download).toBeVisible();
  await tabTo(page, download);
}

async function lookAtPaying(page: Page) {
  await press(page, page.getByRole("contentinfo").getByRole("link", { name: siteCopy.footer.subscribe }));
  await expect(page).toHaveURL(new RegExp(`${paths.subscribe}$`));
  const buy = page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) });
  await press(page, buy);
  const pay = await onlyDialog(page, "dialog", checkoutCopy.title);
  await tabTo(page, pay.getByRole("radio", { name: checkoutCopy.methods[1] }));
  await page.keyboard.press("ArrowRight");
  await expect(pay.getByRole("radio", { name: checkoutCopy.methods[2] })).toBeChecked();
  await page.keyboard.press("Escape");
  const retention = await onlyDialog(page, "alertdialog", checkoutCopy.retention.title);
  await press(page, retention.getByRole("button", { name: checkoutCopy.retention.stay }));
  await onlyDialog(page, "dialog", checkoutCopy.title);
  await page.keyboard.press("Escape");
  await noDialog(page);
  await expect(buy).toBeFocused();
}

/** Buys a month at the sandbox gateway, whose page opens beside. */
async function pay(page: Page) {
  await press(page, page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }));
  const dialog = await onlyDialog(page, "dialog", checkoutCopy.title);
  const opened = page.context().waitForEvent("page");
  await press(page, dialog.getByRole("link", { name: checkoutCopy.openCashier }));
  const cashier = await opened;
  await press(cashier, cashier.getByRole("button", { name: checkoutCopy.cashier.levers.pay, exact: true }));
  await page.bringToFront();
  const thanks = await onlyDialog(page, "dialog", checkoutCopy.success.title);
  await press(page, thanks.getByRole("button", { name: checkoutCopy.success.done }));
  await noDialog(page);
}

/** Writes two lines, gives the second a mood and generates both. */
async function dubOnce(page: Page) {
  await press(page, inNav(page, navCopy.dubbing), "Shift+Tab");
  await tabTo(page, page.getByRole("textbox", { name: /^第 1 句台词/ }));
  await page.keyboard.type("天亮了。");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: /^第 2 句台词/ })).toBeFocused();
  await page.keyboard.type("走吧。");
  const second = page.getByRole("listitem", { name: /^第 2 句，/ });
  await press(page, second.getByRole("button", { name: new RegExp(`${editorCopy.delivery("")}$`) }), "Shift+Tab");
  const tone = page.getByRole("dialog");
  await press(page, tone.getByRole("button", { name: toneCopy.moods.happy, exact: true }));
  await press(page, tone.getByRole("button", { name: toneDialogCopy.done }));
  await noDialog(page);
  await expect(second.getByRole("button", { name: new RegExp(`^${toneCopy.moods.happy}`) })).toBeFocused();
  await press(page, page.getByRole("button", { name: dubGenerationCopy.go }));
  const play = page
    .getByRole("main")
    .getByRole("button", { name: new RegExp(`^${dubbingRecordsCopy.play("")}`) })
    .first();
  await expect(play).toBeVisible();
  await tabTo(page, play);
}

async function playSomeVoice(page: Page) {
  await press(page, inNav(page, navCopy.square), "Shift+Tab");
  await expect(page).toHaveURL(new RegExp(`${paths.square}$`));
  await expect(page.getByRole("heading", { level: 1, name: squareCopy.heading })).toBeVisible();
  const name = (await page.getByRole("main").getByRole("heading", { level: 3 }).first().textContent()) ?? "";
  await press(page, page.getByRole("button", { name: humanCardCopy.listen(name), exact: true }));
  await expect(page.getByRole("button", { name: humanCardCopy.pause(name), exact: true })).toBeFocused();
}

async function logOut(page: Page) {
  await press(page, menuOf(page), "Shift+Tab");
  const leave = page.getByRole("button", { name: accountCopy.logOut });
  await press(page, leave);
  await onlyDialog(page, "alertdialog", accountCopy.leaving.title);
  await page.keyboard.press("Escape");
  await noDialog(page);
  await expect(menuOf(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await press(page, leave);
  const question = await onlyDialog(page, "alertdialog", accountCopy.leaving.title);
  await press(page, question.getByRole("button", { name: accountCopy.leaving.confirm, exact: true }));
  await expect(page.getByRole("link", { name: siteCopy.login, exact: true })).toBeVisible();
}

test("the keyboard alone logs in, clones, pays, dubs, listens on the square and logs out", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(paths.home, { waitUntil: "networkidle" });
  await logIn(page);
  await cloneOnce(page);
  await lookAtPaying(page);
  await pay(page);
  await dubOnce(page);
  await playSomeVoice(page);
  await logOut(page);
});
