import type { Page } from "playwright";
import { editorCopy } from "~/copy/dubbing/editor";
import { importCopy } from "~/copy/dubbing/importing";
import { makingCopy } from "~/copy/dubbing/making";
import { readingCopy } from "~/copy/dubbing/reading";
import { recordsCopy } from "~/copy/dubbing/records";
import { paths } from "~/paths";
import { patient, type Scene } from "./scene";

const field = (page: Page, place: number) => page.getByRole("textbox", { name: new RegExp(`^第 ${place} 句台词`) });
const row = (page: Page, place: number) => page.getByRole("listitem", { name: new RegExp(`^第 ${place} 句，`) });

const onTheLi = [
  "漓江",
  "漓江的水真静啊，静得让你感觉不到它在流动。",
  "漓江的水真清啊，清得可以看见江底的沙石。",
  "漓江的水真绿啊，绿得仿佛那是一块无瑕的翡翠。",
  "船桨激起的微波扩散出一道道水纹，才让你感觉到船在前进。",
  "再看两岸，一座座山拔地而起，像老人，像巨象，像骆驼。",
];
const onTheLake = [
  "西湖",
  "清早的西湖还笼着一层薄雾，远处的山只剩下淡淡的影子。",
  "断桥上已经有人在慢慢地走，鞋底擦着石板，沙沙地响。",
  "摇船的老伯把桨轻轻一点，小船就离开了岸。",
  "水面上漂着几片柳叶，一只白鹭从桥洞里飞了出来。",
  "等太阳升起来，整个湖面都亮了，像撒了一把碎银子。",
];

async function openDub(page: Page) {
  const newest = page
    .getByRole("list", { name: recordsCopy.list })
    .getByRole("listitem")
    .filter({ hasText: "清晨的菜市场" })
    .last();
  await newest.getByRole("button", { name: recordsCopy.edit }).click();
  await row(page, 2).locator("[data-offset]").first().waitFor(patient);
  await page.mouse.move(0, 0);
}

async function openReadings(page: Page) {
  await openDub(page);
  const box = await row(page, 2).locator("[data-offset='5']").boundingBox();
  if (!box) throw new Error("The polyphone is not drawn");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.getByRole("dialog", { name: readingCopy.label }).getByRole("button", { name: /^háng/ }).waitFor(patient);
}

async function paste(page: Page, text: string) {
  await field(page, 1).waitFor(patient);
  await page.getByRole("button", { name: editorCopy.import, exact: true }).click();
  await page.getByRole("menuitem", { name: editorCopy.startOver }).click();
  await field(page, 1).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

export const dubbingScenes: Scene[] = [
  { name: "dubbing", says: "配音", path: paths.dubbing, isMain: true, prepare: openDub },
  { name: "dubbing-reading", says: "选一个字的读音", path: paths.dubbing, prepare: openReadings },
  {
    name: "dubbing-tone",
    says: "这一句怎么念",
    path: paths.dubbing,
    async prepare(page) {
      await openDub(page);
      await row(page, 2)
        .getByRole("button", { name: /调整语速和情绪$/ })
        .click();
      await page.getByRole("dialog").waitFor(patient);
    },
  },
  {
    name: "dubbing-import",
    says: "不认识的名字，问一次",
    path: paths.dubbing,
    async prepare(page) {
      await paste(page, "老板娘：里边请，想吃点什么？\n客人甲：两碗面，不要香菜。\n老板娘：好嘞！");
      await page.getByRole("dialog", { name: importCopy.mapTitle }).waitFor(patient);
    },
  },
  {
    name: "dubbing-making",
    says: "正在生成",
    path: paths.dubbing,
    async prepare(page) {
      // Each size has words of its own: what was made once is not made again.
      const [river = "", ...lines] = page.viewportSize()?.width === 360 ? onTheLi : onTheLake;
      await paste(page, lines.map((line, at) => `${at % 2 ? "阿福" : "沈砚"}：${line}`).join("\n"));
      await field(page, 5).waitFor(patient);
      await page.getByRole("textbox", { name: editorCopy.title }).fill(river);
      await page.getByRole("button", { name: makingCopy.go }).click();
      await row(page, 2)
        .getByText(/秒$|%$|正在生成/)
        .first()
        .waitFor(patient);
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
];
