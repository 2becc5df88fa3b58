import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { createRequestHandler } from "@remix-run/node";
import { Hono } from "hono";
import { chromium } from "playwright";
import { freePort } from "../support/postgres";
import { startProduct } from "../support/product";
import type { Row } from "./row";

const root = fileURLToPath(new URL("../..", import.meta.url));
const allowedRatio = 1.3;

const bareRoot = `
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "@remix-run/react";
export default () => (
  <html lang="zh-CN"><head><Meta /><Links /></head><body><Outlet /><ScrollRestoration /><Scripts /></body></html>
);`;
const bareVite = `
import { vitePlugin as remix } from "@remix-run/dev";
import remixConfig from "./remix.config.js";
export default { plugins: [remix({ future: remixConfig.future })], build: { target: "es2022" } };`;
const bareIndex = `export default () => <p>ok</p>;`;

/** The smallest page of the same versions of Remix and React, built and served in the same way. */
async function serveBarePage(): Promise<{ url: string; close(): void }> {
  const dir = mkdtempSync(join(tmpdir(), "bare-"));
  mkdirSync(join(dir, "app/routes"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  cpSync(join(root, "package.json"), join(dir, "package.json"));
  cpSync(join(root, "remix.config.js"), join(dir, "remix.config.js"));
  writeFileSync(join(dir, "vite.config.js"), bareVite);
  writeFileSync(join(dir, "app/root.tsx"), bareRoot);
  writeFileSync(join(dir, "app/routes/_index.tsx"), bareIndex);
  const remix = join(root, "node_modules/@remix-run/dev/dist/cli.js");
  execFileSync(process.execPath, [remix, "vite:build"], { cwd: dir, stdio: "ignore" });
  const handle = createRequestHandler(await import(pathToFileURL(join(dir, "build/server/index.js")).href));
  const app = new Hono();
  app.get("/favicon.ico", (c) => c.body(null, 204));
  app.use("/assets/*", serveStatic({ root: join(dir, "build/client") }));
  app.all("*", (c) => handle(c.req.raw));
  const port = await freePort();
  const server = serve({ fetch: app.fetch, port });
  return {
    url: `http://localhost:${port}`,
    close() {
      server.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

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

/** Measures the client JavaScript of the home page before the first click, next to a bare Remix page. */
export async function benchPages(): Promise<Row[]> {
  const bare = await serveBarePage();
  const product = await startProduct();
  try {
    const [bareBytes, homeBytes] = [await scriptBytes(bare.url), await scriptBytes(product.url)];
    return [
      { name: "bare Remix page, scripts gzipped", value: bareBytes / 1000, unit: "kB" },
      { name: "home page, scripts gzipped", value: homeBytes / 1000, unit: "kB" },
      { name: "home ÷ bare", value: homeBytes / bareBytes, unit: "", reference: `≤ ${allowedRatio}` },
    ];
  } finally {
    await product.stop();
    bare.close();
  }
}
