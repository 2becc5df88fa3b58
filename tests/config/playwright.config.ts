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
  // Generous, because a shared machine may stall and speech takes processor time; a test that passes waits for none of
  // it. The reporter lists tests that passed after a retry as flaky.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  retries: process.env.CI ? 2 : 0,
  reporter: [[process.env.CI ? "list" : "line"], [`${root}tests/config/slowest-journeys.ts`]],
  testMatch: "*.journey.ts",
  projects: [
    // Runs first: at the end it would leave one of the two workers idle. Only what needs more than one process.
    {
      name: "separate",
      use: { topology: "separate" },
      testMatch: "clone.journey.ts",
      grep: /records a sentence|uploaded recording|three trials|one tap/,
    },
    { name: "one-process", use: { topology: "one-process" } },
  ],
  use: {
    locale: "zh-CN",
    // Its requests pass by the journeys' faults; the journeys of the worker itself allow it.
    serviceWorkers: "block",
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: browserArgs,
      // Chinese file names of downloads need a UTF-8 locale.
      env: { ...(process.env as Record<string, string>), LANG: "C.UTF-8" },
    },
  },
});
