import type { Page } from "playwright/test";
import { editorCopy } from "~/copy/dubbing";
import { projectCopy } from "~/copy/dubbing-tools";
import { paths } from "~/paths";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const field = (page: Page) => page.getByRole("textbox", { name: /^第 1 句台词/ });
const dialog = (page: Page) => page.getByRole("dialog", { name: projectCopy.title });
const rows = (page: Page) => dialog(page).getByRole("list", { name: projectCopy.list }).getByRole("listitem");
const saved = (page: Page) => expect(page.getByText(editorCopy.saved, { exact: true })).toBeVisible();

async function openPage(page: Page, path: string = paths.dubbing) {
  await page.goto(path, { waitUntil: "networkidle" });
  await expect(field(page)).toBeVisible();
}

async function write(page: Page, words: string) {
  await field(page).fill(words);
  await saved(page);
}

async function openList(page: Page) {
  await page.getByRole("button", { name: editorCopy.projects }).click();
  await expect(rows(page).first()).toBeVisible();
}

/** Waits for the other project's script, because both have a first line. */
async function openProject(page: Page, title: string, words: string) {
  await openList(page);
  await dialog(page)
    .getByRole("button", { name: projectCopy.open(title) })
    .click();
  await expect(field(page)).toHaveValue(words);
}

test("projects keep their own scripts through switching, renaming, copying, a reload and an undone deletion", async ({
  page,
}) => {
  await openPage(page);
  await write(page, "天亮了。");

  await openList(page);
  await dialog(page).getByRole("button", { name: projectCopy.create }).click();
  await expect(field(page)).toHaveValue("");
  await write(page, "天黑了。");

  await openList(page);
  await expect(rows(page)).toHaveCount(2);
  await expectAccessible(page, "the list of projects");
  await dialog(page)
    .getByRole("button", { name: projectCopy.rename("天黑了。") })
    .click();
  await dialog(page).getByRole("textbox", { name: projectCopy.name }).fill("夜市");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("button", { name: projectCopy.rename("夜市") })).toBeFocused();
  await dialog(page)
    .getByRole("button", { name: projectCopy.duplicate("夜市") })
    .click();
  await expect(rows(page)).toHaveCount(3);
  await dialog(page).getByRole("searchbox", { name: projectCopy.search }).fill("天亮");
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("textbox", { name: editorCopy.title })).toHaveValue("夜市");

  await openProject(page, "天亮了。", "天亮了。");
  await page.reload({ waitUntil: "networkidle" });
  await expect(field(page)).toHaveValue("天亮了。");

  await openList(page);
  await dialog(page)
    .getByRole("button", { name: projectCopy.remove("天亮了。") })
    .click();
  await expect(rows(page).filter({ hasText: projectCopy.removed("天亮了。") })).toBeVisible();
  await dialog(page).getByRole("button", { name: projectCopy.restore }).click();
  await dialog(page)
    .getByRole("button", { name: projectCopy.remove("天亮了。") })
    .click();
  await page.keyboard.press("Escape");
  // The deleted project was open; the last edited one takes its place.
  await expect(field(page)).toHaveValue("天黑了。");
});

test("two tabs edit two projects without a conflict", async ({ page, context }) => {
  await openPage(page);
  await write(page, "第一个项目。");
  const other = await context.newPage();
  await openPage(other);
  await openList(other);
  await dialog(other).getByRole("button", { name: projectCopy.create }).click();
  await expect(field(other)).toHaveValue("");
  await write(other, "第二个项目。");
  await write(page, "第一个项目，改过。");
  await other.reload({ waitUntil: "networkidle" });
  await expect(field(other)).toHaveValue("第二个项目。");
  await page.reload({ waitUntil: "networkidle" });
  await openProject(page, "第二个项目。", "第二个项目。");
  await openProject(page, "第一个项目，改过。", "第一个项目，改过。");
});
