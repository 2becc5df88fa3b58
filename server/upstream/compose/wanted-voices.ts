import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Logger } from "pino";
import { isSimulated, modelsFolder } from "~server/settings/installed";
import { resolveProgram } from "../../program";
import {
  type Arrival,
  isInstalled,
  kokoroVersion,
  type ModelStore,
  measuredFile,
  modelSets,
  readArrival,
  readAsked,
  readDeclined,
  reportArrival,
  setAsked,
  setDeclined,
  sizeOf,
  takeLock,
} from "../../speech/index";
import type { ApiParts } from "../api/parts";
import { repeatUntil } from "../jobs/worker";
import type { UpstreamConfig } from "./parts";

export type Wanting = Pick<UpstreamConfig, "speech" | "dataDir">;

export interface Installing {
  log: Logger;
  signal: AbortSignal;
}

/** A mirror may not answer, or another worker may be installing. */
const everyMs = 10 * 60 * 1000;
/** How soon a wish starts the installer and a cancellation ends it. */
const lookMs = 1_000;

/**
 * Installs the models of `VOICES` that are missing, and at once what a person asks for on a page, one after the other and
 * until the signal ends it.
 */
export function keepVoicesInstalled(config: Wanting, installing: Installing): Promise<void> {
  let triedAt = Number.NEGATIVE_INFINITY;
  return repeatUntil(installing.signal, {
    everyMs: lookMs,
    async act() {
      await installAskedVoice(config, installing);
      if (Date.now() - triedAt < everyMs) return;
      triedAt = Date.now();
      await installWantedVoices(config, installing);
    },
    onError: (error) => installing.log.warn({ err: error }, "the installation of speech models failed"),
  });
}

/**
 * Installs wanted models that are missing (naming them accepts their licences), one after the other, in processes of their
 * own: the product serves meanwhile. Ends with the signal, and where a person cancels; parts are kept.
 */
export async function installWantedVoices({ speech, dataDir }: Wanting, { log, signal }: Installing): Promise<void> {
  const store = { folder: modelsFolder(dataDir) };
  const isDeclined = (name: string) => speech?.isUnasked === true && readDeclined(store.folder).includes(name);
  for (const name of speech?.wantedModels ?? []) {
    if (signal.aborted || isUsable(store, name) || isDeclined(name)) continue;
    log.info({ model: name }, "installs a speech model in the background");
    const { code, lastLine } = await outcomeOf(startInstaller(name), signal, () => isDeclined(name));
    if (signal.aborted) return;
    if (code === 0) log.warn({ model: name }, `a speech model is installed: ${lastLine}`);
    else if (isDeclined(name)) log.info({ model: name }, "the installation of a speech model was cancelled");
    else log.warn({ model: name, reason: lastLine }, "a speech model could not be installed; it is tried again");
  }
}

/** What people may install on a page. */
export const cloner = "zipvoice";

/**
 * Installs the cloner if a person asked for it; running jobs end with the engines they began with. A failure waits for the
 * next press. Where several workers see one folder, one of them installs.
 */
async function installAskedVoice({ dataDir }: Wanting, { log, signal }: Installing): Promise<void> {
  const folder = modelsFolder(dataDir);
  const isAsked = () => readAsked(folder).includes(cloner);
  if (signal.aborted || !isAsked()) return;
  const release = await takeLock(join(folder, ".asked-lock"));
  if (!release) return;
  try {
    log.warn(
      { model: cloner },
      "installs a speech model that a person asked for, and whose licence that person accepted",
    );
    const { code, lastLine, isStopped } = await outcomeOf(startInstaller(cloner), signal, () => !isAsked());
    // The wish stays for the next start.
    if (signal.aborted) return;
    if (isStopped) {
      // It may have been asked for again since.
      log.info({ model: cloner }, "the installation of a speech model was cancelled");
      return;
    }
    if (code === 0) log.warn({ model: cloner }, `a speech model is installed: ${lastLine}`);
    else {
      log.warn({ model: cloner, reason: lastLine }, "a speech model could not be installed");
      // An installer that was killed or did not start has reported nothing.
      if (readArrival(folder, cloner)?.step !== "failed") reportArrival(folder, { set: cloner, total: 0 }).end("other");
    }
    setAsked(folder, cloner, false);
  } finally {
    await release();
  }
}

/** Models that speak are usable when they were measured, Kokoro when this version prepared it. */
function isUsable(store: ModelStore, name: string): boolean {
  const { kind, runtime } = modelSets[name] ?? {};
  if (kind !== "voice" || !isInstalled(store, name)) return isInstalled(store, name);
  const measured = join(store.folder, name, measuredFile);
  if (!existsSync(measured)) return false;
  return runtime !== "onnxruntime-node" || JSON.parse(readFileSync(measured, "utf8")).version === kokoroVersion;
}

function startInstaller(name: string): ChildProcess {
  const { path, nodeArguments, env } = resolveProgram("./upstream/operations", "voices-main");
  const args = [...nodeArguments, path, "install", name, "--accept"];
  return spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe", "ipc"] });
}

async function outcomeOf(child: ChildProcess, signal: AbortSignal, isCancelled: () => boolean) {
  let lastLine = "";
  const stop = () => child.kill("SIGTERM");
  let isStopped = false;
  const looking = setInterval(() => {
    isStopped ||= isCancelled();
    if (isStopped) stop();
  }, lookMs);
  signal.addEventListener("abort", stop, { once: true });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on("line", (line) => (lastLine = line.trim() || lastLine));
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  clearInterval(looking);
  signal.removeEventListener("abort", stop);
  return { code, lastLine, isStopped };
}

const states = { files: "arriving", runtime: "trying", trying: "trying", failed: "waiting" } as const;
const unmoved = { received: 0, total: 0, bytesPerSecond: 0 };

/** Progress of the voice that is installed in the background; undefined in production and with `VOICES=none`. */
export function createNaturalVoice({ mode, speech, dataDir }: Wanting & Pick<UpstreamConfig, "mode">) {
  const engines = speech?.engines ?? [];
  const name = speech?.wantedModels?.find((wanted) => wanted === "kokoro" || wanted === "kokoro-full");
  if (mode !== "demo" || !name || !engines.some((engine) => engine.name === "kokoro")) return undefined;
  const folder = modelsFolder(dataDir);
  const isCancellable = speech?.isUnasked === true;

  const stateOf = (arrival: Arrival | null) => {
    if (!isSimulated(engines)) return "speaking";
    if (isCancellable && readDeclined(folder).includes(name)) return "none";
    return arrival ? states[arrival.step] : "arriving";
  };
  const voice: NonNullable<ApiParts["naturalVoice"]> = {
    read() {
      const arrival = readArrival(folder, name);
      const set = modelSets[name];
      const { received, total, bytesPerSecond } = arrival ?? { ...unmoved, total: set ? sizeOf(set).bytes : 0 };
      return { state: stateOf(arrival), received, total, bytesPerSecond, isCancellable };
    },
    cancel() {
      if (isCancellable) setDeclined(folder, name, true);
    },
  };
  return voice;
}
