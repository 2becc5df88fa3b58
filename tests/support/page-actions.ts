import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright";

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

/** How often the page has fetched the path that a `<link rel="preload">` names: the call that follows uses its answer. */
export const preloadsOf = (page: Page, path: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => (entry as PerformanceResourceTiming).initiatorType === "link" && entry.name.endsWith(wanted))
        .length,
    path,
  );
