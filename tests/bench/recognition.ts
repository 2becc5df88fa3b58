/**
 * Measures how reliably our speech is recognised after common alterations, and its distance from foreign audio. `npx
 * tsx tests/bench/recognition.ts [FOLDER] [PATTERN]` runs it separately; a folder of WAV files adds foreign audio, a
 * pattern selects alterations by name. Needs ffmpeg.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepareText } from "../../server/speech/chinese/prepare";
import { createEmbeddedEngine } from "../../server/speech/engines/embedded/engine";
import { type Mastered, master } from "../../server/speech/mastering";
import { appendExplicitMark } from "../../server/speech/recording/explicit-mark";
import { createFingerprint } from "../../server/speech/recording/fingerprint/fingerprint";
import { createAlteredFileQueries, createFileQuery } from "../../server/speech/recording/fingerprint/query";
import { encodeWav } from "../../server/speech/recording/formats/wav";
import { openDatabase } from "../../server/upstream/db/database";
import { createPrints, type Prints } from "../../server/upstream/verify/prints";
import { createRecognition, otherAbove, sameBelow } from "../../server/upstream/verify/recognition";
import { createRandom } from "../support/sounds";
import { type Row, toTable } from "./row";

const low = { pitchHz: 115, pitchSpreadSt: 2.5, tract: 1, breath: 0.1, tilt: -1, rate: 1 };
const high = { pitchHz: 215, pitchSpreadSt: 3, tract: 1.15, breath: 0.1, tilt: 0, rate: 1 };
const soft = { pitchHz: 180, pitchSpreadSt: 2, tract: 1.1, breath: 0.6, tilt: -3, rate: 1.2 };
const kept = [
  "昨天晚上我和朋友一起去看了一场精彩的足球比赛，大家都非常高兴，回来的路上还下起了小雨。",
  "请把窗户关好，外面的风越来越大，可能很快就要下雨了。学习语言需要每天坚持练习，多听多说才能真正掌握它。",
  "欢迎来到我们的直播间，今天给大家带来三款新品，第一款是手工制作的陶瓷杯，第二款是羊毛围巾。",
  "从前有一座山，山里有一座庙，庙里有一位老和尚在给小和尚讲故事，讲的是什么故事呢？",
  "这款手机的屏幕有六点七英寸，电池可以用两天，充电只要半个小时，价格是三千九百九十九元。",
  "各位同学请注意，明天上午八点在操场集合，请大家带好水杯和帽子，不要迟到。",
];
/** Spoken by the same voices but not fingerprinted. */
const others = [
  "我们今天学习第三课，请翻开课本第二十五页，先听我读一遍，然后大家跟着一起读。",
  "老板，来两碗牛肉面，一碗多放辣椒，一碗不要香菜，再加一个煎蛋。",
  "列车即将到站，请下车的乘客提前做好准备，注意脚下安全，祝您旅途愉快。",
  "秋天到了，树叶黄了，一片片叶子从树上落下来，天空那么蓝，那么高。",
];

const wav = "out.wav";
const treatments: Record<string, string[]> = {
  ...Object.fromEntries([32, 64, 128, 320].map((k) => [`MP3 ${k} kbit/s`, ["-b:a", `${k}k`, "out.mp3"]])),
  ...Object.fromEntries([12, 24, 64].map((k) => [`Opus ${k} kbit/s`, ["-c:a", "libopus", "-b:a", `${k}k`, "out.ogg"]])),
  ...Object.fromEntries([32, 96].map((k) => [`AAC ${k} kbit/s`, ["-c:a", "aac", "-b:a", `${k}k`, "out.m4a"]])),
  ...Object.fromEntries([8, 16, 22.05, 48].map((k) => [`${k} kHz`, ["-ar", String(k * 1000), wav]])),
  "12 dB louder": ["-af", "volume=12dB", wav],
  "12 dB softer": ["-af", "volume=-12dB", wav],
  "5 s from the middle": ["-ss", "2.137", "-t", "5", wav],
  "5 s, MP3 32 kbit/s": ["-ss", "2.711", "-t", "5", "-b:a", "32k", "out.mp3"],
  "5 s, Opus 12 kbit/s": ["-ss", "1.993", "-t", "5", "-c:a", "libopus", "-b:a", "12k", "out.ogg"],
  "MP3 16 kbit/s at 8 kHz": ["-ar", "8000", "-b:a", "16k", "out.mp3"],
  "noise 20 dB below": ["noise", wav],
  "a mark before it": ["mark", wav],
  ...Object.fromEntries(
    [0.75, 0.9, 1.1, 1.25, 1.35, 1.5].map((tempo) => [`${tempo} × the pace`, ["-af", `atempo=${tempo}`, wav]]),
  ),
  ...Object.fromEntries([-3, -2, -1, 1, 2, 3].map((st) => [`${st} st, same pace`, shifted(st, 1)])),
  ...Object.fromEntries(
    [0.88, 0.9, 1.1, 1.12].map((pace) => [`a tape at ${pace}`, shifted(12 * Math.log2(pace), pace)]),
  ),
};

/** Resampled, then stretched to the requested pace. */
function shifted(semitones: number, pace: number): string[] {
  const ratio = 2 ** (semitones / 12);
  return ["-af", `aresample=24000,asetrate=${Math.round(24_000 * ratio)},atempo=${pace / ratio},aresample=24000`, wav];
}

export async function benchRecognition(strangers?: string, wanted = /./): Promise<Row[]> {
  if (!hasFfmpeg()) {
    console.log("Skipped: ffmpeg is not installed.");
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), "bench-recognition-"));
  const { db, close } = await openDatabase({ directory: join(folder, "db") });
  const prints = createPrints(db);
  const sounds = await speakAll([...kept, ...others]);
  const ours = sounds.filter(({ text }) => kept.includes(text));
  const theirs = sounds.filter(({ text }) => !kept.includes(text));
  const rows = await measureCost(prints, ours);
  for (const [name, how] of Object.entries(treatments)) {
    if (!wanted.test(name)) continue;
    const files = ours.map(({ sound }) => treated(folder, sound, how));
    rows.push(...(await worstOf(prints, { name, files, isOurs: true })));
  }
  const unkept = theirs.map(({ sound }) => Buffer.from(encodeWav(sound.pcm, sound.sampleRate)));
  rows.push(...(await worstOf(prints, { name: "the same voices, other words", files: unkept, isOurs: false })));
  const found =
    strangers && existsSync(strangers) ? readdirSync(strangers).filter((name) => name.endsWith(".wav")) : [];
  if (strangers && found.length > 0) {
    const files = found.map((name) => readFileSync(join(strangers, name)));
    rows.push(...(await worstOf(prints, { name: "people", files, isOurs: false })));
  }
  await close();
  rmSync(folder, { recursive: true, force: true });
  return rows;
}

async function speakAll(texts: string[]) {
  const engine = await createEmbeddedEngine();
  const signal = new AbortController().signal;
  const jobs = texts.flatMap((text) => [low, high, soft].map((design) => ({ text, design })));
  const spoken = await Promise.all(
    jobs.map(async ({ text, design }) => {
      const chunks = [];
      const request = { text: prepareText(text), voice: engine.design(design), speed: 1 };
      for await (const chunk of engine.synthesize(request, signal)) chunks.push(chunk);
      return { text, sound: master(chunks, {}) };
    }),
  );
  await engine.close();
  return spoken;
}

async function measureCost(prints: Prints, sounds: Array<{ sound: Mastered }>): Promise<Row[]> {
  const startedAt = performance.now();
  let seconds = 0;
  for (const [i, { sound }] of sounds.entries()) {
    seconds += sound.pcm.length / sound.sampleRate;
    await prints.complete(`bench-${i}`, createFingerprint(sound.pcm, sound.sampleRate));
  }
  const ms = performance.now() - startedAt;
  return [{ name: "keeping a second of speech", value: ms / seconds, unit: "ms" }];
}

interface Sample {
  name: string;
  files: Uint8Array[];
  isOurs: boolean;
}

/** The measurement closest to an error, and the number of correct answers. */
async function worstOf(prints: Prints, { name, files, isOurs }: Sample): Promise<Row[]> {
  const judged: Array<{ rate: number; verdict: string }> = [];
  const recognize = createRecognition({ prints, speech: { hearAltered: createAlteredFileQueries } });
  const startedAt = performance.now();
  for (const file of files) {
    const recognized = await recognize(
      { bytes: file, heard: await createFileQuery(file) },
      new AbortController().signal,
    );
    judged.push({ rate: recognized.match?.errorRate ?? 1, verdict: recognized.verdict });
  }
  const ms = (performance.now() - startedAt) / files.length;
  const rates = judged.map(({ rate }) => rate);
  const countVerdicts = (wanted: "ours" | "other") => judged.filter(({ verdict }) => verdict === wanted).length;
  return [
    {
      name: `${name}: differing bits, ${isOurs ? "most" : "least"}`,
      value: isOurs ? Math.max(...rates) : Math.min(...rates),
      unit: "",
      reference: isOurs ? `≤ ${sameBelow}` : `≥ ${otherAbove}`,
    },
    {
      name: `${name}: correct verdicts, of ${files.length} (${ms.toFixed(0)} ms each)`,
      value: countVerdicts(isOurs ? "ours" : "other"),
      unit: "",
    },
    { name: `${name}: wrong verdicts`, value: countVerdicts(isOurs ? "other" : "ours"), unit: "", reference: "0" },
  ];
}

/** The labelled export, altered, in a format that can be uploaded. */
function treated(folder: string, { pcm, sampleRate }: Mastered, how: string[]): Uint8Array {
  const [source, output] = [join(folder, "in.wav"), join(folder, how.at(-1) as string)];
  const marked = appendExplicitMark(pcm, sampleRate);
  const first = how[0] === "noise" ? noisy(marked) : how[0] === "mark" ? markFirst(marked, pcm.length) : marked;
  writeFileSync(source, encodeWav(first, sampleRate));
  const steps = how[0] === "noise" || how[0] === "mark" ? [] : how.slice(0, -1);
  run("-i", source, ...steps, output);
  // The browser's own decoding, used if the server has no decoder.
  if (output.endsWith(".m4a")) run("-i", output, join(folder, wav));
  return readFileSync(output.endsWith(".m4a") ? join(folder, wav) : output);
}

const run = (...args: string[]) => execFileSync("ffmpeg", ["-y", "-loglevel", "error", ...args]);

function noisy(pcm: Int16Array): Int16Array {
  const random = createRandom(7);
  const power = pcm.reduce((sum, value) => sum + value * value, 0) / pcm.length;
  const level = Math.sqrt(power * 3) * 10 ** (-20 / 20);
  return pcm.map((value) => Math.max(-32_768, Math.min(32_767, value + level * (random() * 2 - 1))));
}

function markFirst(marked: Int16Array, speech: number): Int16Array {
  const moved = new Int16Array(marked.length);
  moved.set(marked.subarray(speech));
  moved.set(marked.subarray(0, speech), marked.length - speech);
  return moved;
}

function hasFfmpeg(): boolean {
  try {
    execFileSync("ffmpeg", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(toTable("Recognition", await benchRecognition(process.argv[2], new RegExp(process.argv[3] ?? "."))));
  process.exit(0);
}
