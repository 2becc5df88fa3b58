import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { prepareText } from "../speech/chinese/prepare";
import { toFloats } from "../speech/dsp/pcm";
import type { SpeechEngine, VoiceProfile } from "../speech/engine";
import { createEmbeddedEngine } from "../speech/engines/embedded/engine";
import { createRemoteEngine } from "../speech/engines/remote/remote-engine";
import { createSherpaBackend } from "../speech/engines/sherpa/engine";
import { type MeasuredSpeed, measuredFile } from "../speech/engines/sherpa/models";
import { InstallError } from "../speech/models/install";
import { takeLock } from "../speech/models/lock";

/** The version that the engine was tried with. */
export const sherpaAddonVersion = "1.13.8";
const addonName = "sherpa-onnx-node";
const npmOptions = "--no-audit --no-fund --no-update-notifier --ignore-scripts --no-save --loglevel=error".split(" ");

/** Installs the pinned addon beside the models with npm, which knows registries and proxies; nothing if it is present. */
export async function installSherpaAddon(folder: string, signal?: AbortSignal): Promise<boolean> {
  const manifest = join(folder, "node_modules", addonName, "package.json");
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === sherpaAddonVersion) return false;
  const release = await takeLock(join(folder, ".addon-lock"));
  if (!release) throw new InstallError(`another process is installing ${addonName}`);
  try {
    const staging = join(folder, ".staging", "addon");
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true });
    // A container's home is read-only.
    const places = ["--prefix", staging, "--cache", join(staging, "cache")];
    await runNpm(["install", ...places, `${addonName}@${sherpaAddonVersion}`, ...npmOptions], signal);
    await rm(join(folder, "node_modules"), { recursive: true, force: true });
    await rename(join(staging, "node_modules"), join(folder, "node_modules"));
    await rm(staging, { recursive: true });
  } finally {
    await release();
  }
  return true;
}

function runNpm(args: string[], signal?: AbortSignal): Promise<void> {
  const isWindows = process.platform === "win32";
  const child = spawn(isWindows ? "npm.cmd" : "npm", args, { stdio: ["ignore", 2, 2], signal, shell: isWindows });
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new InstallError(`npm cannot run: ${error.message}`)));
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new InstallError(`npm could not install ${addonName}@${sherpaAddonVersion}`));
    });
  });
}

const probeText = "今天天气很好，我们一起去公园散步吧。";
const referenceText = "希望你以后能够做得比我还好。";
const referenceDesign = { pitchHz: 200, pitchSpreadSt: 3, tract: 1.1, breath: 0.1, tilt: 0, rate: 1 };
/** Steps of the distilled model that its authors publish figures for, and better ones for fast machines. */
const steps = { quality: 4, better: 8 };
const betterBelow = 0.3;
const maxThreads = 8;
const plausibleSeconds = [1, 30] as const;
const timeoutMs = 300_000;

export interface Measurement extends MeasuredSpeed {
  /** Processing time per second of speech. */
  realTimeFactor: number;
}

/**
 * Speaks a sentence with an installed model and keeps the fastest number of threads, and more steps where the machine is
 * fast. The reference recording is made by the embedded engine. Throws InstallError if the model does not speak.
 */
export async function measureVoice(folder: string, onMeasure: (found: Measurement) => void): Promise<Measurement> {
  const embedded = await createEmbeddedEngine();
  try {
    const reference = await makeReference(embedded);
    const measure = async (speed: MeasuredSpeed) => {
      const found = { ...speed, realTimeFactor: await timeProbe(folder, speed, { embedded, reference }) };
      onMeasure(found);
      return found;
    };
    let best: Measurement | undefined;
    for (let threads = 1; threads <= Math.min(maxThreads, availableParallelism()); threads *= 2) {
      const found = await measure({ threads, steps: steps.quality });
      if (!best || found.realTimeFactor < best.realTimeFactor) best = found;
    }
    if (!best) throw new InstallError("nothing was measured");
    const better = await measure({ threads: best.threads, steps: steps.better });
    const chosen = better.realTimeFactor < betterBelow ? better : best;
    await writeFile(join(folder, measuredFile), JSON.stringify(chosen));
    return chosen;
  } finally {
    await embedded.close();
  }
}

type Embedded = Awaited<ReturnType<typeof createEmbeddedEngine>>;
type Reference = { samples: Float32Array; sampleRate: number };

async function makeReference(embedded: Embedded): Promise<Reference> {
  const voice = embedded.design?.(referenceDesign);
  if (!voice) throw new InstallError("the embedded engine designs no voice");
  return speak(embedded, referenceText, voice);
}

async function timeProbe(
  folder: string,
  speed: MeasuredSpeed,
  { embedded, reference }: { embedded: Embedded; reference: Reference },
): Promise<number> {
  const limits = { concurrency: 1, maxQueue: 1, timeoutMs };
  const engine = createRemoteEngine(createSherpaBackend({ folder, speed }), { ...limits, align: embedded.align });
  try {
    if (!(await engine.probe?.())) throw new InstallError("the model cannot be opened; see the lines above");
    const voice = await engine.enroll(reference, { transcript: prepareText(referenceText) });
    // The first sentence pays for memory and caches.
    await speak(engine, probeText, voice);
    const startedAt = performance.now();
    const { samples, sampleRate } = await speak(engine, probeText, voice);
    const seconds = samples.length / sampleRate;
    if (seconds < plausibleSeconds[0] || seconds > plausibleSeconds[1]) {
      throw new InstallError(`the model speaks ${probeText} in ${seconds.toFixed(1)} s`);
    }
    return (performance.now() - startedAt) / 1000 / seconds;
  } finally {
    await engine.close();
  }
}

async function speak(engine: SpeechEngine, text: string, voice: VoiceProfile): Promise<Reference> {
  const pieces: number[] = [];
  let sampleRate = 0;
  const request = { text: prepareText(text), voice, speed: 1 };
  for await (const chunk of engine.synthesize(request, AbortSignal.timeout(timeoutMs))) {
    sampleRate = chunk.sampleRate;
    for (const value of chunk.pcm) pieces.push(value);
  }
  return { samples: toFloats(Int16Array.from(pieces)), sampleRate };
}
