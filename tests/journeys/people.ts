import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { accountCopy } from "~/copy/account";
import { loginCopy } from "~/copy/login";
import { sentences } from "~/copy/recording";
import { paths } from "~/paths";
import { writeSpokenRecording } from "../support/spoken-recording";
import { test as base, expect } from "./fixtures";

/** The browser's microphone hears a WAV of somebody reading a sentence, over and over; the file is there for uploads too. */
export const test = base.extend<object, { voiceFile: string }>({
  voiceFile: [
    async ({ browserName: _ }, use) => {
      const dir = mkdtempSync(join(tmpdir(), "voice-"));
      const file = join(dir, "reading.wav");
      await writeSpokenRecording(file, sentences[0]);
      await use(file);
      rmSync(dir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 60_000 },
  ],
  launchOptions: [
    async ({ launchOptions, voiceFile }, use) => {
      const microphone = [
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        `--use-file-for-fake-audio-capture=${voiceFile}`,
      ];
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...microphone] });
    },
    { scope: "worker" },
  ],
});

let phones = 0;
/** A code goes to a phone once a minute. */
const newPhone = () => `137${String(10_000_000 + process.pid * 100 + phones++).slice(-8)}`;

/** As somebody who has never been here. */
export async function logIn(page: Page) {
  await page.goto(paths.login, { waitUntil: "networkidle" });
  await page.getByLabel(loginCopy.phone, { exact: true }).fill(newPhone());
  await page.getByRole("button", { name: loginCopy.send }).click();
  await page.getByRole("button", { name: loginCopy.fill }).click();
  await page.getByRole("button", { name: loginCopy.go, exact: true }).click();
  await expect(page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) })).toBeVisible();
  await page.waitForLoadState("networkidle");
}

export { expect };
