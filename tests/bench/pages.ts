import { gzipSync } from "node:zlib";
import { chromium } from "playwright";
import { startProduct } from "../support/product";
import { startBarePage } from "./bare-page";
import { benchSecret, measurePageRates } from "./page-rates";
import type { Row } from "./row";

const allowedRatio = 1.3;

/** Gzipped bytes of every script that a page has loaded when idle, before any interaction. */
async function scriptBytes(url: string): Promise<number> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    const bodies: Promise<Buffer>[] = [];
    page.on("response", (response) => {
      if (/javascript/.test(response.headers()["content-type"] ?? "")) bodies.push(response.body());
    });
    await page.goto(url, { waitUntil: "networkidle" });
    return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).byteLength, 0);
  } finally {
    await browser.close();
  }
}

/** Measures the home page's client JavaScript and the rates of pages, next to a bare Remix page. */
export async function benchPages(): Promise<Row[]> {
  const bare = await startBarePage();
  const product = await startProduct({ SESSION_SECRET: benchSecret });
  try {
    const [bareBytes, homeBytes] = [await scriptBytes(bare.url), await scriptBytes(product.url)];
    return [
      { name: "bare Remix page, scripts gzipped", value: bareBytes / 1000, unit: "kB" },
      { name: "home page, scripts gzipped", value: homeBytes / 1000, unit: "kB" },
      { name: "home ÷ bare", value: homeBytes / bareBytes, unit: "", reference: `≤ ${allowedRatio}` },
      ...(await measurePageRates(bare, product)),
    ];
  } finally {
    await product.stop();
    await bare.stop();
  }
}
