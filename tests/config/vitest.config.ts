import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: "~server", replacement: `${root}server` },
      { find: "~", replacement: `${root}app` },
      // The engines' programs start from the run's bundles.
      { find: /^(\.\.\/)+program$/, replacement: `${root}tests/support/programs.ts` },
    ],
  },
  test: {
    environment: "node",
    include: ["{app,server,tests/api,tests/config,tests/support,tests/torture}/**/*.test.{ts,tsx}"],
    globalSetup: ["tests/config/postgres-setup.ts", "tests/config/programs-setup.ts"],
    // A worker loads the product and the embedded database's program once, not once a file: nothing is mocked here.
    isolate: false,
    maxWorkers: 2,
    // Waiting long costs nothing where all is well.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 150_000 } },
    retry: process.env.CI ? 1 : 0,
  },
});
