/** `npm test`: everything. Installs packages and a browser where they are missing, checks, builds, walks the journeys. */
import { existsSync } from "node:fs";
import { install, run } from "../../server/prepare.mjs";

install();
const { findBrowser } = await import("./browser.mjs");
const executablePath = findBrowser();
// What has a database runs on the embedded one with the disk and, where it is installed, on PostgreSQL with a bucket.
const engines = existsSync("/usr/lib/postgresql") ? "embedded,postgres" : "embedded";
run(process.execPath, ["tests/config/check.mjs", "--all"], { env: { TEST_ENGINES: engines } });
run(process.execPath, ["node_modules/playwright/cli.js", "test", "--config", "tests/config/playwright.config.ts"], {
  env: { CHROMIUM_PATH: executablePath },
});
