/**
 * Measures the cost of the embedded engine next to a fixed loop on the same machine. `npx tsx tests/bench/speech.ts`
 * runs it separately.
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { prepareText } from "../../server/speech/chinese/prepare";
import { createFft } from "../../server/speech/dsp/fft";
import { concatArrays, toFloats } from "../../server/speech/dsp/pcm";
import type { PreparedText, VoiceProfile } from "../../server/speech/engine";
import type { Answer, TaskMessage } from "../../server/speech/engines/embedded/child";
import { createEmbeddedEngine, type EmbeddedEngine } from "../../server/speech/engines/embedded/engine";
import { createEspeak } from "../../server/speech/engines/embedded/espeak-process";
import { analyseReading } from "../../server/speech/engines/embedded/voice/calibration";
import { processorMsOf } from "./processor";
import { median } from "./quantile";
import { type Row, toTable } from "./row";

const never = new AbortController().signal;
const story =
  "春天来了，公园里的花儿都开了，孩子们在草地上奔跑，老人们在树下下棋。今天的气温是二十三度，非常适合出门散步。" +
  "小李带着他的相机，准备拍几张照片，发给远在上海的朋友。他说：“这里的风景真美，我想永远住在这里。”" +
  "人工智能正在改变我们的生活，语音合成技术让机器开口说话。";
const long = prepareText(Array.from(story.repeat(12)).slice(0, 1500).join(""));
const minute = prepareText(Array.from(story.repeat(2)).slice(0, 240).join(""));
const short = prepareText("你好，欢迎来到这里，今天我们一起学习做饭。");
/** Medians of this many rounds, of which one is warm-up where it matters. */
const warmRounds = 5;
const coldRounds = 5;
const enrolRounds = 3;
const enrolSeconds = 10;

export async function benchSpeech(): Promise<Row[]> {
  const baseline = fftMicroseconds();
  const engine = await createEmbeddedEngine({ processes: 1 });
  const recording = await recordDesigned(engine);
  const enrolled = await enrol(engine, recording);
  const { voice } = enrolled;
  const design = engine.design({ pitchHz: 120, pitchSpreadSt: 2.5, tract: 1, breath: 0.1, tilt: 0, rate: 1 });
  const factors = await processorFactors(engine, [design, voice]);
  const warm = await medianOf(warmRounds, async () => (await speak(engine, short, voice)).firstMs);
  const longWarm = await speak(engine, long, voice);
  const memory = processesOf(engine).map(residentMb);
  await engine.close();
  const cold = await medianOf(coldRounds, () => coldly(short, voice));
  const longCold = await medianOf(coldRounds, () => coldly(long, voice));
  const bare = await medianOf(coldRounds, bareProcessMs);
  const [designed = 0, cloned = 0] = factors;
  return [
    { name: "baseline: real FFT of 1,024 points", value: baseline, unit: "µs" },
    { name: "baseline: start of two empty Node processes, one after the other", value: 2 * bare, unit: "ms" },
    { name: "eSpeak alone, real-time factor", value: await sourceFactor(), unit: "", reference: "0.005" },
    { name: "designed voice, processor time per second of sound", value: designed, unit: "s", reference: "≤ 0.03" },
    { name: "cloned voice, processor time per second of sound", value: cloned, unit: "s", reference: "≤ 0.03" },
    { name: "20 characters, first sound, warm", value: warm, unit: "ms", reference: "≤ 100" },
    { name: "20 characters, first sound, cold", value: cold, unit: "ms", reference: "≤ 550" },
    { name: "1,500 characters, first sound, warm", value: longWarm.firstMs, unit: "ms", reference: "≤ 100" },
    { name: "1,500 characters, first sound, cold", value: longCold, unit: "ms", reference: "≤ 550" },
    { name: "1,500 characters, all of it on one core", value: longWarm.allMs / 1000, unit: "s", reference: "≤ 25" },
    { name: "enrolment of 10 s with its text, warm", value: enrolled.ms / 1000, unit: "s", reference: "≤ 1.5" },
    { name: "the same, processor time", value: enrolled.processorMs / 1000, unit: "s" },
    { name: "memory of the largest engine process", value: Math.max(...memory), unit: "MB", reference: "≤ 300" },
  ];
}

const processesOf = (engine: EmbeddedEngine) => engine.processIds().flatMap((id) => [id, ...childrenOf(id)]);
const engineMs = (engine: EmbeddedEngine) => processesOf(engine).reduce((sum, id) => sum + processorMsOf(id), 0);

/**
 * Processor time of the engine and its eSpeak per second of sound, which is the real-time factor of one free core; the
 * voices speak in turn, and the median leaves the warm-up out.
 */
async function processorFactors(engine: EmbeddedEngine, voices: VoiceProfile[]): Promise<number[]> {
  const factors = voices.map((): number[] => []);
  for (let round = 0; round < warmRounds; round++) {
    for (const [index, voice] of voices.entries()) {
      const before = engineMs(engine);
      const { samples } = await speak(engine, minute, voice);
      factors[index]?.push((engineMs(engine) - before) / 1000 / (samples.length / 22_050));
    }
  }
  return factors.map(median);
}

async function medianOf(rounds: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) values.push(await measure());
  return median(values);
}

/** Median of many short batches, so that short bursts of other load do not count. */
function fftMicroseconds(): number {
  const fft = createFft(1024);
  const samples = Float64Array.from({ length: 1024 }, (_, n) => Math.sin(n * n));
  const [re, im] = [new Float64Array(513), new Float64Array(513)];
  const batches = Array.from({ length: 60 }, () => {
    const start = performance.now();
    for (let i = 0; i < 200; i++) fft.forward(samples, re, im);
    return ((performance.now() - start) / 200) * 1000;
  });
  return batches.sort((a, b) => a - b)[30] as number;
}

interface Spoken {
  samples: Float32Array;
  firstMs: number;
  allMs: number;
}

async function speak(engine: EmbeddedEngine, text: PreparedText, voice: VoiceProfile): Promise<Spoken> {
  const start = performance.now();
  let firstMs = 0;
  const parts: Int16Array[] = [];
  for await (const { pcm } of engine.synthesize({ text, voice, speed: 1 }, never)) {
    firstMs ||= performance.now() - start;
    parts.push(pcm);
  }
  return { samples: toFloats(concatArrays(Int16Array, parts)), firstMs, allMs: performance.now() - start };
}

const bundle = fileURLToPath(new URL("../../build/server/speech-child.js", import.meta.url));

/** Milliseconds from the start of a new process to its first audio; uses the build if there is one. */
async function coldly(text: PreparedText, voice: VoiceProfile): Promise<number> {
  if (existsSync(bundle)) return coldlyFromBundle(text, voice);
  const engine = await createEmbeddedEngine({ processes: 1 });
  try {
    return (await speak(engine, text, voice)).firstMs;
  } finally {
    await engine.close();
  }
}

function coldlyFromBundle(text: PreparedText, voice: VoiceProfile): Promise<number> {
  const start = performance.now();
  const child = fork(bundle, {
    serialization: "advanced",
    detached: true,
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const task: TaskMessage<"speak"> = { id: 1, kind: "speak", input: { text, voice, speed: 1 } };
  child.send(task);
  return new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.on("message", (answer: Answer) => {
      if ("fault" in answer) reject(new Error(`The build is of another version: ${answer.message}`));
      else if ("part" in answer) resolve(performance.now() - start);
    });
  }).finally(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"));
}

/** Milliseconds from the start of a Node process without a program to its end. */
async function bareProcessMs(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - start;
}

const transcript = prepareText(Array.from(story).slice(0, 52).join(""));

/** Ten seconds of a designed voice, from which a cloned voice with all properties is enrolled. */
async function recordDesigned(engine: EmbeddedEngine): Promise<Float32Array> {
  const design = engine.design({ pitchHz: 205, pitchSpreadSt: 3, tract: 1.15, breath: 0.2, tilt: -1, rate: 1 });
  const { samples } = await speak(engine, transcript, design);
  return samples.subarray(0, enrolSeconds * 22_050);
}

async function enrol(engine: EmbeddedEngine, samples: Float32Array) {
  const enrolOnce = () => engine.enroll({ samples, sampleRate: 22_050 }, { transcript });
  // The first enrolment of a process waits for its calibration.
  const voice = await enrolOnce();
  const before = engineMs(engine);
  const ms = await medianOf(enrolRounds, async () => {
    const start = performance.now();
    await enrolOnce();
    return performance.now() - start;
  });
  return { voice, ms, processorMs: (engineMs(engine) - before) / enrolRounds };
}

async function sourceFactor(): Promise<number> {
  const espeak = createEspeak();
  await analyseReading(espeak, short.units);
  const start = performance.now();
  const speech = await espeak.speak({ markup: story, rate: 170, range: 80 });
  const factor = (performance.now() - start) / 1000 / (speech.pcm.length / speech.sampleRate);
  espeak.close();
  return factor;
}

/** Linux only; on other systems the memory rows are 0. */
function childrenOf(id: number): number[] {
  try {
    const threads = readdirSync(`/proc/${id}/task`);
    return threads.flatMap((thread) => {
      const list = readFileSync(`/proc/${id}/task/${thread}/children`, "utf8").trim();
      return list ? list.split(/\s+/).map(Number) : [];
    });
  } catch {
    return [];
  }
}

function residentMb(id: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(toTable("Speech", await benchSpeech()));
  process.exit(0);
}
