/** `npm test`: installs packages and a browser where they are missing, checks, builds and runs the journeys. */
import "./install.mjs";
import { existsSync } from "node:fs";
import { run } from "../../server/prepare.mjs";

const started = performance.now();
const { findBrowser } = await import("./browser.mjs");
const executablePath = findBrowser();
// PostgreSQL with an object store comes first where it is installed: domain rules run on the first database only, the
// suites of database, queue and money on both.
const engines = existsSync("/usr/lib/postgresql") ? "postgres,embedded" : "embedded";
run(process.execPath, ["tests/config/check.mjs", "--all"], { env: { TEST_ENGINES: engines } });
console.log("Running the journeys in the browser …");
run("npm", ["--prefix", "tests", "run", "--silent", "journeys"], { env: { CHROMIUM_PATH: executablePath } });
console.log(`All tests passed in ${((performance.now() - started) / 60_000).toFixed(1)} min.`);
