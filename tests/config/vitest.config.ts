import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  root,
  resolve: { alias: { "~server": `${root}server`, "~": `${root}app` } },
  test: {
    environment: "node",
    include: ["{app,server,tests/api,tests/config,tests/support,tests/torture}/**/*.test.{ts,tsx}"],
    globalSetup: "tests/config/postgres-setup.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    retry: process.env.CI ? 1 : 0,
  },
});
