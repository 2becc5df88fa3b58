import type { Page } from "playwright";
import { cloneRecordsCopy, composerCopy } from "~/copy/clone";
import { editorCopy } from "~/copy/dubbing";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { voicePickerCopy } from "~/copy/square";
import { paths } from "~/paths";
import { field, paste, row } from "./dubbing-scenes";
import { longTimeout, type Scene } from "./scene";

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

async function write(page: Page, text: string) {
  const box = page.getByRole("region", { name: composerCopy.label });
  await box
    .getByRole("button", { name: composerCopy.voice.pick })
    .or(box.getByRole("button", { name: composerCopy.voice.change }))
    .click();
  await page.getByRole("tab", { name: voicePickerCopy.tabs.square }).click();
  await page
    .getByRole("list", { name: voicePickerCopy.results })
    .getByRole("listitem")
    .first()
    .getByRole("button")
    .first()
    .click();
  await box.getByLabel(composerCopy.text.label).fill(text);
}

/** For a member. Must run last: they create records. */
export const busyScenes: Scene[] = [
  {
    name: "clone-busy",
    title: "声音克隆",
    path: paths.clone,
    async prepare(page) {
      await write(page, "清晨的菜市场里有最新鲜的青菜，刚出锅的豆浆，还有一路的吆喝声。".repeat(14));
      await page.getByRole("button", { name: composerCopy.go, exact: true }).click();
      await page
        .getByRole("list", { name: cloneRecordsCopy.list })
        .getByRole("progressbar")
        .first()
        .waitFor(longTimeout);
    },
  },
  {
    name: "dubbing-making",
    title: "配音",
    path: paths.dubbing,
    async prepare(page) {
      // Each size needs its own text, because finished lines are reused.
      const [river = "", ...lines] = page.viewportSize()?.width === 360 ? onTheLi : onTheLake;
      await paste(page, lines.map((line, at) => `${at % 2 ? "阿福" : "沈砚"}：${line}`).join("\n"));
      await field(page, 5).waitFor(longTimeout);
      await page.getByRole("textbox", { name: editorCopy.title }).fill(river);
      await page.getByRole("button", { name: dubGenerationCopy.go }).click();
      await row(page, 2)
        .getByText(/秒$|%$|正在生成/)
        .first()
        .waitFor(longTimeout);
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
];
