/** `npm run screens [-- FOLDER]`: pictures of the product's screens at both widths and in both colour modes, as small WebP files, and the one of shared links. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import sharp from "sharp";
import { trial, work } from "~/copy/trial";
import { paths } from "~/paths";
import { build } from "../../server/prepare.mjs";
import { startProduct } from "./product";
import { drawShareImage } from "./share-image";

const folder = process.argv[2] ?? "docs/screens";
const sizes = { phone: { width: 360, height: 780 }, desktop: { width: 1280, height: 900 } };
const phone =
  "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";

const card = (page: Page) => page.getByRole("region", { name: trial.label });

/** The screens, and what is done on each before the picture is taken. */
const screens: Record<string, { path: string; prepare?: (page: Page) => Promise<void> }> = {
  home: { path: paths.home },
  result: { path: paths.home, prepare: makeResult },
  square: { path: paths.square },
  subscribe: { path: paths.subscribe },
  login: { path: paths.login },
};

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
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        locale: "zh-CN",
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
