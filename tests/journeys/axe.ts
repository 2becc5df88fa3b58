import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect } from "./fixtures";

/** Returns axe's violations on the visible page as rule and elements. */
export async function findFaults(page: Page): Promise<Array<[string, string[]]>> {
  // The pages have no frames, so axe needs no second page to merge results. Its
  // preloading copies styles into an element without a nonce, which the content policy blocks with a console error.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ preload: false, resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

/** Expects no axe violations on the visible page, light and dark. */
export async function expectAccessible(page: Page, what: string) {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours change with a transition.
    await page.waitForTimeout(200);
    expect(await findFaults(page), `${what}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}
