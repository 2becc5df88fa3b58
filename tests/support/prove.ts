import { dirname, join } from "node:path";
import type { Page } from "playwright";
import { expect } from "playwright/test";
import { proofCopy } from "~/copy/proof";
import { readingSentences } from "~/copy/recording";
import { otherDelivery, referenceDelivery, writeSpokenRecording } from "./spoken-recording";

/** Chromium's microphone repeats the last milliseconds of a file that ended, as a tone: a slow test must not reach it. */
export const silenceAfterSeconds = 8;

/** Long enough a reference for a proof; the voice is that of `writeSpokenRecording`. */
export async function writeReference(beside: string): Promise<string> {
  const path = join(dirname(beside), `reference-${process.pid}.wav`);
  await writeSpokenRecording(path, readingSentences.slice(0, 2).join(""), referenceDelivery);
  return path;
}

/** Writes the prompt of the open dialog, read aloud, into a file, and returns the seconds of its speech. */
export async function writePrompt(page: Page, path: string): Promise<number> {
  await expect(page.getByRole("button", { name: proofCopy.start })).toBeVisible({ timeout: 30_000 });
  const lines = await page.getByRole("region", { name: proofCopy.prompt }).locator("p").allTextContents();
  return writeSpokenRecording(path, lines.join("。"), otherDelivery, silenceAfterSeconds);
}

/** Proves the voice in the open dialog with a file of the prompt read aloud. */
export async function proveByFile(page: Page, beside: string): Promise<void> {
  const path = join(dirname(beside), `prompt-${process.pid}.wav`);
  await writePrompt(page, path);
  await page.getByRole("dialog").getByLabel(proofCopy.upload).setInputFiles(path);
  await expect(page.getByText(proofCopy.passed)).toBeVisible({ timeout: 60_000 });
}
