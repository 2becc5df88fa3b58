import type { Page } from "playwright";
import { editorCopy } from "~/copy/dubbing";
import { importDialogCopy } from "~/copy/dubbing-dialogs";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { readingCopy } from "~/copy/generation";
import { paths } from "~/paths";
import { dispatchPaste } from "../page-actions";
import { longTimeout, type Scene } from "./scene";

export const field = (page: Page, place: number) =>
  page.getByRole("textbox", { name: new RegExp(`^第 ${place} 句台词`) });
export const row = (page: Page, place: number) => page.getByRole("listitem", { name: new RegExp(`^第 ${place} 句，`) });

async function openDub(page: Page) {
  const newest = page
    .getByRole("list", { name: dubbingRecordsCopy.list })
    .getByRole("listitem")
    .filter({ hasText: "清晨的菜市场" })
    .last();
  await newest.getByRole("button", { name: dubbingRecordsCopy.menu("") }).click();
  await page.getByRole("menuitem", { name: dubbingRecordsCopy.edit }).click();
  await row(page, 2).locator("[data-offset]").first().waitFor(longTimeout);
  await row(page, 2)
    .getByRole("button", { name: /更换角色$/ })
    .locator("svg, img")
    .first()
    .waitFor(longTimeout);
  await page.mouse.move(0, 0);
}

async function openReadings(page: Page) {
  await openDub(page);
  const box = await row(page, 2).locator("[data-offset='5']").boundingBox();
  if (!box) throw new Error("The polyphone is not drawn");
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  await page
    .getByRole("dialog", { name: readingCopy.label })
    .getByRole("button", { name: /^háng/ })
    .waitFor(longTimeout);
}

export async function paste(page: Page, text: string) {
  await field(page, 1).waitFor(longTimeout);
  await page.getByRole("button", { name: editorCopy.import, exact: true }).click();
  await page.getByRole("menuitem", { name: editorCopy.startOver }).click();
  await dispatchPaste(field(page, 1), text);
}

export const dubbingScenes: Scene[] = [
  { name: "dubbing", title: "配音", path: paths.dubbing, hasAllLooks: true, prepare: openDub },
  { name: "dubbing-reading", title: "选一个字的读音", path: paths.dubbing, prepare: openReadings },
  {
    name: "dubbing-tone",
    title: "这一句怎么念",
    path: paths.dubbing,
    async prepare(page) {
      await openDub(page);
      await row(page, 2)
        .getByRole("button", { name: /调整语速和情绪$/ })
        .click();
      await page.getByRole("dialog").waitFor(longTimeout);
    },
  },
  {
    name: "dubbing-import",
    title: "不认识的名字，问一次",
    path: paths.dubbing,
    async prepare(page) {
      await paste(page, "老板娘：里边请，想吃点什么？\n客人甲：两碗面，不要香菜。\n老板娘：好嘞！");
      await page.getByRole("dialog", { name: importDialogCopy.mapTitle }).waitFor(longTimeout);
    },
  },
];
