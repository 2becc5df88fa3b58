import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect } from "./fixtures";

/** What axe finds on what is shown, as rule and elements. */
export async function findFaults(page: Page): Promise<Array<[string, string[]]>> {
  // No frames of other sites: all is looked at in the page itself, without a second page to put it together. Its
  // preloading copies the player's styles into an element without a nonce, which the page's policy blocks aloud.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ preload: false, resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

/** axe finds nothing on what is shown, light and dark. */
export async function expectAccessible(page: Page, what: string) {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours arrive with a transition.
    await page.waitForTimeout(200);
    expect(await findFaults(page), `${what}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}
