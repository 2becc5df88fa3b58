import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InstallError } from "./install";
import { takeLock } from "./lock";
import { runNpm } from "./packages";

/** The addons that run models: the versions that the engines were tried with, and what npm downloads. */
export const runtimes = {
  "sherpa-onnx-node": { version: "1.13.8", megabytes: 32 },
  "onnxruntime-node": { version: "1.30.0", megabytes: 113 },
} as const;
export type RuntimeName = keyof typeof runtimes;

/** Without scripts: onnxruntime-node's would download CUDA. */
const npmOptions = "--no-audit --no-fund --no-update-notifier --ignore-scripts --no-save --loglevel=error".split(" ");

/**
 * Installs a pinned addon beside the models with npm, which knows registries and proxies, and leaves others there; nothing
 * if it is present. Throws InstallError.
 */
export async function installRuntime(folder: string, name: RuntimeName, signal?: AbortSignal): Promise<boolean> {
  const { version } = runtimes[name];
  const manifest = join(folder, "node_modules", name, "package.json");
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version) return false;
  await mkdir(folder, { recursive: true });
  const release = await takeLock(join(folder, ".addon-lock"));
  if (!release) throw new InstallError(`another process is installing ${name}`, "busy");
  try {
    const staging = join(folder, ".staging", "addon");
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true });
    // A container's home is read-only.
    const places = ["--prefix", staging, "--cache", join(staging, "cache")];
    await runNpm(["install", ...places, `${name}@${version}`, ...npmOptions], signal).catch((error: Error) => {
      signal?.throwIfAborted();
      throw new InstallError(`npm could not install ${name}@${version}: ${error.message}`, "runtime");
    });
    await movePackages(join(staging, "node_modules"), join(folder, "node_modules"));
    await rm(staging, { recursive: true });
  } finally {
    await release();
  }
  return true;
}

async function movePackages(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => !name.startsWith("."));
  for (const name of names) {
    if (name.startsWith("@")) {
      await movePackages(join(from, name), join(to, name));
      continue;
    }
    const place = join(to, name);
    await mkdir(dirname(place), { recursive: true });
    await rm(place, { recursive: true, force: true });
    await rename(join(from, name), place);
  }
}
