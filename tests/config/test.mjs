/** `npm test`: everything. Installs packages and a browser where they are missing, checks, builds, walks the journeys. */
import { existsSync } from "node:fs";
import { build, install, run } from "../../server/prepare.mjs";

install();
const { findBrowser } = await import("./browser.mjs");
const executablePath = findBrowser();
run(process.execPath, ["tests/config/check.mjs"]);
run(process.execPath, ["tests/config/halves.mjs"]);
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/config/vitest.config.ts"];
// Everything that has a database, on PostgreSQL and a bucket; the checks ran it on the embedded one and the disk.
if (existsSync("/usr/lib/postgresql")) {
  run(process.execPath, [...vitest, "--silent", "passed-only", "tests/api", "server/upstream"], {
    env: { TEST_ENGINES: "postgres" },
  });
}
build();
// After the build: the topologies are processes of it.
run(process.execPath, [...vitest, "tests/torture"]);
run(process.execPath, ["node_modules/playwright/cli.js", "test", "--config", "tests/config/playwright.config.ts"], {
  env: { CHROMIUM_PATH: executablePath },
});
