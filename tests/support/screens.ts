/** `npm run screens [-- FOLDER]`: pictures of the product's screens at both widths and in both colour modes, as small WebP files, and the one of shared links. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import sharp from "sharp";
import { composer, records } from "~/copy/clone";
import { recordsCopy } from "~/copy/dubbing";
import { site } from "~/copy/site";
import { trial, work } from "~/copy/trial";
import { paths } from "~/paths";
import { build } from "../../server/prepare.mjs";
import { joinTier } from "./journey-member";
import { startProduct } from "./product";
import { drawShareImage } from "./share-image";
import { furnish } from "./studio-furniture";

const folder = process.argv[2] ?? "docs/screens";
const sizes = { phone: { width: 360, height: 780 }, desktop: { width: 1280, height: 900 } };
const phone =
  "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";

const card = (page: Page) => page.getByRole("region", { name: trial.label });

type Screens = Record<string, { path: string; prepare?: (page: Page) => Promise<void> }>;

/** The screens, and what is done on each before the picture is taken. */
const screens: Screens = {
  home: { path: paths.home },
  result: { path: paths.home, prepare: makeResult },
  square: { path: paths.square },
  login: { path: paths.login },
  "login-dialog": {
    path: paths.home,
    prepare: (page) => page.getByRole("link", { name: site.login, exact: true }).click(),
  },
  verify: { path: paths.verify },
  "role-visitor": { path: paths.role },
};

/** The same for a professional member whose pages are full. */
const memberScreens: Screens = {
  clone: { path: paths.clone },
  "clone-playing": { path: paths.clone, prepare: playClone },
  "voice-picker": {
    path: paths.clone,
    prepare: (page) => page.getByRole("button", { name: composer.voice.pick }).click(),
  },
  role: { path: paths.role },
  "role-create": { path: paths.roleNew() },
  dubbing: { path: paths.dubbing, prepare: openDub },
  subscribe: { path: paths.subscribe },
  pay: { path: paths.subscribe, prepare: openPayment },
};

async function playClone(page: Page) {
  await page.getByRole("list", { name: records.list }).getByRole("button", { name: /^播放/ }).first().click();
  await page.waitForTimeout(2500);
}

async function openDub(page: Page) {
  await page.getByRole("button", { name: recordsCopy.edit }).first().click();
  await page.waitForTimeout(2500); // polyphones are underlined when the reader has answered
}

async function openPayment(page: Page) {
  await page
    .getByRole("button", { name: /开通|续费/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("img").first().waitFor();
}

async function makeResult(page: Page) {
  await card(page).getByRole("radio", { name: trial.voice.sources.sample }).check({ force: true });
  const voices = card(page).getByRole("group", { name: trial.voice.samples }).getByRole("radio");
  await voices.nth(1).check({ force: true });
  await card(page).getByRole("button", { name: trial.go }).click();
  await card(page)
    .getByRole("link", { name: work.download("MP3") })
    .waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1500); // the player draws its waveform
}

async function take(browser: Browser, url: string) {
  const member = await browser.newContext({ baseURL: url });
  await joinTier(await member.newPage(), "13700000001", "svip");
  await furnish(member.request, url);
  const storageState = await member.storageState();
  await takeAll(browser, url, { screens });
  await takeAll(browser, url, { screens: memberScreens, storageState });
}

interface Round {
  screens: Screens;
  storageState?: Awaited<ReturnType<BrowserContext["storageState"]>>;
}

async function takeAll(browser: Browser, url: string, { screens, storageState }: Round) {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        locale: "zh-CN",
        ...(storageState && { storageState }),
        ...(size === "phone" && { userAgent: phone, hasTouch: true }),
      });
      const page = await context.newPage();
      for (const [name, { path, prepare }] of Object.entries(screens)) {
        await page.goto(url + path, { waitUntil: "networkidle" });
        await prepare?.(page);
        const picture = await page.screenshot();
        await sharp(picture)
          .webp({ quality: 80 })
          .toFile(join(folder, `${name}-${size}${colorScheme === "dark" ? "-dark" : ""}.webp`));
      }
      await context.close();
    }
  }
}

build();
mkdirSync(folder, { recursive: true });
const product = await startProduct();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--autoplay-policy=no-user-gesture-required",
  ],
});
try {
  await take(browser, product.url);
  await drawShareImage(browser, "public/og.png");
} finally {
  await browser.close();
  await product.stop();
}
