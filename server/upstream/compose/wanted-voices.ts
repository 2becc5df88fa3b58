import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Logger } from "pino";
import { modelsFolder } from "~server/settings/installed";
import { repeatUntil } from "../jobs/worker";
import { resolveProgram } from "../program";
import { measuredFile } from "../speech/engines/sherpa/models";
import { isInstalled, type ModelStore } from "../speech/models/install";
import { modelSets } from "../speech/models/manifest";
import type { UpstreamConfig } from "./parts";

type Wanting = Pick<UpstreamConfig, "speech" | "dataDir">;

/** A mirror may not answer, or another worker may be installing. */
const everyMs = 10 * 60 * 1000;

/** Installs the models of `VOICES` that are missing, until they are there or the signal ends it. */
export const keepVoicesInstalled = (config: Wanting, { log, signal }: { log: Logger; signal: AbortSignal }) =>
  repeatUntil(signal, {
    everyMs,
    act: () => installWantedVoices(config, { log, signal }),
    onError: (error) => log.warn({ err: error }, "the installation of speech models failed"),
  });

/**
 * Installs models of `VOICES` that are missing (naming them accepts their licences), one after the other, in processes of
 * their own: the product serves meanwhile, and uses them from its next start. Ends with the signal; parts are kept.
 */
export async function installWantedVoices(
  { speech, dataDir }: Wanting,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const store = { folder: modelsFolder(dataDir) };
  for (const name of speech?.wantedModels ?? []) {
    if (signal.aborted || isUsable(store, name)) continue;
    log.info({ model: name }, "installs a speech model in the background");
    const { code, lastLine } = await outcomeOf(startInstaller(name), signal);
    if (signal.aborted) return;
    if (code === 0) log.warn({ model: name }, "a speech model is installed: restart the product to use it");
    else log.warn({ model: name, reason: lastLine }, "a speech model could not be installed; it is tried again");
  }
}

/** Models that speak are usable when they were measured. */
function isUsable(store: ModelStore, name: string): boolean {
  const isMeasured = ["voice", "preset"].includes(modelSets[name]?.kind ?? "");
  return isInstalled(store, name) && (!isMeasured || existsSync(join(store.folder, name, measuredFile)));
}

function startInstaller(name: string): ChildProcess {
  const { path, nodeArguments, env } = resolveProgram("./operations", "voices-main");
  const args = [...nodeArguments, path, "install", name, "--accept"];
  return spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
}

async function outcomeOf(child: ChildProcess, signal: AbortSignal): Promise<{ code: number | null; lastLine: string }> {
  let lastLine = "";
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on("line", (line) => (lastLine = line.trim() || lastLine));
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  signal.removeEventListener("abort", stop);
  return { code, lastLine };
}
