import type { Page } from "playwright";
import { checkoutCopy } from "~/copy/checkout";
import { cloneRecordsCopy, composerCopy } from "~/copy/clone";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { featuredRolesCopy } from "~/copy/home";
import { roleListCopy } from "~/copy/roles";
import { updatesCopy } from "~/copy/site";
import { voicePickerCopy } from "~/copy/square";
import { paths } from "~/paths";
import { longTimeout, type Scene } from "./scene";

const show = (page: Page, heading: string) =>
  page.getByRole("heading", { name: heading }).evaluate((one) => one.scrollIntoView({ block: "center" }));

/** For a member on a site whose list calls fail. */
export const failingScenes: Scene[] = [
  {
    name: "clone-failed",
    title: "声音克隆，记录没有打开",
    path: paths.clone,
    prepare: (page) => show(page, cloneRecordsCopy.failed.heading),
  },
  {
    name: "dubbing-failed",
    title: "配音，记录没有打开",
    path: paths.dubbing,
    async prepare(page) {
      await page.getByText(new RegExp(dubbingRecordsCopy.failed)).waitFor(longTimeout);
      await show(page, dubbingRecordsCopy.heading);
    },
  },
  {
    name: "role-failed",
    title: "数字人没有打开",
    path: paths.role,
    prepare: (page) => page.getByRole("heading", { name: roleListCopy.failed.heading }).waitFor(longTimeout),
  },
  { name: "square-failed", title: "广场没有打开", path: paths.square },
  {
    name: "subscribe-failed",
    title: "订单和明细没有打开",
    path: paths.subscribe,
    prepare: (page) => show(page, checkoutCopy.ledger.heading),
  },
  {
    name: "home-people-failed",
    title: "首页，数字人没有打开",
    path: paths.home,
    prepare: (page) => show(page, featuredRolesCopy.heading),
  },
  {
    name: "voice-picker-failed",
    title: "声音列表没有打开",
    path: paths.clone,
    async prepare(page) {
      await page.getByRole("button", { name: composerCopy.voice.pick }).click();
      await page.getByRole("button", { name: voicePickerCopy.retry }).waitFor(longTimeout);
    },
  },
];

/** For a visitor who has not answered the consent question. */
export const consentScenes: Scene[] = [
  {
    name: "consent",
    title: "统计前问一次",
    path: paths.service,
    prepare: (page) => page.getByRole("region", { name: updatesCopy.consent.label }).waitFor(longTimeout),
  },
];
