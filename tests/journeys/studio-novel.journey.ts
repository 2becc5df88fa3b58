import type { Page } from "playwright/test";
import { editorCopy } from "~/copy/dubbing";
import { importDialogCopy } from "~/copy/dubbing-dialogs";
import { paths } from "~/paths";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const novel = [
  "夜里下起了雨。",
  "老张把茶碗放下，慢慢地说：“这条路，我走了三十年。”",
  "“三十年？”林小雨问，“那您记得我爸爸吗？”",
  "“他叫什么？”",
].join("\n");

const rows = (page: Page) => page.getByRole("listitem", { name: /^第 \d+ 句，/ });
const dialog = (page: Page, title: string) => page.getByRole("dialog", { name: title });

async function paste(page: Page) {
  await page.getByRole("button", { name: editorCopy.import, exact: true }).click();
  await page.getByRole("menuitem", { name: editorCopy.paste }).click();
  const form = dialog(page, importDialogCopy.pasteTitle);
  await form.getByRole("textbox").fill(novel);
  await form.getByRole("button", { name: importDialogCopy.put }).click();
}

test("the people of a novel get voices of their own, and the same ones at the next chapter", async ({ page }) => {
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  await paste(page);
  const question = dialog(page, importDialogCopy.novel.title);
  await expect(question.getByRole("listitem")).toHaveText([/老张 2 句/, /林小雨 2 句/]);
  await expect(question.getByText(importDialogCopy.novel.hint(1))).toBeVisible();
  await expectAccessible(page, "novel");
  await question.getByRole("button", { name: importDialogCopy.novel.cast }).click();

  const mapping = dialog(page, importDialogCopy.mapTitle);
  const voiceOf = (name: string) => mapping.getByRole("combobox", { name, exact: true });
  await voiceOf("老张").selectOption({ index: 3 });
  const chosen = await voiceOf("老张").inputValue();
  await mapping.getByRole("button", { name: importDialogCopy.put }).click();
  await expect(rows(page)).toHaveCount(7);
  await expect(
    rows(page)
      .nth(6)
      .getByRole("button", { name: /（不确定）$/ }),
  ).toBeVisible();

  await paste(page);
  await question.getByRole("button", { name: importDialogCopy.novel.cast }).click();
  await expect(voiceOf("老张")).toHaveValue(chosen);
});

test("a novel is read by one voice where a person wants that", async ({ page }) => {
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  await paste(page);
  await page.getByRole("button", { name: importDialogCopy.novel.narrator }).click();
  await expect(rows(page)).toHaveCount(4);
});
