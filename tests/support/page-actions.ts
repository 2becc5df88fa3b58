import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright";
import { trialCopy } from "~/copy/home";

/** The file that the browser saves at a press. */
export async function downloadBy(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export const dispatchPaste = (into: Locator, text: string): Promise<void> =>
  into.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);

/** Chooses the first sample voice of the trial card. */
export async function chooseSample(page: Page): Promise<void> {
  const card = page.getByRole("region", { name: trialCopy.label });
  await card.getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card.getByRole("group", { name: trialCopy.voice.samples }).getByRole("radio").first().check({ force: true });
}
