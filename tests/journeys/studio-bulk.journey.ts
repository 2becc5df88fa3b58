import type { Page } from "playwright/test";
import { editorCopy, sceneOfferCopy } from "~/copy/dubbing";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { bulkCopy, findCopy, takesCopy } from "~/copy/dubbing-tools";
import { formatPause } from "~/copy/generation";
import { playerCopy } from "~/copy/site";
import { voicePickerCopy } from "~/copy/square";
import { paths } from "~/paths";
import { buyTier } from "../support/journey-member";
import { newPhone } from "../support/new-phone";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const fields = (page: Page) => page.getByRole("textbox", { name: /^第 \d+ 句台词/ });
const row = (page: Page, place: number) => page.getByRole("listitem", { name: new RegExp(`^第 ${place} 句，`) });
const handle = (page: Page, place: number) => page.getByRole("button", { name: editorCopy.grip(place), exact: true });
const words = (page: Page) => fields(page).evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));
const bar = (page: Page) => page.getByRole("toolbar", { name: bulkCopy.label });

async function openScene(page: Page) {
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: sceneOfferCopy.scenes.market }).click();
  await expect(fields(page)).toHaveCount(5);
  await expect(row(page, 2)).toHaveAccessibleName(editorCopy.line(2, "林小满"));
}

test("the keyboard alone tries a scene, selects lines, and changes, deletes and restores them in single steps", async ({
  page,
}) => {
  await openScene(page);
  const before = await words(page);
  await handle(page, 2).focus();
  await page.keyboard.press("Space");
  await expect(handle(page, 2)).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(handle(page, 4)).toBeFocused();
  await expect(bar(page)).toContainText(bulkCopy.count(3));
  await expect(page.getByRole("status").filter({ hasText: bulkCopy.count(3) })).toBeAttached();
  await page.keyboard.press("Shift+ArrowUp");
  await expect(bar(page)).toContainText(bulkCopy.count(2));
  await expectAccessible(page, "selected");

  await bar(page).getByRole("button", { name: bulkCopy.pause }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: formatPause(1) }).press("Enter");
  for (const place of [2, 3]) await expect(row(page, place)).toContainText(editorCopy.pauseAfter(1));
  await expect(row(page, 4)).not.toContainText(editorCopy.pauseAfter(1));

  await handle(page, 3).focus();
  await page.keyboard.press("Control+A");
  await expect(bar(page)).toContainText(bulkCopy.count(5));
  await page.keyboard.press("Escape");
  await expect(bar(page)).toBeHidden();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Delete");
  await expect.poll(() => words(page)).toEqual([before[0], before[1], before[4]]);
  await page.keyboard.press("Control+Z");
  await expect.poll(() => words(page)).toEqual(before);
  await page.keyboard.press("Control+Z");
  await expect(row(page, 2)).not.toContainText(editorCopy.pauseAfter(1));
});

test("all lines of a role get another role at once, and a press undoes a bulk deletion", async ({ page }) => {
  await openScene(page);
  await page
    .getByRole("button", { name: editorCopy.role("林小满"), exact: true })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: bulkCopy.roleForAll("林小满", 2) }).check();
  const inScript = dialog.getByRole("region", { name: voicePickerCopy.sections.script });
  await expect(inScript.getByRole("button", { name: voicePickerCopy.choose("林小满") })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await dialog.getByRole("tab", { name: voicePickerCopy.tabs.square }).click();
  await dialog.getByRole("button", { name: voicePickerCopy.choose("周老师") }).click();
  for (const place of [2, 4]) await expect(row(page, place)).toHaveAccessibleName(editorCopy.line(place, "周老师"));

  await handle(page, 1).click();
  await handle(page, 3).click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText(bulkCopy.count(3));
  await handle(page, 2).click({ modifiers: ["Control"] });
  await expect(bar(page)).toContainText(bulkCopy.count(2));
  await bar(page).getByRole("button", { name: bulkCopy.remove }).click();
  await expect(fields(page)).toHaveCount(3);
  await bar(page).getByRole("button", { name: bulkCopy.undo }).click();
  await expect(fields(page)).toHaveCount(5);
});

test("a word is found, replaced once and everywhere, and one undo restores all", async ({ page }) => {
  await openScene(page);
  const before = await words(page);
  await fields(page).first().focus();
  await page.keyboard.press("Control+F");
  await expect(page.getByRole("textbox", { name: findCopy.find })).toBeFocused();
  await page.keyboard.type("菜");
  await expect(page.getByText(findCopy.short(1, 3))).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText(findCopy.short(2, 3))).toBeVisible();
  await expectAccessible(page, "finding");
  await page.getByRole("textbox", { name: findCopy.replaceWith }).fill("花");
  await page.getByRole("button", { name: findCopy.replace, exact: true }).click();
  await expect(page.getByText(findCopy.short(2, 2))).toBeVisible();
  await page.getByRole("button", { name: findCopy.replaceAll }).click();
  await expect.poll(async () => (await words(page)).join("")).toBe(before.join("").replaceAll("菜", "花"));
  await page.getByRole("button", { name: editorCopy.undo }).click();
  await expect.poll(async () => (await words(page)).join("").split("菜").length - 1).toBe(2);
});

test("a line keeps its renderings, and the chosen one is played and generated", async ({ page }) => {
  await buyTier(page, newPhone(), "vip");
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  await expect(fields(page)).toHaveCount(1);
  const takes = page.getByRole("list", { name: takesCopy.list }).getByRole("listitem");
  const openTakes = async () => {
    await page.getByRole("button", { name: editorCopy.more(1) }).click();
    await page.getByRole("menuitem", { name: editorCopy.menu.takes }).click();
  };
  for (const [index, text] of ["天刚亮。", "天已经亮了。"].entries()) {
    await fields(page).first().fill(text);
    // Named so while the new text has no sound.
    await page.getByRole("button", { name: /^听第 1 句，需要先生成/ }).click();
    await expect(row(page, 1).getByText(/^[\d.]+ 秒$|正在播放/)).toBeVisible({ timeout: 90_000 });
    await openTakes();
    await expect(takes).toHaveCount(index + 1);
    await page.keyboard.press("Escape");
  }
  await expect(page.getByText(editorCopy.saved)).toBeVisible();
  await page.reload({ waitUntil: "networkidle" });
  await openTakes();
  await expect(takes).toHaveCount(2);
  await expectAccessible(page, "takes");
  await page.keyboard.press("x");
  await page.getByRole("button", { name: takesCopy.pause(1) }).waitFor();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: takesCopy.pause(2) }).waitFor();
  await page.getByRole("button", { name: takesCopy.chooseLabel(2) }).click();
  await page.keyboard.press("Escape");
  await expect.poll(() => words(page)).toEqual(["天刚亮。"]);
  await expect(page.getByText(dubGenerationCopy.cost.nothing)).toBeVisible();
  await page.getByRole("region", { name: playerCopy.region }).getByRole("button", { name: playerCopy.close }).click();
});
