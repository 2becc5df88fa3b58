import { readFileSync } from "node:fs";
import { editorCopy, musicRowCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { musicCopy } from "~/copy/dubbing-tools";
import { verdictCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { toPcm } from "~server/speech/dsp/pcm";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { buyTier } from "../support/journey-member";
import { newPhone } from "../support/new-phone";
import { tone } from "../support/sounds";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

test("music is chosen, heard with the first line, kept with the script, exported with it and known to verify", async ({
  page,
}) => {
  await buyTier(page, newPhone(), "vip");
  // Imitates Safari, where "playback" is heard in silent mode and "auto" lets the page record.
  await page.addInitScript(() => Object.assign(navigator, { audioSession: { type: "auto" } }));
  const sessionType = () => page.evaluate(() => (navigator as { audioSession?: { type: string } }).audioSession?.type);
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  const field = page.getByRole("textbox", { name: /^第 1 句台词/ });
  await field.fill("夜深了，巷子里一个人也没有。");
  const row = page.getByRole("button", { name: musicRowCopy.label });
  await row.click();
  const dialog = page.getByRole("dialog", { name: musicCopy.title });
  await dialog.getByRole("radio", { name: musicRowCopy.names.own }).check({ force: true });
  await expect(dialog.getByRole("button", { name: musicCopy.listen })).toBeDisabled();
  const { samples, sampleRate } = tone({ seconds: 6, hz: 200, level: 0.1 });
  const buffer = Buffer.from(encodeWav(toPcm(samples), sampleRate));
  await dialog
    .getByLabel(musicCopy.file, { exact: true })
    .setInputFiles({ name: "夜曲.wav", mimeType: "audio/wav", buffer });
  await expect(dialog.getByText("夜曲.wav")).toBeVisible();
  await dialog.getByRole("radio", { name: musicRowCopy.names.tense }).check({ force: true });
  await dialog.getByRole("slider", { name: musicCopy.level }).fill("-5");
  await expectAccessible(page, "music");
  await dialog.getByRole("button", { name: musicCopy.listen }).click();
  await expect(dialog.getByRole("button", { name: musicCopy.stop })).toBeVisible();
  expect(await sessionType()).toBe("playback");
  await dialog.getByRole("button", { name: musicCopy.use }).click();
  await expect(dialog).toBeHidden();
  expect(await sessionType()).toBe("auto");
  await expect(row).toContainText(musicRowCopy.text({ track: "tense", level: -5 }));

  await expect(page.getByText(editorCopy.saved)).toBeVisible();
  await page.reload({ waitUntil: "networkidle" });
  await expect(row).toContainText(musicRowCopy.names.tense);
  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  await page
    .getByRole("button", { name: dubbingRecordsCopy.play("") })
    .first()
    .waitFor({ timeout: 90_000 });
  await page.getByRole("button", { name: dubbingRecordsCopy.exportShort, exact: true }).click();
  const started = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: dubbingRecordsCopy.formats.mp3 }).click();
  const mp3 = readFileSync(await (await started).path());
  await page.goto(paths.verify, { waitUntil: "networkidle" });
  await page.locator("input[type=file]").setInputFiles({ name: "dub.mp3", mimeType: "audio/mpeg", buffer: mp3 });
  await expect(page.getByText(verdictCopy.signed.heading)).toBeVisible();
});
