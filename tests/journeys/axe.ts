import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect } from "./fixtures";

/** axe finds nothing on what is shown, light and dark. */
export async function expectAccessible(page: Page, what: string) {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours arrive with a transition.
    await page.waitForTimeout(200);
    // Its preloading copies the player's styles into an element without a nonce, which the page's policy blocks aloud.
    const { violations } = await new AxeBuilder({ page }).options({ preload: false }).analyze();
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
      `${what}, ${colorScheme}`,
    ).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}
