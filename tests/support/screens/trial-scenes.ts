import type { Page } from "playwright";
import { bffPaths } from "~/call";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { recordingCopy, referenceCopy, uploadCopy } from "~/copy/recording";
import { paths } from "~/paths";
import { longTimeout, type Scene } from "./scene";

const card = (page: Page) => page.getByRole("region", { name: trialCopy.label });
const choose = (page: Page, source: keyof typeof trialCopy.voice.sources) =>
  card(page).getByRole("radio", { name: trialCopy.voice.sources[source] }).check({ force: true });
const write = (page: Page) => page.getByRole("button", { name: trialCopy.text.examples[0].label }).click();
const press = (page: Page) => card(page).getByRole("button", { name: trialCopy.go }).click();
async function record(page: Page, seconds: number) {
  await card(page).getByRole("button", { name: recordingCopy.start }).click();
  await card(page).getByText(`00:0${seconds}`).waitFor(longTimeout);
}

async function lendVoice(page: Page) {
  await choose(page, "sample");
  const voices = card(page).getByRole("group", { name: trialCopy.voice.samples }).getByRole("radio");
  await voices.nth(1).check({ force: true });
  await write(page);
}

async function finish(page: Page) {
  await press(page);
  await card(page)
    .getByRole("link", { name: trialResultCopy.download("MP3") })
    .waitFor(longTimeout);
}

export const trialScenes: Scene[] = [
  { name: "home", title: "首页", path: paths.home, hasAllLooks: true },
  { name: "home-whole", title: "首页，到底", path: paths.home, isFullPage: true },
  { name: "home-recording", title: "正在录音", path: paths.home, prepare: (page) => record(page, 4) },
  {
    name: "home-recorded",
    title: "录好了，说声音清不清楚",
    path: paths.home,
    async prepare(page) {
      await record(page, 8);
      await card(page).getByRole("button", { name: recordingCopy.stop }).click();
      await card(page).getByRole("button", { name: recordingCopy.retake }).waitFor(longTimeout);
    },
  },
  { name: "home-samples", title: "示例声音", path: paths.home, prepare: lendVoice },
  { name: "home-upload", title: "上传音频", path: paths.home, prepare: (page) => choose(page, "upload") },
  {
    name: "home-not-audio",
    title: "读不了的文件",
    path: paths.home,
    async prepare(page) {
      await choose(page, "upload");
      const file = { name: "合同.doc", mimeType: "application/msword", buffer: Buffer.from("not audio ".repeat(200)) };
      await card(page).getByLabel(new RegExp(uploadCopy.pick)).setInputFiles(file);
      await card(page).getByText(uploadCopy.unreadable).waitFor(longTimeout);
    },
  },
  {
    name: "home-missing",
    title: "什么都没选就点了克隆",
    path: paths.home,
    async prepare(page) {
      await press(page);
      await card(page).getByText(referenceCopy.missing.record).waitFor();
    },
  },
  {
    name: "home-progress",
    title: "正在生成",
    path: paths.home,
    async prepare(page) {
      await lendVoice(page);
      await page.getByLabel(trialCopy.text.label).fill(trialCopy.text.examples.map(({ text }) => text).join("\n"));
      await press(page);
      await card(page).getByRole("progressbar").waitFor(longTimeout);
    },
  },
  {
    name: "home-result",
    title: "结果在播放",
    path: paths.home,
    hasAllLooks: true,
    async prepare(page) {
      await lendVoice(page);
      await finish(page);
      await page.waitForTimeout(2500);
    },
  },
  {
    name: "home-failed",
    title: "网络断了，没有生成",
    path: paths.home,
    async prepare(page) {
      await lendVoice(page);
      await page.route(`**${bffPaths.trials}`, (route) => route.abort());
      await press(page);
      await card(page).getByRole("button", { name: trialResultCopy.retry }).waitFor(longTimeout);
    },
  },
];
