/** `npm test`: everything. Installs packages and a browser where they are missing, checks, builds, walks the journeys. */
import { build, install, run } from "../../server/prepare.mjs";

install();
const { findBrowser } = await import("./browser.mjs");
const executablePath = findBrowser();
run(process.execPath, ["tests/config/check.mjs"]);
run(process.execPath, ["tests/config/halves.mjs"]);
run(process.execPath, [
  "node_modules/vitest/vitest.mjs",
  "run",
  "--config",
  "tests/config/vitest.config.ts",
  "tests/torture",
]);
build();
run(process.execPath, ["node_modules/playwright/cli.js", "test", "--config", "tests/config/playwright.config.ts"], {
  env: { CHROMIUM_PATH: executablePath },
});
