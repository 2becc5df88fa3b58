import { fileURLToPath } from "node:url";
import { defineConfig } from "playwright/test";
import type { TopologyName } from "../support/topology";

const root = fileURLToPath(new URL("../..", import.meta.url));

export const browserArgs = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--autoplay-policy=no-user-gesture-required",
];

export default defineConfig<object, { topology: TopologyName }>({
  testDir: `${root}tests/journeys`,
  outputDir: `${root}test-results`,
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  // A shared machine may stall for seconds; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  reporter: process.env.CI ? "list" : "line",
  testMatch: "*.journey.ts",
  projects: [
    { name: "one-process", use: { topology: "one-process" } },
    { name: "separate", use: { topology: "separate" }, testMatch: "clone.journey.ts" },
  ],
  use: {
    locale: "zh-CN",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: browserArgs,
      // Without a locale the browser cannot spell the Chinese names of downloads.
      env: { ...(process.env as Record<string, string>), LANG: "C.UTF-8" },
    },
  },
});
