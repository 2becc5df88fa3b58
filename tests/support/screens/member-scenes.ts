import type { Page } from "playwright";
import { accountCopy } from "~/copy/account";
import { cloneRecordsCopy, composerCopy } from "~/copy/clone";
import { toneCopy } from "~/copy/generation";
import { roleDetailCopy, roleListCopy } from "~/copy/roles";
import { voicePickerCopy } from "~/copy/square";
import { verdictCopy, verifyCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { longTimeout, type Scene } from "./scene";

async function openRole(page: Page) {
  await page.getByRole("link", { name: roleListCopy.open("小雨") }).click();
  await page.getByRole("button", { name: roleDetailCopy.listen }).waitFor(longTimeout);
}

export const memberScenes: Scene[] = [
  { name: "clone", title: "声音克隆", path: paths.clone, hasAllLooks: true },
  { name: "clone-whole", title: "声音克隆，到底，有一条没有成功", path: paths.clone, isFullPage: true },
  {
    name: "clone-tone",
    title: "语气",
    path: paths.clone,
    async prepare(page) {
      await page.getByRole("button", { name: toneCopy.change }).click();
      const mood = page.getByRole("button", { name: toneCopy.moods.happy, exact: true });
      await mood.click();
      await mood.evaluate((choice) => choice.scrollIntoView({ block: "center" }));
    },
  },
  {
    name: "clone-menu",
    title: "一条记录能做什么",
    path: paths.clone,
    async prepare(page) {
      const more = page.getByRole("button", { name: new RegExp(`^${cloneRecordsCopy.more("")}`) }).first();
      await more.scrollIntoViewIfNeeded();
      await more.click();
    },
  },
  {
    name: "clone-selected",
    title: "选了几条，删除前问一次",
    path: paths.clone,
    async prepare(page) {
      const boxes = page.getByRole("checkbox", { name: /^选择/ });
      for (const place of [0, 1]) await boxes.nth(place).check();
      await page.getByRole("button", { name: cloneRecordsCopy.removeMany(2) }).click();
    },
  },
  {
    name: "clone-nothing",
    title: "记录里没有找到",
    path: `${paths.clone}?keyword=火星`,
    prepare: (page) =>
      page
        .getByRole("heading", { name: cloneRecordsCopy.heading, exact: true })
        .evaluate((heading) => heading.scrollIntoView()),
  },
  {
    name: "clone-playing",
    title: "正在播放",
    path: paths.clone,
    async prepare(page) {
      await page
        .getByRole("list", { name: cloneRecordsCopy.list })
        .getByRole("button", { name: /^播放/ })
        .first()
        .click();
      await page.waitForTimeout(2500);
    },
  },
  {
    name: "voice-picker",
    title: "选一个声音",
    path: paths.clone,
    async prepare(page) {
      await page.getByRole("button", { name: composerCopy.voice.pick }).click();
      await page.getByRole("list", { name: voicePickerCopy.results }).waitFor(longTimeout);
    },
  },
  { name: "role", title: "我的数字人", path: paths.role, hasAllLooks: true },
  { name: "role-nothing", title: "数字人里没有找到", path: `${paths.role}?keyword=火星` },
  {
    name: "role-speaking",
    title: "数字人在说话",
    path: paths.role,
    hasAllLooks: true,
    async prepare(page) {
      await openRole(page);
      await page.getByRole("button", { name: roleDetailCopy.listen }).click();
      await page.waitForTimeout(2500);
    },
  },
  {
    name: "role-delete",
    title: "删除的后果",
    path: paths.role,
    async prepare(page) {
      await openRole(page);
      await page.getByRole("button", { name: new RegExp(`^${roleDetailCopy.menu("")}`) }).click();
      await page.getByRole("menuitem", { name: roleDetailCopy.remove }).click();
    },
  },
  { name: "role-create", title: "新建数字人", path: paths.roleNew(), isFullPage: true },
  { name: "works", title: "我的作品", path: paths.works, hasAllLooks: true },
  { name: "subscribe", title: "会员", path: paths.subscribe, hasAllLooks: true },
  { name: "subscribe-whole", title: "会员、订单和明细", path: paths.subscribe, isFullPage: true },
  {
    name: "account",
    title: "账号菜单",
    path: paths.service,
    prepare: (page) => page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) }).click(),
  },
  {
    name: "verify-ours",
    title: "核验：是本站生成",
    path: paths.clone,
    async prepare(page) {
      await page
        .getByRole("button", { name: new RegExp(`^${cloneRecordsCopy.download("")}`) })
        .last()
        .click();
      const link = page.getByRole("menuitem", { name: cloneRecordsCopy.downloadAs("MP3") });
      const sound = await page.request.get((await link.getAttribute("href")) ?? "");
      await page.goto(paths.verify, { waitUntil: "networkidle" });
      const file = { name: "菜市场.mp3", mimeType: "audio/mpeg", buffer: await sound.body() };
      await page.getByLabel(new RegExp(verifyCopy.pick)).setInputFiles(file);
      await page.getByRole("heading", { level: 2, name: verdictCopy.label.heading }).waitFor(longTimeout);
    },
  },
];
