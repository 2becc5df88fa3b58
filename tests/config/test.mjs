/** `npm test`: installs packages and a browser where they are missing, checks, builds and runs the journeys. */
import "./install.mjs";
import { existsSync } from "node:fs";
import { run } from "../../server/prepare.mjs";

const started = performance.now();
const { findBrowser } = await import("./browser.mjs");
const executablePath = findBrowser();
// Database tests run on the embedded database and, where it is installed, on PostgreSQL with an object store.
const engines = existsSync("/usr/lib/postgresql") ? "embedded,postgres" : "embedded";
run(process.execPath, ["tests/config/check.mjs", "--all"], { env: { TEST_ENGINES: engines } });
console.log("Running the journeys in the browser …");
run("npm", ["--prefix", "tests", "run", "--silent", "journeys"], { env: { CHROMIUM_PATH: executablePath } });
console.log(`All tests passed in ${((performance.now() - started) / 60_000).toFixed(1)} min.`);
