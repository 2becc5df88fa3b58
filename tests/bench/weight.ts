import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { startProduct } from "../support/product";
import { startBarePage } from "./bare-page";
import { type Row, worstOf } from "./row";

const allowedHomeKb = 170;
const allowedPageKb = 200;

const visitorPages = { square: paths.square, subscribe: paths.subscribe, login: paths.login };
const memberPages = { clone: paths.clone, role: paths.role, dubbing: paths.dubbing, slides: paths.slides };

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

/** Measures each page's scripts at a first load, beside a bare Remix page's. */
export async function benchWeight(): Promise<Row[]> {
  const bare = await startBarePage();
  const product = await startProduct();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  const at = (path: string) => product.url + path;
  try {
    const barePage = { name: "bare Remix page", value: kb(await scriptBytes(browser, bare.url)), unit: "kB" };
    const home = { name: "home", value: kb(await scriptBytes(browser, at(paths.home))), unit: "kB" };
    const others: Row[] = [];
    for (const [name, path] of Object.entries(visitorPages))
      others.push({ name, value: kb(await scriptBytes(browser, at(path))), unit: "kB" });
    for (const [name, path] of Object.entries(memberPages))
      others.push({ name, value: kb(await scriptBytes(browser, at(path), product.url)), unit: "kB" });
    const title = "scripts at first load, gzipped";
    return [
      barePage,
      ...others,
      { ...home, name: `${title}: home`, budget: `≤ ${allowedHomeKb} kB` },
      worstOf(others, { name: `${title}: heaviest other page`, budget: `≤ ${allowedPageKb} kB`, which: "highest" }),
    ];
  } finally {
    await browser.close();
    await product.stop();
    await bare.stop();
  }
}
