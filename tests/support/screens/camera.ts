import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright";
import sharp from "sharp";
import { type Props, patient, type Scene } from "./scene";

export type Size = "phone" | "desktop";
const sizes = { phone: { width: 360, height: 780 }, desktop: { width: 1280, height: 900 } };
const phone =
  "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";

/** The looks of a scene that are kept. */
export function looksOf({ only, isMain }: Scene) {
  const all = [
    { size: "desktop", isDark: false, isKept: true },
    { size: "desktop", isDark: true, isKept: isMain },
    { size: "phone", isDark: false, isKept: isMain },
    { size: "phone", isDark: true, isKept: true },
  ] as const;
  return all.filter(({ size }) => !only || only === size);
}

export const fileOf = (scene: Scene, look: { size: Size; isDark: boolean }) =>
  `${scene.name}-${look.size}${look.isDark ? "-dark" : ""}.webp`;

let counted = 0;

export interface Film {
  browser: Browser;
  url: string;
  folder: string;
  props: Props;
  storageState?: Awaited<ReturnType<BrowserContext["storageState"]>>;
  /** Every look of every scene, not only what is kept. */
  isComplete: boolean;
  /** Which scenes. */
  only: RegExp;
  /** This one alone. */
  size?: Size;
}

/** Takes every scene on both sizes at once: set up once on each, then by day and by night. Gives back what could not be taken. */
export async function takeAll(film: Film, scenes: readonly Scene[]): Promise<string[]> {
  const failed: string[] = [];
  const takeThem = async (size: Size) => {
    for (const scene of scenes) {
      if (!film.only.test(scene.name) || (scene.only && scene.only !== size)) continue;
      try {
        await take(film, scene, size);
      } catch (error) {
        failed.push(`${scene.name} (${size}): ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  await Promise.all((film.size ? [film.size] : (["phone", "desktop"] as const)).map(takeThem));
  return failed;
}

async function take({ browser, url, folder, props, storageState, isComplete }: Film, scene: Scene, size: Size) {
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
    context.setDefaultTimeout(patient.timeout);
    const page = await context.newPage();
    await page.goto(scene.path, { waitUntil: "networkidle" });
    await scene.prepare?.(page, props);
    await settle(page);
    if (scene.isWhole) await showWhole(page);
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

/** What was asked for has arrived; what never ends is not waited for. */
async function settle(page: Page) {
  await page.waitForLoadState("networkidle", { timeout: 2500 }).catch(() => {});
  await page.waitForFunction(() => [...document.images].every((image) => image.loading === "lazy" || image.complete));
  await page.waitForTimeout(300);
}

/** As if the screen were as long as the page: what stands at its foot stays there. */
async function showWhole(page: Page) {
  const [width, height] = await page.evaluate(() => [innerWidth, document.documentElement.scrollHeight] as const);
  await page.setViewportSize({ width, height });
  await settle(page);
}
