import type { Page } from "playwright/test";
import { loginCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { cloneRecordsCopy, composerCopy } from "~/copy/clone";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { recordingCopy } from "~/copy/recording";
import { humanCardCopy, playerCopy, siteCopy } from "~/copy/site";
import { squareCopy, voicePickerCopy } from "~/copy/square";
import { subscribePageCopy } from "~/copy/subscribe";
import { pageSize } from "~/features/square/filter";
import { paths } from "~/paths";
import { logInByForm } from "../support/browser-login";
import { buyTier } from "../support/journey-member";
import { newPhone } from "../support/new-phone";
import { addForeignElements, translatePages } from "../support/page-changes";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

const test = withMicrophone("once");

const card = (page: Page) => page.getByRole("region", { name: trialCopy.label });
const composer = (page: Page) => page.getByRole("region", { name: composerCopy.label });
const player = (page: Page) => page.getByRole("region", { name: playerCopy.region });
const field = (page: Page, place: number) => page.getByRole("textbox", { name: new RegExp(`^第 ${place} 句台词`) });
const open = (page: Page, path: string) => page.goto(path, { waitUntil: "networkidle" });

/** The bar's clock is set, and its waveform is drawn once: without its style sheet the played part stands below. */
async function expectToPlay(page: Page) {
  await expect(
    player(page)
      .getByText(/^00:\d\d \/ 00:0[1-9]$/)
      .filter({ visible: true }),
  ).toBeVisible();
  await expect(player(page).locator(".progress")).toHaveCSS("position", "absolute");
}

async function openTranslated(page: Page, path: string) {
  await open(page, path);
  await expect(page.locator("main font").first()).toBeAttached();
}

test.describe("a translated page", () => {
  // Remix prints an AbortError where a page's data is no longer wanted.
  test.use({ allowedErrors: [/^AbortError/] });
  test.beforeEach(({ page }) => translatePages(page, "hydrated"));

  test("clones a recorded sentence on the home page, plays it and says what is going on", async ({ page }) => {
    await openTranslated(page, paths.home);
    await card(page).getByRole("button", { name: recordingCopy.start }).click();
    await expect(card(page).getByText(/^00:0[6-9]$/)).toBeVisible();
    await card(page).getByRole("button", { name: recordingCopy.stop }).click();
    await card(page).getByLabel(trialCopy.text.label).fill("今天的菜市场，西红柿三块五一斤。");
    await expect(card(page).getByText(trialCopy.text.count(16))).toBeVisible();
    await card(page).getByRole("button", { name: trialCopy.go }).click();
    await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
    await expect(card(page).getByText(trialCopy.left(2))).toBeVisible();
    await expect(card(page).getByRole("button", { name: trialCopy.again, exact: true })).toBeVisible();
    await expect(card(page).getByText(trialCopy.working)).toHaveCount(0);
    await expectToPlay(page);
  });

  test("lets a visitor log in, clone, listen and delete", async ({ page }) => {
    await openTranslated(page, paths.clone);
    await composer(page).getByRole("button", { name: composerCopy.voice.pick }).click();
    await page.getByRole("tab", { name: voicePickerCopy.tabs.square }).click();
    const voices = page.getByRole("list", { name: voicePickerCopy.results });
    await voices.getByRole("listitem").first().getByRole("button").first().click();
    await composer(page).getByLabel(composerCopy.text.label).fill("翻译以后再克隆。");
    await composer(page).getByRole("button", { name: composerCopy.go, exact: true }).click();
    await expect(page.getByRole("dialog", { name: loginCopy.title })).toBeVisible();
    await logInByForm(page);
    const record = page.getByRole("list", { name: cloneRecordsCopy.list }).getByRole("listitem");
    await expect(record.getByRole("button", { name: cloneRecordsCopy.download("") })).toBeVisible();
    await expect(record.getByText(cloneRecordsCopy.states.learning)).toHaveCount(0);
    await expectToPlay(page);
    await record.getByRole("checkbox").check();
    await expect(page.getByText(cloneRecordsCopy.selected(1))).toBeVisible();
    await page.getByRole("button", { name: cloneRecordsCopy.removeMany(1) }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: cloneRecordsCopy.confirm.go, exact: true }).click();
    await expect(page.getByRole("heading", { name: cloneRecordsCopy.empty.heading })).toBeVisible();
  });

  test("keeps the script that is typed, and generates and plays it", async ({ page }) => {
    await buyTier(page, newPhone(), "vip");
    await openTranslated(page, paths.dubbing);
    await field(page, 1).focus();
    await page.keyboard.type("天亮了。");
    await page.keyboard.press("Enter");
    await page.keyboard.type("走吧。");
    await page.getByRole("button", { name: editorCopy.add }).click();
    await page.keyboard.type("等等我！");
    await expect(page.getByText("共 3 句，将消耗 11 字")).toBeVisible();
    const lines = page.getByRole("textbox", { name: /^第 \d+ 句台词/ });
    await expect(lines).toHaveCount(3);
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+Y");
    await expect(field(page, 3)).toHaveValue("等等我！");
    await page.getByRole("button", { name: dubGenerationCopy.go }).click();
    await page
      .getByRole("button", { name: dubbingRecordsCopy.play("") })
      .first()
      .click();
    await expect(page.getByText(dubGenerationCopy.cost.nothing)).toBeVisible();
    await expect(page.getByRole("button", { name: dubGenerationCopy.going })).toHaveCount(0);
    await expectToPlay(page);
  });

  test("leads from the square to a payment and shows its order", async ({ page, context }) => {
    await openTranslated(page, paths.square);
    const people = page.getByRole("list", { name: squareCopy.results }).getByRole("article");
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await expect.poll(() => people.count()).toBeGreaterThan(pageSize);
    await page
      .getByRole("button", { name: new RegExp(`^${humanCardCopy.listen("")}`) })
      .first()
      .click();
    await expectToPlay(page);
    await page.getByRole("contentinfo").getByRole("link", { name: siteCopy.footer.subscribe }).click();
    await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }).click();
    await logInByForm(page);
    const dialog = page.getByRole("dialog", { name: checkoutCopy.title });
    await dialog.getByRole("radio", { name: checkoutCopy.methods[2] }).check();
    const opened = context.waitForEvent("page");
    await dialog.getByRole("link", { name: checkoutCopy.openCashier }).click();
    const cashier = await opened;
    await cashier.getByRole("button", { name: checkoutCopy.cashier.levers.pay, exact: true }).click();
    await page.getByRole("button", { name: checkoutCopy.success.done }).click();
    const orders = page.getByRole("region", { name: checkoutCopy.orders.heading });
    await expect(orders.getByText(checkoutCopy.orders.states.success)).toBeVisible();
  });
});

test("elements that an extension adds before the scripts run stay, and the page is the server's", async ({ page }) => {
  await addForeignElements(page);
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () =>
      Object.assign(window, { ofServer: [document.documentElement, document.querySelector("main")] }),
    );
  });
  await open(page, paths.dubbing);
  const isSame = () =>
    (window as unknown as { ofServer: Element[] }).ofServer.every(({ isConnected }) => isConnected) &&
    document.querySelectorAll("[data-foreign]").length === 2;
  expect(await page.evaluate(isSame)).toBe(true);
  // The menu names its button by an id that both sides have counted alike.
  await page.getByRole("button", { name: dubbingRecordsCopy.exportShort, exact: true }).click();
  await expect(page.getByRole("menu", { name: dubbingRecordsCopy.exportShort })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.locator(`header nav a[href="${paths.square}"]`).click();
  await page
    .getByRole("button", { name: new RegExp(`^${humanCardCopy.listen("")}`) })
    .first()
    .click();
  await expectToPlay(page);
  await expect(page).toHaveTitle(new RegExp(`^${squareCopy.title}`));
  await expect(page.locator("title")).toHaveCount(1);
  await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", new RegExp(`${paths.square}$`));
});

test.describe("a page translated before the scripts run", () => {
  // React reports the texts that are not the server's, and renders the page again.
  test.use({ allowedErrors: [/React error #4(18|23|25)/] });

  test("works, with its style sheet, colours and one waveform", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await translatePages(page, "parsed");
    await openTranslated(page, paths.square);
    const { light, system, label } = siteCopy.colorMode;
    await page.getByRole("button", { name: label(system, light) }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await expect(page.locator("body")).toHaveCSS("background-color", "rgb(250, 248, 244)");
    await page
      .getByRole("button", { name: new RegExp(`^${humanCardCopy.listen("")}`) })
      .first()
      .click();
    await expectToPlay(page);
  });
});
