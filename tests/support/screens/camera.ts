import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright";
import sharp from "sharp";
import { longTimeout, type Scene, type SceneFiles } from "./scene";

export type Size = "phone" | "desktop";
const sizes = { phone: { width: 360, height: 780 }, desktop: { width: 1280, height: 900 } };
const phone =
  "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";

/** Size and colour scheme combinations of a scene; `isKept` marks those that the index shows. */
export function looksOf({ onlySize, hasAllLooks }: Scene) {
  const all = [
    { size: "desktop", isDark: false, isKept: true },
    { size: "desktop", isDark: true, isKept: hasAllLooks },
    { size: "phone", isDark: false, isKept: hasAllLooks },
    { size: "phone", isDark: true, isKept: true },
  ] as const;
  return all.filter(({ size }) => !onlySize || onlySize === size);
}

export const fileOf = (scene: Scene, look: { size: Size; isDark: boolean }) =>
  `${scene.name}-${look.size}${look.isDark ? "-dark" : ""}.webp`;

let counted = 0;

export interface Shoot {
  browser: Browser;
  url: string;
  folder: string;
  files: SceneFiles;
  storageState?: Awaited<ReturnType<BrowserContext["storageState"]>>;
  /** Take all looks, not only those that the index shows. */
  isComplete: boolean;
  /** Filters scenes by name. */
  only: RegExp;
  /** Restricts the run to one size. */
  size?: Size;
}

/** Takes every scene on both sizes in parallel, first light, then dark. Returns a line per failure. */
export async function takeScreenshots(shoot: Shoot, scenes: readonly Scene[]): Promise<string[]> {
  const failed: string[] = [];
  const takeSize = async (size: Size) => {
    for (const scene of scenes) {
      if (!shoot.only.test(scene.name) || (scene.onlySize && scene.onlySize !== size)) continue;
      try {
        await take(shoot, scene, size);
      } catch (error) {
        failed.push(`${scene.name} (${size}): ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  await Promise.all((shoot.size ? [shoot.size] : (["phone", "desktop"] as const)).map(takeSize));
  return failed;
}

async function take({ browser, url, folder, files, storageState, isComplete }: Shoot, scene: Scene, size: Size) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: sizes[size],
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    reducedMotion: "reduce",
    permissions: ["microphone"],
    extraHTTPHeaders: { "x-forwarded-for": `10.0.${counted >> 8}.${counted++ & 255}` },
    ...(storageState && { storageState }),
    ...(size === "phone" && { userAgent: phone, hasTouch: true }),
  });
  try {
    context.setDefaultTimeout(longTimeout.timeout);
    const page = await context.newPage();
    await page.goto(scene.path, { waitUntil: "networkidle" });
    await scene.prepare?.(page, files);
    await settle(page);
    if (scene.isFullPage) await showFullPage(page);
    for (const look of looksOf(scene)) {
      if (look.size !== size || (!look.isKept && !isComplete)) continue;
      await page.emulateMedia({ colorScheme: look.isDark ? "dark" : "light" });
      const picture = await page.screenshot({ animations: "disabled" });
      await sharp(picture)
        .webp({ quality: 64, effort: 6 })
        .toFile(join(folder, fileOf(scene, look)));
    }
  } finally {
    await context.close();
  }
}

/** Waits until requests and images have arrived, at most 2.5 s for open streams. */
async function settle(page: Page) {
  await page.waitForLoadState("networkidle", { timeout: 2500 }).catch(() => {});
  await page.waitForFunction(() => [...document.images].every((image) => image.loading === "lazy" || image.complete));
  await page.waitForTimeout(300);
}

/** Grows the viewport to the length of the page, so that fixed elements stay at its end. */
async function showFullPage(page: Page) {
  const [width, height] = await page.evaluate(() => [innerWidth, document.documentElement.scrollHeight] as const);
  await page.setViewportSize({ width, height });
  await settle(page);
}
