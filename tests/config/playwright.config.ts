import { fileURLToPath } from "node:url";
import { defineConfig } from "playwright/test";

const root = fileURLToPath(new URL("../..", import.meta.url));
const port = Number(process.env.JOURNEY_PORT ?? 3300);

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

export default defineConfig({
  testDir: `${root}tests/journeys`,
  outputDir: `${root}test-results`,
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  reporter: process.env.CI ? "list" : "line",
  use: {
    baseURL: `http://localhost:${port}`,
    locale: "zh-CN",
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium", args: browserArgs },
  },
});
