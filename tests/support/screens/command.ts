/** `npm run screens [-- [--all] [--only NAMES] [FOLDER]]`: screenshots of every state, their index, and the share image. */
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright";
import { consentTexts, readingSentences } from "~/copy/recording";
import { announcementCopy } from "~/copy/site";
import { paths } from "~/paths";
import { consentStatementId } from "~server/contract/consent";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { build } from "../../../server/prepare.mjs";
import { findBrowser } from "../../config/browser.mjs";
import { logInByRequest } from "../browser-login";
import { buyTier } from "../journey-member";
import { startProduct } from "../product";
import { drawShareImage } from "../share-image";
import { speechLike, toPcm } from "../sounds";
import { writeSpokenRecording } from "../spoken-recording";
import { busyScenes } from "./busy-scenes";
import { type Shoot, type Size, takeScreenshots } from "./camera";
import { dubbingScenes } from "./dubbing-scenes";
import { consentScenes, failingScenes } from "./failing-scenes";
import { startFailingSite } from "./failing-site";
import { writeHistory } from "./history";
import { type Chapter, writeIndex } from "./index-page";
import { createMemberContent } from "./member-content";
import { memberScenes } from "./member-scenes";
import { buyerScenes, newcomerScenes } from "./newcomer-scenes";
import type { SceneFiles } from "./scene";
import { trialScenes } from "./trial-scenes";
import { bannerScenes, visitorScenes } from "./visitor-scenes";
import { waitingScenes } from "./waiting-scenes";

const chapters: Chapter[] = [
  { heading: "首页", scenes: trialScenes },
  { heading: "没有登录", scenes: [...visitorScenes, ...bannerScenes] },
  { heading: "刚注册", scenes: [...newcomerScenes, ...buyerScenes] },
  { heading: "会员", scenes: memberScenes },
  { heading: "配音", scenes: dubbingScenes },
  { heading: "正在生成", scenes: busyScenes },
  { heading: "还没有来，没有打开", scenes: [...waitingScenes, ...failingScenes, ...consentScenes] },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});
const published = "docs/screens";
const folder = positionals[0] ?? `${published}/all`;
const only = new RegExp(values.only);

const scratch = mkdtempSync(join(tmpdir(), "screens-"));
const settings = {
  DATA_DIR: join(scratch, "data"),
  SESSION_SECRET: randomBytes(32).toString("hex"),
  BUILD_CHECK_SECONDS: "2",
  BANNER_TEXT: "今晚十点维护半小时。",
  // Trials are limited per address: each browser context sends its own.
  TRUSTED_PROXIES: "127.0.0.1 ::1",
};

async function writeSceneFiles(): Promise<SceneFiles & { consentFile: string }> {
  const { samples, sampleRate } = speechLike({ seconds: 8, seed: 91 });
  const files = {
    voiceFile: join(scratch, "reading.wav"),
    consentFile: join(scratch, "consent.wav"),
    foreignFile: join(scratch, "别人的录音.wav"),
    shortFile: join(scratch, "太短的录音.wav"),
  };
  await writeSpokenRecording(files.voiceFile, readingSentences[0]);
  await writeSpokenRecording(files.consentFile, consentTexts[consentStatementId]);
  writeFileSync(files.foreignFile, encodeWav(toPcm({ samples, sampleRate }), sampleRate));
  writeFileSync(files.shortFile, encodeWav(toPcm({ samples: samples.slice(0, sampleRate), sampleRate }), sampleRate));
  return files;
}

const launch = (voiceFile: string) =>
  chromium.launch({
    executablePath: findBrowser(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--autoplay-policy=no-user-gesture-required",
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
      `--use-file-for-fake-audio-capture=${voiceFile}`,
    ],
  });

/** Browser state with the operator's notice closed; `enter` may log in. */
async function stateOf(browser: Browser, url: string, enter?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ baseURL: url, locale: "zh-CN" });
  const page = await context.newPage();
  await page.goto(paths.service, { waitUntil: "networkidle" });
  const notice = page.getByRole("complementary", { name: announcementCopy.label });
  // A press that comes before the page listens is lost.
  while (await notice.isVisible()) {
    await notice.getByRole("button", { name: announcementCopy.close }).click();
    await page.waitForTimeout(200);
  }
  await enter?.(page);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function takeAllScenes(browser: Browser, files: SceneFiles & { consentFile: string }): Promise<string[]> {
  let product = await startProduct(settings);
  try {
    const isWanted = [...memberScenes, ...dubbingScenes, ...busyScenes].some(({ name }) => only.test(name));
    const member = await stateOf(browser, product.url, async (page) => {
      if (!isWanted) return;
      await buyTier(page, "13700000001", "svip");
      await createMemberContent(page.request, new URL(page.url()).origin, files.consentFile);
    });
    await product.stop();
    await writeHistory(settings.DATA_DIR);
    const { port, origin: url } = new URL(product.url);
    product = await startProduct({ ...settings, PORT: port });
    const logIn = (page: Page) => logInByRequest(page.request, url);
    const shared = { browser, url, folder, files, only, isComplete: values.all };
    const take = (scenes: Chapter["scenes"], storageState?: Shoot["storageState"]) =>
      takeScreenshots({ ...shared, ...(storageState && { storageState }) }, scenes);
    const { cookies } = await stateOf(browser, url);
    // Without a visitor id each scene has its own trials.
    const visitor = { cookies: cookies.filter(({ name }) => name === "banner-closed"), origins: [] };
    const takeBuyer = async (size: Size) =>
      takeScreenshots({ ...shared, size, storageState: await stateOf(browser, url, logIn) }, buyerScenes);
    return [
      ...(await take([...trialScenes, ...visitorScenes], visitor)),
      ...(await take(bannerScenes)),
      ...(await take([...newcomerScenes, ...waitingScenes], await stateOf(browser, url, logIn))),
      ...(await takeFailingScenes({ ...shared, storageState: await stateOf(browser, url, logIn) })),
      ...(await Promise.all((["phone", "desktop"] as const).map(takeBuyer))).flat(),
      ...(await take([...memberScenes, ...dubbingScenes], member)),
      ...(await take(busyScenes, member)),
    ];
  } finally {
    await product.stop();
  }
}

/** Scenes with failing lists, and the analytics consent bar. */
async function takeFailingScenes(shoot: Shoot & { storageState: NonNullable<Shoot["storageState"]> }) {
  if (![...failingScenes, ...consentScenes].some(({ name }) => only.test(name))) return [];
  const { SESSION_SECRET, TRUSTED_PROXIES } = settings;
  const ANALYTICS_BAIDU_ID = "0123456789abcdef0123456789abcdef";
  const site = await startFailingSite(shoot.url, { SESSION_SECRET, TRUSTED_PROXIES, ANALYTICS_BAIDU_ID });
  const { origin } = new URL(site.url);
  const refused = { origin, localStorage: [{ name: "analytics-consent", value: "no" }] };
  try {
    const { cookies } = shoot.storageState;
    const shared = { ...shoot, url: origin };
    return [
      ...(await takeScreenshots({ ...shared, storageState: { cookies, origins: [refused] } }, failingScenes)),
      ...(await takeScreenshots({ ...shared, storageState: { cookies: [], origins: [] } }, consentScenes)),
    ];
  } finally {
    await site.stop();
  }
}

/** Replaces the pictures that the repository keeps. */
function refreshPublished() {
  const kept = readdirSync(published).filter((file) => file.endsWith(".webp"));
  for (const file of kept) copyFileSync(join(folder, file), join(published, file));
}

build();
mkdirSync(folder, { recursive: true });
if (!values.only) for (const file of readdirSync(folder)) if (file.endsWith(".webp")) rmSync(join(folder, file));
const files = await writeSceneFiles();
const browser = await launch(files.voiceFile);
try {
  const failed = await takeAllScenes(browser, files);
  if (!values.only && !values.all) {
    writeIndex(folder, chapters);
    if (!positionals[0]) refreshPublished();
    await drawShareImage(browser, "public/og.png");
  }
  for (const line of failed) console.error(line);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
