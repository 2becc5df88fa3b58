import { readFileSync } from "node:fs";
import type { Page } from "playwright/test";
import { errorSentences } from "~/copy/errors";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { verdictCopy, verifyCopy, verifyFactsCopy, verifyPageCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { decodeRecording } from "~server/speech/recording/decode";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { speechLike, toPcm } from "../support/sounds";
import { findFaults } from "./axe";
import { expect, test } from "./fixtures";

const story = "昨天晚上我和朋友一起去看了一场精彩的足球比赛，大家都非常高兴，回来的路上还下起了小雨。";

async function downloadSpeech(page: Page): Promise<Buffer> {
  await page.goto(paths.home, { waitUntil: "networkidle" });
  const card = page.getByRole("region", { name: trialCopy.label });
  await card.getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card.getByRole("group", { name: trialCopy.voice.samples }).getByRole("radio").first().check({ force: true });
  await card.getByLabel(trialCopy.text.label).fill(story);
  await card.getByRole("button", { name: trialCopy.go }).click();
  const link = card.getByRole("link", { name: trialResultCopy.download("WAV") });
  await expect(link).toBeVisible();
  const started = page.waitForEvent("download");
  await link.click();
  return readFileSync(await (await started).path());
}

const choose = (page: Page, name: string, body: Uint8Array) =>
  page
    .getByLabel(new RegExp(verifyCopy.pick))
    .setInputFiles({ name, mimeType: "audio/wav", buffer: Buffer.from(body) });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true });
const another = (page: Page) => page.getByRole("button", { name: verifyCopy.another }).click();

test("our file is recognised by its label and without it by its sound, and a foreign file is not", async ({ page }) => {
  const wav = await downloadSpeech(page);
  await page.goto(paths.verify, { waitUntil: "networkidle" });
  await expect(page.getByRole("heading", { level: 1, name: verifyPageCopy.heading })).toBeVisible();
  await choose(page, "原样.wav", wav);
  await expect(heading(page, verdictCopy.signed.heading)).toBeFocused();
  await expect(page.getByText(verdictCopy.signed.sentence)).toBeVisible();
  await expect(page.getByText(verifyFactsCopy.labelled.yes, { exact: true })).toBeVisible();
  await expect(page.getByText(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/)).toBeVisible();
  await expect(page.getByText(/^[\da-f]{32}$/)).toBeVisible();
  await another(page);

  const { samples, sampleRate } = await decodeRecording(wav);
  const bare = encodeWav(toPcm({ samples: samples.slice(sampleRate, 7 * sampleRate), sampleRate }), sampleRate);
  await choose(page, "剪过.wav", bare);
  await expect(page.getByText(verdictCopy.fingerprint.sentence)).toBeVisible();
  await expect(page.getByText(verifyFactsCopy.labelled.no, { exact: true })).toBeVisible();
  await another(page);

  const stranger = speechLike({ seconds: 8, seed: 91 });
  await choose(page, "别人的.wav", encodeWav(toPcm(stranger), stranger.sampleRate));
  await expect(heading(page, verdictCopy.other.heading)).toBeVisible();
  await another(page);

  await choose(page, "太短.wav", encodeWav(toPcm(speechLike({ seconds: 1, seed: 92 })), stranger.sampleRate));
  await expect(heading(page, verdictCopy.unclear.heading)).toBeVisible();
});

test.describe("failures", () => {
  // The browser logs refusals and the lost connection.
  test.use({ allowedErrors: [/422|ERR_INTERNET_DISCONNECTED/] });

  test("a file without audio is refused, and a lost connection offers a retry", async ({ page, context }) => {
    await page.goto(paths.verify, { waitUntil: "networkidle" });
    await choose(page, "文章.wav", Buffer.from("这不是音频。".repeat(200)));
    await expect(page.getByRole("main").getByRole("alert")).toContainText(errorSentences["reference-not-audio"]);
    await another(page);
    const sound = speechLike({ seconds: 8, seed: 93 });
    await context.setOffline(true);
    await choose(page, "录音.wav", encodeWav(toPcm(sound), sound.sampleRate));
    await expect(page.getByRole("main").getByRole("alert")).toContainText(errorSentences.network);
    await context.setOffline(false);
    await page.getByRole("button", { name: verifyCopy.again }).click();
    await expect(heading(page, verdictCopy.other.heading)).toBeVisible();
  });
});

for (const [width, colorScheme] of [
  [360, "light"],
  [1280, "dark"],
] as const) {
  test(`axe finds nothing before and after a verdict, ${width} px wide, ${colorScheme}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 780 });
    await page.emulateMedia({ colorScheme });
    await page.goto(paths.verify, { waitUntil: "networkidle" });
    expect(await findFaults(page)).toEqual([]);
    // Enter opens the browser's file dialog.
    const chooser = page.waitForEvent("filechooser");
    await page.getByLabel(new RegExp(verifyCopy.pick)).press("Space");
    const sound = speechLike({ seconds: 8, seed: 94 });
    const buffer = Buffer.from(encodeWav(toPcm(sound), sound.sampleRate));
    await (await chooser).setFiles({ name: `${"很长的名字".repeat(12)}.wav`, mimeType: "audio/wav", buffer });
    await expect(heading(page, verdictCopy.other.heading)).toBeVisible();
    expect(await findFaults(page)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(sideways).toBe(false);
  });
}
