import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { RunReporter } from "./run-reporter";

const root = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: "~server", replacement: `${root}server` },
      { find: "~", replacement: `${root}app` },
      // Child programs of the engines start from the bundles of this run.
      { find: /^(\.\.\/)+program$/, replacement: `${root}tests/support/programs.ts` },
    ],
  },
  test: {
    environment: "node",
    include: ["{app,server,tests/api,tests/config,tests/support,tests/torture}/**/*.test.{ts,tsx}"],
    globalSetup: ["tests/config/postgres-setup.ts", "tests/config/programs-setup.ts"],
    // A worker loads the product and the embedded database once for all files, which mock no modules.
    isolate: false,
    maxWorkers: 2,
    silent: "passed-only",
    reporters: ["default", new RunReporter()],
    // Generous, because a shared machine may stall.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 150_000 } },
    retry: process.env.CI ? 1 : 0,
  },
});
