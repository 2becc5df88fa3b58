/** Installs packages and builds before `npm start` and `npm test` run anything of the project. Node only. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...path) => join(root, ...path);
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const oldestNode = [20, 19];
const say = (line) => console.log(line);

/** Runs a program, by default in the project's folder, with its output shown; ends this process when it fails. */
export function run(command, args, { env = {}, cwd = root } = {}) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Installs the locked packages of a folder unless exactly these are present. `production` accepts an installation
 * without development packages.
 */
export function install({ folder = ".", production = false } = {}) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    console.error(`Node.js ${oldestNode.join(".")} or newer is needed; this is ${process.versions.node}.`);
    process.exit(1);
  }
  if (isInstalled(folder, production)) return;
  say(folder === "." ? "Installing packages (once) …" : `Installing packages of ${folder} (once) …`);
  const cwd = at(folder);
  // onnxruntime-node of the tests would fetch libraries for CUDA.
  const env = { NODE_ENV: "development", ONNXRUNTIME_NODE_INSTALL: "skip" };
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd, env });
}

function isInstalled(folder, production) {
  const installed = at(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  const present = readJson(installed).packages;
  return Object.entries(readJson(at(folder, "package-lock.json")).packages).every(
    ([path, { version, optional, peer, dev, devOptional }]) =>
      path === "" || optional || peer || (production && (dev || devOptional)) || present[path]?.version === version,
  );
}

const settings = ["remix.config.js", "tailwind.config.ts", "vite.config.ts", "vite.patches.ts"];
const sources = ["app", "server", "public", "package-lock.json", ...settings];

function* filesUnder(path) {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) yield join(entry.parentPath ?? entry.path, entry.name);
  }
}

function hashOfSources() {
  const hash = createHash("sha256");
  for (const source of sources) {
    const paths = /\./.test(source) ? [at(source)] : [...filesUnder(at(source))].sort();
    for (const path of paths) if (existsSync(path)) hash.update(path.slice(root.length)).update(readFileSync(path));
  }
  return hash.digest("hex");
}

const stamp = at("build", "source-hash");
/** An image carries the build and not what it was made from. */
const hasSources = () => existsSync(at("vite.config.ts"));
const isBuilt = () =>
  existsSync(at("build", "server", "index.js")) &&
  (!hasSources() || (existsSync(stamp) && readFileSync(stamp, "utf8") === hashOfSources()));

/** Builds the product unless the build of exactly these sources is there. Without `app` only the upstream is built. */
export function build() {
  if (isBuilt()) return;
  say("Building …");
  const tool = existsSync(at("app", "root.tsx"))
    ? ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"]
    : ["node_modules/vite/bin/vite.js", "build", "--ssr"];
  run(process.execPath, [at(tool[0]), ...tool.slice(1), "--logLevel", "warn"], { env: { NODE_ENV: "production" } });
  writeFileSync(stamp, hashOfSources());
}

/** Everything `npm start` needs; quick when nothing changed. */
export function prepare() {
  install({ production: isBuilt() });
  build();
}
