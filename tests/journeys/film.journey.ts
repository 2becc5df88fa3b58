import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright/test";
import { bffPaths } from "~/call";
import { cloneRecordsCopy } from "~/copy/clone";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { filmCopy } from "~/copy/film";
import { resultCopy } from "~/copy/generation";
import { shareCopy, sharedPageCopy } from "~/copy/share";
import { verdictCopy, verifyCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { consentStatementId } from "~server/contract/consent";
import { buyTier } from "../support/journey-member";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const sentence = "山坡上的桃花开了。";
/** A film of a few seconds on a busy machine. */
const filmMs = 240_000;

/** Plays a moment of it: the size of its picture, and whether its time advanced. */
const play = (video: Locator) =>
  video.evaluate(async (element: HTMLVideoElement) => {
    await element.play();
    await new Promise((resolve) => element.addEventListener("timeupdate", resolve, { once: true }));
    element.pause();
    return { width: element.videoWidth, height: element.videoHeight, hasPlayed: element.currentTime >= 0 };
  });

/** Makes a film in the open dialog and plays it there. */
async function makeFilm(page: Page): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name: filmCopy.title });
  await dialog.getByRole("button", { name: filmCopy.start }).click();
  await expect(dialog.getByRole("progressbar", { name: filmCopy.progress })).toBeVisible();
  const video = dialog.locator("video");
  await expect(video).toBeVisible({ timeout: filmMs });
  expect(await play(video)).toEqual({ width: 720, height: 1280, hasPlayed: true });
  return dialog;
}

async function downloadFilm(page: Page, dialog: Locator) {
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("link", { name: filmCopy.download }).click();
  return downloading;
}

/** A member's finished clone in the list of records. */
async function makeClone(page: Page, phone: string): Promise<Locator> {
  await buyTier(page, phone, "vip");
  const { voices } = await (await page.request.get(`${bffPaths.squareVoices}?page=1`)).json();
  const data = { content: sentence, roleId: voices[0].roleId, consent: { statementId: consentStatementId } };
  await page.request.post(bffPaths.clones, { data, headers: { origin: new URL(page.url()).origin } });
  await page.goto(paths.clone, { waitUntil: "networkidle" });
  const record = page.getByRole("listitem").filter({ hasText: sentence });
  await expect(record.getByRole("button", { name: cloneRecordsCopy.download("") })).toBeVisible();
  return record;
}

test("a clone becomes a film that is watched, downloaded and shared", async ({ page, browser }) => {
  test.setTimeout(filmMs + 120_000);
  const record = await makeClone(page, "13900001515");
  await record.getByRole("button", { name: cloneRecordsCopy.more(sentence) }).click();
  await page.getByRole("menuitem", { name: cloneRecordsCopy.film }).click();
  const dialog = await makeFilm(page);
  await expectAccessible(page, "a finished film");
  expect((await downloadFilm(page, dialog)).suggestedFilename()).toMatch(/\.mp4$/);

  await dialog.getByRole("button", { name: filmCopy.more("") }).click();
  await page.getByRole("menuitem", { name: resultCopy.share }).click();
  const sharing = page.getByRole("dialog", { name: shareCopy.filmTitle });
  await sharing.getByRole("button", { name: shareCopy.create }).click();
  const address = await sharing.getByRole("textbox", { name: shareCopy.link }).inputValue();
  const stranger = await browser.newContext();
  const shared = await stranger.newPage();
  await shared.goto(address, { waitUntil: "networkidle" });
  expect(await play(shared.locator("video"))).toEqual({ width: 720, height: 1280, hasPlayed: true });
  await expect(shared.getByText(sharedPageCopy.filmLabel)).toBeVisible();
  await stranger.close();
});

test("a film's layout is chosen in pictures, seen before it is made, and kept as a template", async ({ page }) => {
  test.setTimeout(filmMs + 120_000);
  const record = await makeClone(page, "13900001517");
  const open = async () => {
    await record.getByRole("button", { name: cloneRecordsCopy.more(sentence) }).click();
    await page.getByRole("menuitem", { name: cloneRecordsCopy.film }).click();
    return page.getByRole("dialog", { name: filmCopy.title });
  };
  const dialog = await open();
  const shown = dialog.getByRole("img", { name: /^预览/ }).locator("img").last();
  const people = await shown.getAttribute("src");
  await dialog.getByText(filmCopy.layouts.words, { exact: true }).click();
  await expect(dialog.getByRole("radio", { name: filmCopy.layouts.words })).toBeChecked();
  await expect(shown).not.toHaveAttribute("src", people ?? "");
  await dialog.getByText(filmCopy.sizes["1:1"], { exact: true }).click();
  await dialog.getByRole("textbox", { name: filmCopy.fields.title }).fill("桃花");
  await dialog.getByText(filmCopy.templates.title, { exact: true }).click();
  await dialog.getByRole("textbox", { name: filmCopy.templates.name }).fill("周更");
  await dialog.getByRole("button", { name: filmCopy.templates.save }).click();
  await expect(page.getByText(filmCopy.templates.saved)).toBeVisible();
  await expectAccessible(page, "the choices of a film");
  const chosen = await shown.getAttribute("src");
  await dialog.getByRole("button", { name: filmCopy.close }).click();

  const again = await open();
  await again.getByText(filmCopy.templates.title, { exact: true }).click();
  await again.getByRole("combobox", { name: filmCopy.templates.choose }).selectOption("周更");
  await expect(again.getByRole("textbox", { name: filmCopy.fields.title })).toHaveValue("桃花");
  await expect(shown).toHaveAttribute("src", chosen ?? "");
  await again.getByRole("button", { name: filmCopy.start }).click();
  const video = again.locator("video");
  await expect(video).toBeVisible({ timeout: filmMs });
  expect(await play(video)).toEqual({ width: 720, height: 720, hasPlayed: true });
});

test("a dub of two people becomes a film that plays and that the verify page recognises", async ({ page }) => {
  test.setTimeout(filmMs + 120_000);
  await buyTier(page, "13900001516", "vip");
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  const first = page.getByRole("textbox", { name: /^第 1 句台词/ });
  await expect(first).toBeVisible();
  await first.evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "沈砚：天刚亮，菜市场热闹起来了。\n林小满：老板，这一行都是新到的吗？");
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(page.getByRole("listitem", { name: /^第 2 句，/ })).toHaveAccessibleName(editorCopy.line(2, "林小满"));
  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  const records = page.getByRole("list", { name: dubbingRecordsCopy.list });
  await records.getByRole("button", { name: dubbingRecordsCopy.play("") }).waitFor({ timeout: 90_000 });
  await records.getByRole("button", { name: dubbingRecordsCopy.menu("") }).click();
  await page.getByRole("menuitem", { name: dubbingRecordsCopy.film }).click();
  const film = await downloadFilm(page, await makeFilm(page));

  await page.goto(paths.verify, { waitUntil: "networkidle" });
  const buffer = readFileSync(await film.path());
  await page
    .getByLabel(new RegExp(verifyCopy.pick))
    .setInputFiles({ name: film.suggestedFilename(), mimeType: "video/mp4", buffer });
  await expect(page.getByRole("heading", { level: 2, name: verdictCopy.signed.heading })).toBeFocused();
  await expect(page.getByText(verdictCopy.signed.sentence)).toBeVisible();
});
