import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect } from "./fixtures";

type ColorScheme = "light" | "dark";

/** Rules that look at colours; the other ones read the markup, which is the same in both colour modes. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** Axe's violations on the visible page as rule and elements; in the dark only those of colours. */
async function findFaultsIn(page: Page, colorScheme: ColorScheme): Promise<Array<[string, string[]]>> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  // Colours change with a transition.
  await page.waitForTimeout(200);
  // The pages have no frames, so axe needs no second page to merge results. Its
  // preloading copies styles into an element without a nonce, which the content policy blocks with a console error.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ preload: false, resultTypes: ["violations"] });
  if (colorScheme === "dark") axe.withRules(colorRules);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [`${id}, ${colorScheme}`, nodes.map(({ html }) => html)]);
}

/** Axe's violations on the visible page, light and dark; emulates dark and reduced motion afterwards. */
export const findFaults = async (page: Page) => [
  ...(await findFaultsIn(page, "light")),
  ...(await findFaultsIn(page, "dark")),
];

/** Expects no axe violations on the visible page, light and dark. */
export async function expectAccessible(page: Page, what: string) {
  expect(await findFaults(page), what).toEqual([]);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}
