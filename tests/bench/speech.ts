import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { prepareText } from "../../server/speech/chinese/prepare";
import { concatArrays, toFloats } from "../../server/speech/dsp/pcm";
import type { PreparedText, VoiceProfile } from "../../server/speech/engine";
import type { ChildAnswer, TaskMessage } from "../../server/speech/engines/embedded/child";
import { createEmbeddedEngine, type EmbeddedEngine } from "../../server/speech/engines/embedded/engine";
import { residentMb } from "./memory";
import { descendantsOf, processorMsOf } from "./processor";
import { median } from "./quantile";
import { type Row, worstOf } from "./row";

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
const learnedSeconds = 10;

export async function benchSpeech(): Promise<Row[]> {
  const engine = await createEmbeddedEngine({ processes: 1 });
  const voice = await learnDesigned(engine);
  const factor = await processorFactor(engine, voice);
  const warm = {
    short: await medianOf(warmRounds, async () => (await speak(engine, short, voice)).firstMs),
    long: await medianOf(warmRounds, async () => (await speak(engine, long, voice)).firstMs),
  };
  const memory = processesOf(engine).map(residentMb);
  await engine.close();
  const cold = {
    short: await medianOf(coldRounds, () => coldly(short, voice)),
    long: await medianOf(coldRounds, () => coldly(long, voice)),
  };
  const title = "built-in speech on one core, cloned";
  const first = (name: string, { short, long }: typeof warm, budget: string): Row =>
    worstOf([toMs("20 characters", short), toMs("1,500 characters", long)], { name, budget, which: "highest" });
  return [
    { name: "memory of the largest engine process", value: Math.max(...memory), unit: "MB" },
    { name: `${title}: time per second of sound`, value: factor, unit: "s", budget: "≤ 0.06 s" },
    first(`${title}: first sound, warm`, warm, "≤ 150 ms"),
    first(`${title}: first sound, cold`, cold, "≤ 700 ms"),
  ];
}

const toMs = (name: string, value: number): Row => ({ name, value, unit: "ms" });

const processesOf = (engine: EmbeddedEngine) => engine.processIds().flatMap((id) => [id, ...descendantsOf(id)]);
const engineMs = (engine: EmbeddedEngine) => processesOf(engine).reduce((sum, id) => sum + processorMsOf(id), 0);

/** Processor time of the engine and its eSpeak per second of sound; the median leaves the warm-up out. */
async function processorFactor(engine: EmbeddedEngine, voice: VoiceProfile): Promise<number> {
  return medianOf(warmRounds, async () => {
    const before = engineMs(engine);
    const { samples } = await speak(engine, minute, voice);
    return (engineMs(engine) - before) / 1000 / (samples.length / 22_050);
  });
}

async function medianOf(rounds: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) values.push(await measure());
  return median(values);
}

interface Spoken {
  samples: Float32Array;
  firstMs: number;
}

async function speak(engine: EmbeddedEngine, text: PreparedText, voice: VoiceProfile): Promise<Spoken> {
  const start = performance.now();
  let firstMs = 0;
  const parts: Int16Array[] = [];
  for await (const { pcm } of engine.synthesize({ text, voice, speed: 1 }, never)) {
    firstMs ||= performance.now() - start;
    parts.push(pcm);
  }
  return { samples: toFloats(concatArrays(Int16Array, parts)), firstMs };
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
    child.on("message", (answer: ChildAnswer) => {
      if ("fault" in answer) reject(new Error(`The build is of another version: ${answer.message}`));
      else if ("part" in answer) resolve(performance.now() - start);
    });
  }).finally(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"));
}

const transcript = prepareText(Array.from(story).slice(0, 52).join(""));

/** A cloned voice with all properties, learned from ten seconds of a designed one. */
async function learnDesigned(engine: EmbeddedEngine): Promise<VoiceProfile> {
  const design = engine.design({ pitchHz: 205, pitchSpreadSt: 3, tract: 1.15, breath: 0.2, tilt: -1, rate: 1 });
  const { samples } = await speak(engine, transcript, design);
  const recording = { samples: samples.subarray(0, learnedSeconds * 22_050), sampleRate: 22_050 };
  return engine.enroll(recording, { transcript });
}
