import type { Page } from "playwright";
import { bffPaths } from "~/call";
import { cloneRecordsCopy, composerCopy } from "~/copy/clone";
import { editorCopy, importCopy } from "~/copy/dubbing";
import { voicePickerCopy } from "~/copy/square";
import { subscribePageCopy } from "~/copy/subscribe";
import { paths } from "~/paths";
import { dispatchPaste } from "../page-actions";
import { field } from "./dubbing-scenes";
import { longTimeout, type Scene } from "./scene";

const hold = (page: Page, pathname: string) =>
  page.route(
    (url) => url.pathname === pathname,
    () => {},
  );
const wait = (page: Page, name: string) => page.getByRole("status", { name }).first().waitFor(longTimeout);

const lines = "老掌柜：里边请。\n店小二：两碗面！\n账房：来了。\n说书人：且听下回。";

async function pasteInto(page: Page, text: string) {
  await field(page, 1).waitFor(longTimeout);
  await dispatchPaste(field(page, 1), text);
}

/** For who is logged in: lists and pages before they are there. */
export const waitingScenes: Scene[] = [
  {
    name: "clone-waiting",
    title: "声音克隆，记录还没有来",
    path: `${paths.clone}?keyword=火星`,
    async prepare(page) {
      await hold(page, `${paths.clone}.data`);
      await page.getByRole("searchbox", { name: cloneRecordsCopy.search }).fill("地球");
      await wait(page, cloneRecordsCopy.loading);
      await page
        .getByRole("heading", { name: cloneRecordsCopy.heading })
        .evaluate((heading) => heading.scrollIntoView());
    },
  },
  {
    name: "role-waiting",
    title: "数字人还没有来",
    path: paths.role,
    async prepare(page) {
      await hold(page, bffPaths.rolePage(""));
      await page.reload({ waitUntil: "load" });
    },
  },
  {
    name: "dubbing-waiting",
    title: "台词本还没有打开",
    path: paths.dubbing,
    async prepare(page) {
      await page.route(/\/studio-[\w-]+\.js/, () => {});
      await page.reload({ waitUntil: "commit" });
      await wait(page, editorCopy.opening);
    },
  },
  {
    name: "voice-picker-waiting",
    title: "声音列表还没有来",
    path: paths.clone,
    async prepare(page) {
      await hold(page, bffPaths.squareVoices);
      await page.getByRole("button", { name: composerCopy.voice.pick }).click();
      await page.getByRole("tab", { name: voicePickerCopy.tabs.square }).click();
      await wait(page, voicePickerCopy.loading);
    },
  },
  {
    name: "pay-waiting",
    title: "套餐还没有来",
    path: paths.subscribe,
    async prepare(page) {
      await hold(page, bffPaths.passed("products"));
      await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }).click();
      await page.getByRole("dialog").waitFor(longTimeout);
    },
  },
  {
    name: "dubbing-seeking",
    title: "配音，正在找角色",
    path: paths.dubbing,
    async prepare(page) {
      await hold(page, bffPaths.squareVoices);
      await pasteInto(page, lines);
      await page.getByRole("button", { name: importCopy.chooseNow }).waitFor(longTimeout);
    },
  },
  {
    name: "dubbing-unsought",
    title: "配音，没能找到角色",
    path: paths.dubbing,
    async prepare(page) {
      await page.route(`**${bffPaths.squareVoices}?*`, (route) => route.abort());
      await pasteInto(page, lines);
      await page.getByRole("button", { name: importCopy.again }).waitFor(longTimeout);
    },
  },
];
