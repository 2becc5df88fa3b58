import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { startProduct } from "../support/product";
import { startBarePage } from "./bare-page";
import type { Row } from "./row";

const allowedHomeKb = 170;
const allowedPageKb = 200;
const allowedCssKb = 12;
const previewsWaitMs = 150_000;

const visitorPages = { square: paths.square, subscribe: paths.subscribe, login: paths.login };
const memberPages = { clone: paths.clone, role: paths.role, dubbing: paths.dubbing };

const kb = (bytes: number) => bytes / 1000;

/** Gzipped bytes of every script that a page has loaded when the network is idle, before any interaction. */
async function scriptBytes(browser: Browser, url: string, logIn?: string): Promise<number> {
  const context = await browser.newContext();
  try {
    if (logIn) await logInByRequest(context.request, logIn);
    const page = await context.newPage();
    const bodies: Promise<Buffer>[] = [];
    page.on("response", (response) => {
      if (/javascript/.test(response.headers()["content-type"] ?? "")) bodies.push(response.body());
    });
    await page.goto(url, { waitUntil: "networkidle" });
    return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).byteLength, 0);
  } finally {
    await context.close();
  }
}

/** The HTML of a page once every preview is there: their addresses are a tenth of it. */
async function htmlBytes(url: string): Promise<number> {
  for (const end = Date.now() + previewsWaitMs; ; await sleep(1000)) {
    const html = await (await fetch(url)).text();
    if (!html.includes('disabled=""')) return Buffer.byteLength(html);
    if (Date.now() > end) throw new Error("the previews of the roles do not come");
  }
}

function cssBytes(): number {
  const assets = fileURLToPath(new URL("../../build/client/assets", import.meta.url));
  const name = readdirSync(assets).find((file) => /^tailwind-.*\.css$/.test(file));
  if (!name) throw new Error("the build has no style sheet");
  return gzipSync(readFileSync(join(assets, name))).byteLength;
}

/** Measures what a first load weighs: HTML, style sheet, and each page's scripts beside a bare Remix page's. */
export async function benchWeight(): Promise<Row[]> {
  const bare = await startBarePage();
  const product = await startProduct();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  const at = (path: string) => product.url + path;
  try {
    const bareBytes = await scriptBytes(browser, bare.url);
    const homeBytes = await scriptBytes(browser, at(paths.home));
    const rows: Row[] = [
      { name: "bare Remix page, scripts gzipped", value: kb(bareBytes), unit: "kB" },
      { name: "home page, scripts gzipped", value: kb(homeBytes), unit: "kB", reference: `≤ ${allowedHomeKb}` },
    ];
    const others = [
      ...Object.entries(visitorPages).map(([name, path]) => [`${name} (visitor)`, path] as const),
      ...Object.entries(memberPages).map(([name, path]) => [`${name} (member)`, path, product.url] as const),
    ];
    for (const [name, path, logIn] of others) {
      const value = kb(await scriptBytes(browser, at(path), logIn));
      rows.push({ name: `${name}, scripts gzipped`, value, unit: "kB", reference: `≤ ${allowedPageKb}` });
    }
    rows.push({ name: "style sheet, gzipped", value: kb(cssBytes()), unit: "kB", reference: `≤ ${allowedCssKb}` });
    for (const name of ["home", "square"] as const) {
      const value = kb(await htmlBytes(at(paths[name])));
      rows.push({ name: `${name}, HTML before compression`, value, unit: "kB" });
    }
    return rows;
  } finally {
    await browser.close();
    await product.stop();
    await bare.stop();
  }
}
