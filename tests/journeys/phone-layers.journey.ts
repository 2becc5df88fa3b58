import type { Page } from "playwright/test";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { recordingCopy } from "~/copy/recording";
import { humanCardCopy, playerCopy } from "~/copy/site";
import { paths } from "~/paths";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

const test = withMicrophone("once");
test.use({ hasTouch: true });

const player = (page: Page) => page.getByRole("region", { name: playerCopy.region });

/** Opens the player by the first preview of the home page. */
async function listen(page: Page) {
  await page.goto(paths.home, { waitUntil: "networkidle" });
  await page
    .getByRole("button", { name: new RegExp(`^${humanCardCopy.listen("")}`) })
    .first()
    .click();
  await expect(player(page)).toBeVisible();
}

/** In the browser: names of the controls in fixed and sticky layers whose centre belongs to another element. */
function coveredControls(): string[] {
  const layerOf = (element: Element | null): Element | null =>
    element && !/fixed|sticky/.test(getComputedStyle(element).position) ? layerOf(element.parentElement) : element;
  const covered: string[] = [];
  for (const control of document.querySelectorAll("a, button, select, input:not(.sr-only)")) {
    const { left, top, width, height } = control.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const isInView = width > 1 && x > 0 && x < innerWidth && y > 0 && y < innerHeight;
    const layer = layerOf(control);
    if (!isInView || getComputedStyle(control).visibility === "hidden" || !layer) continue;
    const hit = document.elementFromPoint(x, y);
    // A bar that sticks to the lower edge alone, and whose place has been scrolled away, passes under the header.
    const { position, top: edge } = getComputedStyle(layer);
    if (hit?.closest("header") && position === "sticky" && edge === "auto") continue;
    if (!hit || !(control.contains(hit) || hit.contains(control)))
      covered.push(control.getAttribute("aria-label") ?? control.textContent ?? control.tagName);
  }
  return covered;
}

for (const viewport of [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport });

    test("after listening a recording is ended by its own button, and by the button that clones", async ({ page }) => {
      await listen(page);
      const card = page.getByRole("region", { name: trialCopy.label });
      await card.getByLabel(trialCopy.text.label).fill("今天的菜市场，西红柿三块五一斤。");
      const start = card.getByRole("button", { name: recordingCopy.start });
      await start.click();
      await expect(player(page)).toBeHidden();
      await card.getByRole("button", { name: recordingCopy.stop }).click();
      await expect(player(page)).toBeVisible();
      await card.getByRole("button", { name: recordingCopy.retake }).click();
      await expect(card.getByText(/^00:0[6-9]$/)).toBeVisible();
      await card.getByRole("button", { name: trialCopy.go }).click();
      await expect(card.getByRole("link", { name: trialResultCopy.download("MP3") })).toBeVisible();
    });

    test("no layer covers a control of another, and the open player is closed", async ({ page }) => {
      await listen(page);
      for (const path of [paths.home, paths.clone, paths.dubbing]) {
        await page.evaluate((to) => document.querySelector<HTMLAnchorElement>(`nav a[href="${to}"]`)?.click(), path);
        await expect(page).toHaveURL(new RegExp(`${path}$`));
        for (const place of [0, 600, 100_000]) {
          await page.evaluate((y) => scrollTo(0, y), place);
          expect([path, place, await page.evaluate(coveredControls)]).toEqual([path, place, []]);
        }
      }
      await player(page).getByRole("button", { name: playerCopy.close }).click();
      await expect(player(page)).toBeHidden();
    });
  });
}
