import { readFile, rename, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { prepareText } from "../../speech/chinese/prepare";
import { toFloats } from "../../speech/dsp/pcm";
import type { SpeechEngine, VoiceProfile } from "../../speech/engine";
import { createEmbeddedEngine } from "../../speech/engines/embedded/engine";
import { createKokoroEngine } from "../../speech/engines/kokoro/engine";
import { prepareGraph } from "../../speech/engines/kokoro/graph";
import { modelFiles } from "../../speech/engines/kokoro/model";
import { kokoroVersion } from "../../speech/engines/kokoro/voice";
import { createRemoteEngine } from "../../speech/engines/remote/remote-engine";
import { createSherpaBackend } from "../../speech/engines/sherpa/engine";
import { type MeasuredSpeed, measuredFile } from "../../speech/engines/sherpa/models";
import { InstallError } from "../../speech/models/install";
import type { RuntimeName } from "../../speech/models/runtimes";

const probeText = "今天天气很好，我们一起去公园散步吧。";
const referenceText = "希望你以后能够做得比我还好。";
const referenceDesign = { pitchHz: 200, pitchSpreadSt: 3, tract: 1.1, breath: 0.1, tilt: 0, rate: 1 };
/** Steps of the distilled model that its authors publish figures for, and better ones for fast machines. */
const steps = { quality: 4, better: 8 };
const betterBelow = 0.3;
const maxThreads = 8;
const plausibleSeconds = [1, 30] as const;
const timeoutMs = 300_000;

export interface Measurement {
  threads: number;
  /** Kokoro only: the version that prepared the model. */
  version?: string;
  /** ZipVoice only. */
  steps?: number;
  /** Processing time per second of speech. */
  realTimeFactor: number;
}
type OnMeasure = (found: Measurement) => void;

/**
 * Speaks a sentence with an installed model and keeps what is fastest here; the file that says so marks the model as usable.
 * Throws InstallError if the model does not speak.
 */
export async function measureVoice(folder: string, runtime: RuntimeName, onMeasure: OnMeasure): Promise<Measurement> {
  const chosen = await (runtime === "onnxruntime-node" ? measureKokoro : measureZipVoice)(folder, onMeasure);
  await writeFile(join(folder, measuredFile), JSON.stringify(chosen));
  return chosen;
}

async function measureKokoro(folder: string, onMeasure: OnMeasure): Promise<Measurement> {
  await writeTimedModel(folder);
  return fastest(async (threads) => {
    const engine = createKokoroEngine({ folder, threads, timeoutMs });
    const realTimeFactor = await timeProbe(engine, async () => engine.design(referenceDesign));
    const found = { threads, realTimeFactor, version: kokoroVersion };
    onMeasure(found);
    return found;
  });
}

/** An export without the names of the published one is used as it is. */
async function writeTimedModel(folder: string): Promise<void> {
  const path = join(folder, modelFiles.timed);
  const timed = prepareGraph(await readFile(join(folder, modelFiles.published)));
  if (!timed) return;
  await writeFile(`${path}.new`, timed);
  await rename(`${path}.new`, path);
}

/** More steps where the machine is fast. The reference recording is made by the embedded engine. */
async function measureZipVoice(folder: string, onMeasure: OnMeasure): Promise<Measurement> {
  const embedded = await createEmbeddedEngine();
  try {
    const voice = embedded.design?.(referenceDesign);
    if (!voice) throw new InstallError("the embedded engine designs no voice");
    const reference = await speak(embedded, referenceText, voice);
    const measure = async (speed: MeasuredSpeed) => {
      const limits = { concurrency: 1, maxQueue: 1, timeoutMs };
      const engine = createRemoteEngine(createSherpaBackend({ folder, speed }), { ...limits, align: embedded.align });
      const enrol = () => engine.enroll(reference, { transcript: prepareText(referenceText) });
      const found = { ...speed, realTimeFactor: await timeProbe(engine, enrol) };
      onMeasure(found);
      return found;
    };
    const best = await fastest((threads) => measure({ threads, steps: steps.quality }));
    const better = await measure({ threads: best.threads, steps: steps.better });
    return better.realTimeFactor < betterBelow ? better : best;
  } finally {
    await embedded.close();
  }
}

/** The best number of threads, of the powers of two. */
async function fastest(measure: (threads: number) => Promise<Measurement>): Promise<Measurement> {
  let best = await measure(1);
  for (let threads = 2; threads <= Math.min(maxThreads, availableParallelism()); threads *= 2) {
    const found = await measure(threads);
    if (found.realTimeFactor < best.realTimeFactor) best = found;
  }
  return best;
}

/** Closes the engine. */
async function timeProbe(engine: SpeechEngine, learn: () => Promise<VoiceProfile>): Promise<number> {
  try {
    if (!(await engine.probe?.())) throw new InstallError("the model cannot be opened; see the lines above", "silent");
    const voice = await learn();
    // The first sentence pays for memory and caches.
    await speak(engine, probeText, voice);
    const startedAt = performance.now();
    const { samples, sampleRate } = await speak(engine, probeText, voice);
    const seconds = samples.length / sampleRate;
    if (seconds < plausibleSeconds[0] || seconds > plausibleSeconds[1]) {
      throw new InstallError(`the model speaks ${probeText} in ${seconds.toFixed(1)} s`, "silent");
    }
    return (performance.now() - startedAt) / 1000 / seconds;
  } finally {
    await engine.close();
  }
}

async function speak(engine: SpeechEngine, text: string, voice: VoiceProfile) {
  const pieces: number[] = [];
  let sampleRate = 0;
  const request = { text: prepareText(text), voice, speed: 1 };
  for await (const chunk of engine.synthesize(request, AbortSignal.timeout(timeoutMs))) {
    sampleRate = chunk.sampleRate;
    for (const value of chunk.pcm) pieces.push(value);
  }
  return { samples: toFloats(Int16Array.from(pieces)), sampleRate };
}
