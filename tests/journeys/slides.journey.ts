import { execFileSync } from "node:child_process";
import type { Page } from "playwright/test";
import { loginCopy } from "~/copy/account";
import { editorCopy } from "~/copy/dubbing";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { filmCopy } from "~/copy/film";
import { slidesCopy } from "~/copy/slides";
import { paths } from "~/paths";
import { countCharacters } from "~server/contract/marks";
import { buyTier } from "../support/journey-member";
import { pdfBytes, pptxBytes } from "../support/slide-files";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

/** A film of a few seconds on a busy machine. */
const filmMs = 240_000;
const pdf = pdfBytes([["Photosynthesis", "Light becomes sugar"], ["Leaves", "They are green"], []]);
const scripts = ["同学们好，今天讲光合作用。", "叶子是绿的。", "下课。"];

const openFile = (page: Page, name: string, bytes: Uint8Array) =>
  page
    .getByLabel(slidesCopy.file)
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
const pages = (page: Page) => page.getByRole("navigation", { name: slidesCopy.strip }).getByRole("button");
const script = (page: Page, place: number) => page.getByRole("textbox", { name: slidesCopy.script(place) });

async function write(page: Page, place: number, text: string) {
  await pages(page)
    .nth(place - 1)
    .click();
  await script(page, place).fill(text);
}

test("a PDF becomes a film of its pages, and a changed page is made anew alone", async ({ page }) => {
  test.setTimeout(filmMs + 120_000);
  await buyTier(page, "13900001717", "vip");
  await page.goto(paths.slides, { waitUntil: "networkidle" });
  await openFile(page, "光合作用.pdf", pdf);
  await expect(pages(page)).toHaveCount(3);
  await expect(pages(page).first()).toHaveAccessibleName(slidesCopy.page(1, "Photosynthesis"));
  await expect(script(page, 1)).toHaveValue("Photosynthesis. Light becomes sugar");
  await expect(page.getByRole("img", { name: slidesCopy.picture(1) })).toBeVisible();
  await pages(page).nth(2).click();
  await expect(page.getByText(slidesCopy.noText)).toBeVisible();
  for (const [index, text] of scripts.entries()) await write(page, index + 1, text);
  await expectAccessible(page, "slides with their texts");

  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  const film = page.getByRole("button", { name: slidesCopy.film });
  await film.click({ timeout: 90_000 });
  const dialog = page.getByRole("dialog", { name: filmCopy.title });
  await dialog.getByRole("button", { name: filmCopy.start }).click();
  const video = dialog.locator("video");
  await expect(video).toBeVisible({ timeout: filmMs });
  await expectAccessible(page, "a finished film of slides");
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("link", { name: filmCopy.download }).click();
  const file = await (await downloading).path();
  const shown = execFileSync("ffprobe", ["-v", "error", "-show_chapters", "-show_streams", "-of", "json", file]);
  const { chapters, streams } = JSON.parse(shown.toString());
  expect(chapters.map(({ tags }: { tags: { title: string } }) => tags.title)).toEqual([
    "Photosynthesis",
    "Leaves",
    "3",
  ]);
  expect(streams[0]).toMatchObject({ width: 1280, height: 720 });
  await dialog.getByRole("button", { name: filmCopy.close }).click();

  const changed = "叶子里有叶绿体。";
  await write(page, 2, changed);
  const cost = page.getByRole("status").filter({ hasText: slidesCopy.cost.changed(1) });
  await expect(cost).toContainText(`${countCharacters(changed)} 字`);
  await expect(page.getByText(editorCopy.saved)).toBeVisible();
  await page.reload({ waitUntil: "networkidle" });
  await expect(pages(page)).toHaveCount(3);
  await pages(page).nth(1).click();
  await expect(script(page, 2)).toHaveValue(changed);
  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  await expect(film).toBeVisible({ timeout: 90_000 });
  await expect(page.getByRole("status").filter({ hasText: dubGenerationCopy.cost.nothing })).toBeVisible();
});

test("a visitor orders, hides and removes the pages of a PowerPoint file, and gets its pictures from a PDF", async ({
  page,
}) => {
  await page.goto(paths.slides, { waitUntil: "networkidle" });
  await openFile(page, "坏.pptx", new Uint8Array([0x50, 0x4b, 3, 4]));
  await expect(page.getByText(slidesCopy.faults.unreadable)).toBeVisible();
  const show = ["第一课", "第二课", "第三课"].map((title) => ({ title, notes: `${title}的讲稿。` }));
  await openFile(page, "课件.pptx", pptxBytes(show));
  await expect(pages(page)).toHaveCount(3);
  await expect(script(page, 1)).toHaveValue("第一课的讲稿。");
  await expect(page.getByText(slidesCopy.noPictures)).toBeVisible();
  await openFile(page, "课件.pdf", pdf);
  await expect(page.getByRole("img", { name: slidesCopy.picture(1) })).toBeVisible();
  await expect(script(page, 1)).toHaveValue("第一课的讲稿。");

  await pages(page).first().focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(pages(page).nth(1)).toHaveAccessibleName(slidesCopy.page(2, "第一课"));
  await page.keyboard.press("ArrowDown");
  await expect(pages(page).nth(2)).toBeFocused();
  await expect(script(page, 3)).toHaveValue("第三课的讲稿。");
  await page.getByRole("button", { name: slidesCopy.hide }).click();
  await expect(page.getByText(slidesCopy.hiddenNote)).toBeVisible();
  await page.getByRole("button", { name: slidesCopy.remove }).click();
  await expect(pages(page)).toHaveCount(2);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: editorCopy.undo }).click();
  await expect(pages(page)).toHaveCount(3);
  await pages(page).nth(2).click();
  await page.getByRole("button", { name: slidesCopy.show }).click();
  await expect(script(page, 3)).toHaveValue("第三课的讲稿。");
  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  await expect(page.getByRole("dialog", { name: loginCopy.title })).toBeVisible();
});
