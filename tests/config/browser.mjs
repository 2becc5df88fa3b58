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

function installWithApt() {
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) return false;
  const packages = ["chromium", "fonts-noto-cjk"];
  console.log(`No Chromium found. Installing ${packages.join(" and ")} with apt-get as root (once) …`);
  return (
    tryRun("apt-get", ["update", "-qq"]) &&
    tryRun("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages])
  );
}

/** Returns the path of an installed Chromium; installs one if there is none, and exits with a message if that fails. */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH && !existsSync(process.env.CHROMIUM_PATH)) {
    console.error(`CHROMIUM_PATH does not exist: ${process.env.CHROMIUM_PATH}`);
    process.exit(1);
  }
  const found = present();
  if (found) return found;
  if (!installWithApt()) {
    console.log("Downloading Chromium with Playwright (once) …");
    tryRun(process.execPath, ["node_modules/playwright/cli.js", "install", "chromium"]);
  }
  const installed = present();
  if (installed) return installed;
  console.error("No browser: set CHROMIUM_PATH to a Chromium or Chrome.");
  process.exit(1);
}
