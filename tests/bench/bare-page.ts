import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Product } from "../support/product";

const root = fileURLToPath(new URL("../..", import.meta.url));

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

/** The smallest page of the same versions of Remix and React, built and served in the same way by its own process. */
export async function startBarePage(): Promise<Pick<Product, "url" | "process" | "stop">> {
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
  const program = fileURLToPath(new URL("bare-page.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, dir], {
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [port] = await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => Promise.reject(new Error("the bare page did not start"))),
  ]);
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    process: child,
    async stop() {
      child.kill();
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
