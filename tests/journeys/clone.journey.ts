import { readFileSync } from "node:fs";
import type { Page } from "playwright/test";
import { loginCopy } from "~/copy/account";
import { errorSentences } from "~/copy/errors";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { fileTips, recordingCopy, referenceCopy, uploadCopy } from "~/copy/recording";
import { humanCardCopy, playerCopy } from "~/copy/site";
import { paths } from "~/paths";
import { trialMax } from "~server/contract/limits";
import { decodeRecording } from "~server/speech/recording/decode";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { findMp3Labels, findWavLabels } from "../support/independent-label";
import { newPhone } from "../support/new-phone";
import { downloadBy } from "../support/page-actions";
import { mixed, noise, speechLike, sung, toPcm } from "../support/sounds";
import { writeSpokenRecording } from "../support/spoken-recording";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

const sentence = "今天的菜市场，西红柿三块五一斤。";

const test = withMicrophone("once");

const card = (page: Page) => page.getByRole("region", { name: trialCopy.label });
const player = (page: Page) => page.getByRole("region", { name: playerCopy.region });
const write = (page: Page, text: string) => card(page).getByLabel(trialCopy.text.label).fill(text);
/** Presses the pill of a source once it has stopped moving, which a result that scrolls into view moves. */
async function choose(page: Page, source: keyof typeof trialCopy.voice.sources) {
  const radio = card(page).getByRole("radio", { name: trialCopy.voice.sources[source] });
  await card(page).locator("label").filter({ hasText: trialCopy.voice.sources[source] }).click();
  await expect(radio).toBeChecked();
}
/** Opens the home page and waits until it is hydrated. */
const openHome = (page: Page) => page.goto(paths.home, { waitUntil: "networkidle" });
const press = (page: Page) => card(page).getByRole("button", { name: trialCopy.go }).click();

const save = (page: Page, format: "MP3" | "WAV") =>
  downloadBy(page, () =>
    card(page)
      .getByRole("link", { name: trialResultCopy.download(format) })
      .click(),
  );

test("a visitor records a sentence, hears another one in that voice and downloads the file", async ({ page }) => {
  await openHome(page);
  await expect(card(page).getByText(trialCopy.left(trialMax))).toBeVisible();
  await write(page, sentence);
  await card(page).getByRole("button", { name: recordingCopy.start }).click();
  await expect(card(page).getByText(/^00:0[6-9]$/)).toBeVisible();
  await card(page).getByRole("button", { name: recordingCopy.stop }).click();
  // Waits for the recording's check.
  await press(page);
  await expect(card(page).getByRole("progressbar", { name: trialResultCopy.bar })).toBeVisible();
  await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
  await expect(card(page).getByText(trialCopy.left(2))).toBeVisible();

  const bar = player(page);
  await expect(bar).toBeVisible();
  await expect(bar.getByText(trialCopy.voice.mine)).toBeVisible();
  const time = bar.getByText(/^00:0\d \/ 00:0[3-9]$/).filter({ visible: true });
  await expect(time).toBeVisible();
  await expect(time).toHaveText(/^00:0[1-9] /);

  const mp3 = await save(page, "MP3");
  expect(mp3.name).toMatch(/\.mp3$/);
  expect(findMp3Labels(mp3.bytes)).toHaveLength(1);
  const wav = await save(page, "WAV");
  expect(wav.name).toMatch(/\.wav$/);
  expect(findWavLabels(wav.bytes)).toHaveLength(1);
});

/** In the browser: a draft's recording is in idb-keyval's database, which is never opened before it exists. */
async function isRecordingStored() {
  if ((await indexedDB.databases()).length === 0) return false;
  return new Promise<boolean>((resolve) => {
    const opening = indexedDB.open("keyval-store");
    opening.onsuccess = () => {
      const keys = opening.result.transaction("keyval").objectStore("keyval").getAllKeys();
      keys.onsuccess = () => resolve(keys.result.length > 0);
      opening.result.close();
    };
  });
}

test("an uploaded recording is cloned, and a reload keeps text and voice", async ({ page, voiceFile }) => {
  await openHome(page);
  await choose(page, "upload");
  await card(page).getByLabel(new RegExp(uploadCopy.pick)).setInputFiles(voiceFile);
  await expect(card(page).getByRole("button", { name: referenceCopy.replace })).toBeVisible();
  await write(page, sentence);
  await page.waitForFunction(isRecordingStored);
  await page.reload();
  await expect(card(page).getByLabel(trialCopy.text.label)).toHaveValue(sentence);
  await expect(card(page).getByRole("button", { name: referenceCopy.replace })).toBeVisible();
  await press(page);
  await expect(card(page).getByRole("link", { name: trialResultCopy.download("WAV") })).toBeVisible();

  // The download belongs to the recording that was played, not to the current choice.
  await choose(page, "sample");
  await card(page).getByRole("button", { name: trialResultCopy.save }).click();
  await page
    .getByRole("dialog", { name: loginCopy.title })
    .getByLabel(loginCopy.phone, { exact: true })
    .fill(newPhone());
  await page.getByRole("button", { name: loginCopy.send }).click();
  await page.getByRole("button", { name: loginCopy.fill }).click();
  await page.getByRole("button", { name: loginCopy.go, exact: true }).click();
  await expect(page).toHaveURL(/voicePath=[^&]+/);
});

test("the keyboard alone chooses a sample voice, enters a text and plays and pauses the result", async ({ page }) => {
  await openHome(page);
  await card(page).getByRole("radio", { name: trialCopy.voice.sources.record }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(card(page).getByRole("group", { name: trialCopy.voice.samples })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(
    card(page).getByRole("group", { name: trialCopy.voice.samples }).getByRole("radio", { checked: true }),
  ).toHaveCount(1);
  await card(page).getByLabel(trialCopy.text.label).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(sentence);
  await card(page).getByRole("button", { name: trialCopy.go }).focus();
  await page.keyboard.press("Enter");
  await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
  await player(page).getByRole("button", { name: playerCopy.pause }).waitFor();
  await player(page).getByRole("button", { name: playerCopy.pause }).focus();
  await page.keyboard.press("Space");
  await expect(player(page).getByRole("button", { name: playerCopy.play, exact: true })).toBeVisible();
});

test("after three trials the button asks for a login and keeps the result, with and without local storage", async ({
  page,
}) => {
  await openHome(page);
  await choose(page, "sample");
  for (const left of [2, 1, 0]) {
    await write(page, `还剩${left}次。`);
    await press(page);
    await expect(card(page).getByText(trialCopy.left(left))).toBeVisible();
    // In the field, in the result and in its caption.
    await expect(card(page).getByText(`还剩${left}次。`)).toHaveCount(3);
  }
  const goOn = card(page).getByRole("button", { name: trialCopy.usedUp.visitor });
  await goOn.click();
  const dialog = page.getByRole("dialog", { name: loginCopy.title });
  await expect(dialog).toContainText(loginCopy.reasons["trials-used"]);
  await dialog.getByRole("button", { name: loginCopy.close }).click();
  await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(goOn).toBeVisible();
});

test("a missing voice, a missing text and a long text are reported before a call, each in its tab", async ({
  page,
}) => {
  await openHome(page);
  await press(page);
  await expect(card(page).getByText(referenceCopy.missing.record)).toBeVisible();
  await choose(page, "sample");
  await expect(card(page).getByText(referenceCopy.missing.record)).toHaveCount(0);
  await write(page, "");
  await press(page);
  await expect(card(page).getByText(trialCopy.text.empty)).toBeVisible();
  await write(page, "字".repeat(103));
  await expect(card(page).getByText(trialCopy.text.over(3))).toBeVisible();
});

test.describe("invalid files", () => {
  // The browser logs the upstream's refusal.
  test.use({ allowedErrors: [/422/] });

  test("invalid files are refused with a sentence and leave text and voice unchanged", async ({ page }) => {
    await openHome(page);
    await write(page, sentence);
    await choose(page, "upload");
    const picker = card(page).locator("input[type=file]");
    const words = Buffer.from("not audio at all ".repeat(100));
    await picker.setInputFiles({ name: "notes.doc", mimeType: "application/msword", buffer: words });
    await expect(card(page).getByText(uploadCopy.unreadable)).toBeVisible();
    await picker.setInputFiles({ name: "notes.ogg", mimeType: "audio/ogg", buffer: words });
    await press(page);
    await expect(card(page).getByText(errorSentences["reference-not-audio"])).toBeVisible();
    await expect(card(page).getByText(trialCopy.left(trialMax))).toBeVisible();
    for (const name of ["notes.mp3", "nothing.wav"]) {
      const buffer = name === "notes.mp3" ? words : silentWav(0);
      await picker.setInputFiles({ name, mimeType: "audio/mpeg", buffer });
      await expect(card(page).getByText(uploadCopy.unreadable)).toBeVisible();
      await expect(card(page).getByText(name)).toHaveCount(0);
    }
    await picker.setInputFiles({ name: "silence.wav", mimeType: "audio/wav", buffer: silentWav(6) });
    await expect(card(page).getByText(fileTips.silent ?? "")).toBeVisible();
    await expect(card(page).getByLabel(trialCopy.text.label)).toHaveValue(sentence);
    const song = Buffer.from(encodeWav(toPcm(sung({ seconds: 6 })), 22_050));
    await picker.setInputFiles({ name: "song.wav", mimeType: "audio/wav", buffer: song });
    await expect(card(page).getByText(fileTips.singing ?? "")).toBeVisible();
    const brief = Buffer.from(encodeWav(toPcm(speechLike({ seconds: 3.3 })), 22_050));
    await picker.setInputFiles({ name: "brief.wav", mimeType: "audio/wav", buffer: brief });
    await expect(card(page).getByText(fileTips.short ?? "")).toBeVisible();
    await expect(card(page).getByText(referenceCopy.usable, { exact: true })).toBeVisible();
  });
});

test("a noisy file is compared with what a noise filter makes of it", async ({ page }, testInfo) => {
  const path = testInfo.outputPath("spoken.wav");
  await writeSpokenRecording(path, "春天来了，公园里的花都开了，孩子们在草地上奔跑，老人坐在长椅上晒太阳。");
  const { samples, sampleRate } = await decodeRecording(readFileSync(path));
  const street = noise({ seconds: samples.length / sampleRate, sampleRate, seed: 5, level: 0.05 });
  const noisy = encodeWav(toPcm(mixed({ samples, sampleRate }, street)), sampleRate);
  await openHome(page);
  await choose(page, "upload");
  await card(page)
    .locator("input[type=file]")
    .setInputFiles({ name: "street.wav", mimeType: "audio/wav", buffer: Buffer.from(noisy) });
  await expect(card(page).getByText(fileTips.noisy ?? "")).toBeVisible();
  const pill = (value: "original" | "denoised") =>
    card(page).locator("label").filter({ hasText: referenceCopy.noise[value] });
  await pill("denoised").click();
  await expect(card(page).getByText(fileTips.noisy ?? "")).toHaveCount(0);
  await expect(card(page).getByText(referenceCopy.clear)).toBeVisible();
  await pill("original").click();
  await expect(card(page).getByText(fileTips.noisy ?? "")).toBeVisible();
  await pill("denoised").click();
  await write(page, sentence);
  await press(page);
  await expect(card(page).getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
});

test("of two files chosen one after the other the last counts", async ({ page }) => {
  await page.addInitScript(() => {
    const decode = OfflineAudioContext.prototype.decodeAudioData;
    let decoded = 0;
    OfflineAudioContext.prototype.decodeAudioData = async function (bytes) {
      if (decoded++ === 0) await new Promise((resolve) => window.addEventListener("decode", resolve));
      return decode.call(this, bytes);
    };
  });
  await openHome(page);
  await choose(page, "upload");
  const choosing = (name: string, seconds: number) =>
    card(page)
      .locator("input[type=file]")
      .setInputFiles({
        name,
        mimeType: "audio/wav",
        buffer: Buffer.from(encodeWav(toPcm(speechLike({ seconds })), 22_050)),
      });
  await choosing("slow.wav", 8);
  await expect(card(page).getByText(uploadCopy.reading)).toBeVisible();
  await choosing("quick.wav", 6);
  await expect(card(page).getByText("quick.wav")).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event("decode")));
  await page.waitForTimeout(2000);
  await expect(card(page).getByText("quick.wav")).toBeVisible();
});

test("a digital human speaks at one tap and keeps speaking on the next page", async ({ page }) => {
  await openHome(page);
  const listen = page.getByRole("button", { name: new RegExp(`^${humanCardCopy.listen("")}`) }).first();
  await expect(async () => {
    await page.reload();
    await expect(listen).toBeEnabled({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
  await listen.click();
  await expect(player(page)).toBeVisible();
  await page.getByRole("link", { name: "广场" }).first().click();
  await expect(page).toHaveURL(new RegExp(paths.square));
  await expect(player(page)).toBeVisible();
  await player(page).getByRole("button", { name: playerCopy.collapse }).click();
  await player(page).getByRole("button", { name: playerCopy.expand }).click();
  await player(page).getByRole("button", { name: playerCopy.close }).click();
  await expect(player(page)).toHaveCount(0);
});

function silentWav(seconds: number): Buffer {
  const rate = 16_000;
  const bytes = Buffer.alloc(44 + seconds * rate * 2);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return bytes;
}
