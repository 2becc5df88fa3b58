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
  globalSetup: `${root}tests/config/journeys-setup.ts`,
  fullyParallel: false,
  workers: 2,
  // A shared machine may stall for seconds: waiting long costs nothing where all is well; what fails thrice is broken.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  retries: process.env.CI ? 2 : 0,
  reporter: process.env.CI ? "list" : "line",
  testMatch: "*.journey.ts",
  projects: [
    // First: at the end one of the two workers would have nothing else to do.
    { name: "separate", use: { topology: "separate" }, testMatch: "clone.journey.ts" },
    { name: "one-process", use: { topology: "one-process" } },
  ],
  use: {
    locale: "zh-CN",
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: browserArgs,
      // Without a locale the browser cannot spell the Chinese names of downloads.
      env: { ...(process.env as Record<string, string>), LANG: "C.UTF-8" },
    },
  },
});
