/** Finds a Chromium for the journeys, or installs one: Debian's package as root, else Playwright's own download. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright";
import { root } from "../../server/prepare.mjs";

const systemChromium = "/usr/bin/chromium";

const candidates = () => [process.env.CHROMIUM_PATH, systemChromium, chromium.executablePath()];
const present = () => candidates().find((path) => path && existsSync(path));

function tryRun(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { cwd: root, stdio: "inherit", env }).status === 0;
}

const isRoot = () => process.getuid?.() === 0;

/** Path of a Chromium that exists; exits with a sentence when none can be had. */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH && !existsSync(process.env.CHROMIUM_PATH)) {
    console.error(`CHROMIUM_PATH points to nothing: ${process.env.CHROMIUM_PATH}`);
    process.exit(1);
  }
  const found = present();
  if (found) return found;
  console.log("Installing a browser for the journeys (once) …");
  const packages = ["chromium", "fonts-noto-cjk"];
  const viaDebian =
    existsSync("/etc/debian_version") &&
    isRoot() &&
    tryRun("apt-get", ["update", "-qq"]) &&
    tryRun("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages]);
  if (!viaDebian) tryRun(process.execPath, ["node_modules/playwright/cli.js", "install", "chromium"]);
  const installed = present();
  if (installed) return installed;
  console.error("No browser: set CHROMIUM_PATH to a Chromium or Chrome.");
  process.exit(1);
}
