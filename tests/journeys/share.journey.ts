import type { Browser, Locator, Page } from "playwright/test";
import { bffPaths } from "~/call";
import { resultCopy } from "~/copy/generation";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { embedCopy, posterCopy, sayCopy, shareCopy, sharedPageCopy } from "~/copy/share";
import { playerCopy } from "~/copy/site";
import { paths } from "~/paths";
import { trialMax } from "~server/contract/limits";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const card = (page: Page) => page.getByRole("region", { name: trialCopy.label });
const siteBar = (page: Page) => page.getByRole("region", { name: playerCopy.region });

/** Opens the address in a separate browser, without scripts and cookies. */
async function openWithoutScripts(browser: Browser, address: string) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const response = await page.goto(address);
  return { context, page, status: response?.status() };
}

/** Reports the shared page and waits for the thanks. */
async function report(page: Page) {
  await page.getByText(sharedPageCopy.report.open).click();
  await page.getByRole("button", { name: sharedPageCopy.report.go }).click();
  await expect(page.getByText(sharedPageCopy.report.thanks)).toBeVisible();
}

/** A page shows the sound by the code of the dialog. The page is of our origin: browsers keep others from this machine. */
async function expectEmbedded(page: Page, dialog: Locator) {
  await dialog.getByText(embedCopy.open).click();
  const code = await dialog.getByRole("textbox", { name: embedCopy.link }).inputValue();
  const other = await page.context().newPage();
  const address = new URL("/another-page", page.url()).href;
  await other.route(address, (route) => route.fulfill({ contentType: "text/html", body: code }));
  const framed = other.waitForResponse((response) => response.url().endsWith("/embed"));
  await other.goto(address);
  expect((await framed).headers()["content-security-policy"]).toContain("frame-ancestors *");
  const frame = other.frameLocator("iframe");
  await expect(frame.getByText(sharedPageCopy.label)).toBeVisible();
  await expect
    .poll(() => frame.locator("audio").evaluate((audio: HTMLAudioElement) => audio.duration))
    .toBeGreaterThan(0.5);
  await other.close();
}

test("a trial is shared, plays for others without scripts, and is gone when it is revoked", async ({
  page,
  browser,
}) => {
  await page.goto(paths.home, { waitUntil: "networkidle" });
  await card(page).getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card(page).getByLabel(trialCopy.text.label).fill("今天的桃花开得正好。");
  await card(page).getByRole("button", { name: trialCopy.go }).click();
  await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
  await card(page).getByRole("button", { name: resultCopy.share }).click();
  const dialog = page.getByRole("dialog", { name: shareCopy.title });
  await dialog.getByRole("button", { name: shareCopy.create }).click();
  const address = await dialog.getByRole("textbox", { name: shareCopy.link }).inputValue();

  const shared = await openWithoutScripts(browser, address);
  expect(shared.status).toBe(200);
  const audio = shared.page.locator("audio");
  await expect(audio).toBeVisible();
  await expect(shared.page.getByRole("button", { name: playerCopy.play })).toBeHidden();
  await expect(shared.page.getByText(sharedPageCopy.label)).toBeVisible();
  const sound = await shared.context.request.get(new URL((await audio.getAttribute("src")) ?? "", address).href);
  expect(sound.headers()["content-type"]).toMatch(/^audio\//);
  await expectEmbedded(shared.page, dialog);
  const preview = await shared.page.locator('meta[property="og:image"]').getAttribute("content");
  const picture = await shared.context.request.get(preview ?? "");
  expect(picture.headers()["content-type"]).toBe("image/png");

  await report(shared.page);
  const reader = await browser.newPage();
  await reader.goto(address, { waitUntil: "networkidle" });
  await expect(reader.locator("audio")).toHaveCount(0);
  const sounding = reader.getByRole("region", { name: sharedPageCopy.sound });
  await sounding.getByRole("button", { name: playerCopy.play }).click();
  await expect(sounding.getByRole("button", { name: playerCopy.pause })).toBeVisible();
  await sounding.getByRole("slider", { name: playerCopy.position }).press("End");
  await expect(sounding.getByRole("button", { name: playerCopy.play })).toBeVisible();
  await reader.getByRole("button", { name: posterCopy.open }).click();
  const poster = reader.getByRole("dialog", { name: posterCopy.title });
  await expect(poster.getByRole("img")).toBeVisible();
  await expect(poster.getByRole("link", { name: posterCopy.save })).toHaveAttribute("href", /^data:image\/png/);
  await reader.keyboard.press("Escape");
  await reader.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await report(reader);
  // Sent by Remix's fetcher: the page stays.
  expect(await reader.evaluate(() => "isSameDocument" in window)).toBe(true);
  await reader.close();

  await dialog.getByRole("button", { name: shareCopy.revoke }).click();
  await expect(dialog.getByRole("button", { name: shareCopy.create })).toBeVisible();
  expect((await shared.page.goto(address))?.status()).toBe(410);
  await expect(shared.page.getByRole("heading", { name: sharedPageCopy.gone.heading })).toBeVisible();
  await shared.context.close();
});

test("a person says a visitor's sentences until the trials end, and the text stays for the login", async ({ page }) => {
  const { voices } = await (await page.request.get(`${bffPaths.squareVoices}?page=1`)).json();
  const [{ roleId, name }] = voices;
  await page.goto(paths.person(roleId), { waitUntil: "networkidle" });
  const field = page.getByLabel(sayCopy.label(name));
  await page.getByRole("button", { name: sayCopy.go }).click();
  await expect(page.getByText(sayCopy.empty)).toBeVisible();
  for (let used = 1; used <= trialMax; used++) {
    await field.fill(`第 ${used} 句，山坡上的桃花开了。`);
    await field.press("Enter");
    const said = page.getByRole("region", { name: sayCopy.said(name) });
    await expect(said.getByText(`第 ${used} 句，山坡上的桃花开了。`)).toBeAttached();
    await expect(said.getByRole("button", { name: playerCopy.pause })).toBeVisible();
  }
  await expect(siteBar(page)).toHaveCount(0);
  await expect(page.getByRole("slider", { name: playerCopy.position })).toHaveCount(1);
  const preview = await page.locator('meta[property="og:image"]').getAttribute("content");
  expect((await page.request.get(preview ?? "")).headers()["content-type"]).toBe("image/png");
  await expectAccessible(page, "a person who speaks");
  await field.fill("还想再听一句。");
  await page.getByRole("button", { name: trialCopy.usedUp.visitor }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.reload({ waitUntil: "networkidle" });
  await expect(field).toHaveValue("还想再听一句。");
});
