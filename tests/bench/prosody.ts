/**
 * Compares the prosody of recordings with our reading of their transcripts in the voices learned from them, and measures
 * questions, tones and the volume.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { prepareText } from "../../server/speech/chinese/prepare";
import { hopSeconds, speechRate } from "../../server/speech/dsp/grid";
import { measureLoudness } from "../../server/speech/dsp/loudness";
import { toFloats, toPcm } from "../../server/speech/dsp/pcm";
import { trackPitch } from "../../server/speech/dsp/pitch";
import { toSemitones } from "../../server/speech/dsp/pitch-range";
import { resample } from "../../server/speech/dsp/resample";
import type { SpeechChunk, SpeechRequest, SpokenUnit, TimelineUnit, VoiceProfile } from "../../server/speech/engine";
import { createEmbeddedEngine, type EmbeddedEngine } from "../../server/speech/engines/embedded/engine";
import { master } from "../../server/speech/mastering";
import { decodeRecording } from "../../server/speech/recording/decode";
import type { Row } from "./row";

/** Semitones by frame, NaN where unvoiced, and the times of the units. */
interface Utterance {
  samples: Float32Array;
  heights: Float32Array;
  times: TimelineUnit[];
  marks: Map<number, string>;
}

const never = new AbortController().signal;
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const frameAt = (ms: number) => Math.round(ms / 1000 / hopSeconds);

export async function benchProsody(folder: string): Promise<Row[]> {
  const engine = await createEmbeddedEngine({ processes: 1, timeoutMs: 900_000 });
  const transcripts = new Map(
    [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/^\|\s*(\S+\.wav)\s*\|\s*(.+?)\s*\|/gm)].map(
      ([, name = "", text = ""]) => [name, text] as const,
    ),
  );
  const real: Utterance[] = [];
  const ours: Utterance[] = [];
  const voices: VoiceProfile[] = [];
  for (const file of readdirSync(folder).filter((name) => transcripts.has(name))) {
    const { samples, sampleRate } = await decodeRecording(readFileSync(join(folder, file)));
    const text = prepareText(transcripts.get(file) ?? "");
    const voice = await engine.enroll({ samples, sampleRate }, { transcript: text });
    const mono = resample(samples, sampleRate, speechRate);
    const { timeline } = await engine.align({ text, pcm: toPcm(mono), sampleRate: speechRate });
    real.push(toUtterance(mono, timeline.units, text.units));
    const said = await say(engine, { text, voice });
    ours.push(toUtterance(said.samples, said.times, text.units));
    voices.push(voice);
  }
  const rows = compare(real, ours);
  rows.push(...(await measureQuestions(engine, voices.slice(0, 2))));
  rows.push(...(await measureEmphasis(engine, voices.slice(0, 2))));
  rows.push(await measureTones(engine));
  rows.push(...(await measureVolume(engine, voices)));
  await engine.close();
  return rows;
}

async function say(engine: EmbeddedEngine, request: Pick<SpeechRequest, "text" | "voice">, volumeDb = 0) {
  const chunks: SpeechChunk[] = [];
  for await (const chunk of engine.synthesize({ speed: 1, ...request }, never)) chunks.push(chunk);
  const { pcm, timeline } = master(chunks, { volumeDb });
  return { samples: toFloats(pcm), times: timeline?.units ?? [], chunks };
}

function toUtterance(samples: Float32Array, times: TimelineUnit[], units: SpokenUnit[]): Utterance {
  const heights = trackPitch(samples).map((hz) => (hz > 0 ? toSemitones(hz) : Number.NaN));
  const marks = new Map<number, string>();
  units.forEach((unit, i) => {
    const before = units[i - 1];
    if (unit.kind === "pause" && before) marks.set(before.offset, unit.text[0] ?? "");
  });
  return { samples, heights, times, marks };
}

const voicedIn = ({ heights }: Utterance, from: number, to: number) =>
  Array.from(heights.subarray(Math.max(0, frameAt(from)), frameAt(to))).filter((height) => !Number.isNaN(height));

/** Runs of units without a mark between them. */
function phrasesOf({ times, marks }: Utterance): TimelineUnit[][] {
  const phrases: TimelineUnit[][] = [[]];
  for (const unit of times) {
    phrases.at(-1)?.push(unit);
    if (marks.has(unit.offset)) phrases.push([]);
  }
  return phrases.filter((phrase) => phrase.length >= 4);
}

/** Farther from the median, the tracker has most likely found another octave. */
const trackedSt = 9;

interface Statistics {
  declination: number;
  range: number;
  reset: number;
  finalLength: number;
  rate: number;
  micro: number;
}

function statisticsOf(utterances: Utterance[]): Statistics {
  const slopes: number[] = [];
  const ranges: number[] = [];
  const resets: number[] = [];
  const lengths: number[] = [];
  const micros: number[] = [];
  let [syllables, seconds] = [0, 0];
  for (const utterance of utterances) {
    let endBefore: number | null = null;
    for (const phrase of phrasesOf(utterance)) {
      const [from, to] = [phrase[0]?.start ?? 0, phrase.at(-1)?.end ?? 0];
      const heights = voicedIn(utterance, from, to).sort((a, b) => a - b);
      if (heights.length < 40) continue;
      const slope = slopeOf(utterance, from, to);
      slopes.push(slope);
      const median = heights[heights.length >> 1] as number;
      const near = heights.filter((height) => Math.abs(height - median) < trackedSt);
      ranges.push((near[Math.floor(0.95 * near.length)] ?? 0) - (near[Math.floor(0.05 * near.length)] ?? 0));
      const third = (to - from) / 3;
      const [start, end] = [voicedIn(utterance, from, from + third), voicedIn(utterance, to - third, to)];
      if (endBefore !== null && start.length > 0) resets.push(mean(start) - endBefore);
      endBefore = end.length > 0 ? mean(end) : null;
      const durations = phrase.map((unit) => unit.end - unit.start);
      lengths.push((durations.at(-1) ?? 0) / mean(durations.slice(0, -1)));
      syllables += phrase.length;
      seconds += (to - from) / 1000;
      micros.push(microOf(utterance, from, to));
    }
  }
  return {
    declination: mean(slopes),
    range: mean(ranges),
    reset: mean(resets),
    finalLength: mean(lengths),
    rate: syllables / seconds,
    micro: mean(micros),
  };
}

/** Least squares over the voiced frames, semitones per second. */
function slopeOf({ heights }: Utterance, from: number, to: number): number {
  const points = Array.from(
    heights.subarray(frameAt(from), frameAt(to)),
    (height, f) => [f * hopSeconds, height] as const,
  );
  const voiced = points.filter(([, height]) => !Number.isNaN(height));
  const [x, y] = [mean(voiced.map(([at]) => at)), mean(voiced.map(([, height]) => height))];
  const product = voiced.reduce((sum, [at, height]) => sum + (at - x) * (height - y), 0);
  return product / voiced.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
}

/** Deviation of the pitch from a line through 50 ms around it. */
function microOf({ heights }: Utterance, from: number, to: number): number {
  const reach = 5;
  let [sum, count] = [0, 0];
  for (let f = frameAt(from) + reach; f < frameAt(to) - reach; f++) {
    const around = heights.subarray(f - reach, f + reach + 1);
    if (around.some(Number.isNaN)) continue;
    sum += ((heights[f] as number) - mean(Array.from(around))) ** 2;
    count++;
  }
  return Math.sqrt(sum / Math.max(1, count));
}

function compare(real: Utterance[], ours: Utterance[]): Row[] {
  const [recorded, spoken] = [statisticsOf(real), statisticsOf(ours)];
  const row = (name: string, key: keyof Statistics, unit: string): Row => ({
    name,
    value: spoken[key],
    unit,
    reference: `${recorded[key].toFixed(2)} recorded`,
  });
  return [
    row("declination in a phrase", "declination", "st/s"),
    row("pitch range of a phrase", "range", "st"),
    row("reset between phrases", "reset", "st"),
    row("last syllable before a pause, to the mean", "finalLength", ""),
    row("syllables per second in phrases", "rate", ""),
    row("pitch micro-variation", "micro", "st"),
    ...compareSyllables(real, ours),
    ...["，", "。", "、"].flatMap((mark) => {
      const [there, here] = [pausesAt(real, mark), pausesAt(ours, mark)];
      if (there.length === 0 || here.length === 0) return [];
      return [
        { name: `pause at ${mark}`, value: mean(here), unit: "ms", reference: `${mean(there).toFixed(0)} recorded` },
      ];
    }),
  ];
}

/** dB below the loud parts that count as silence: recordings have breath and rooms in their pauses. */
const silentDb = 27;

/** Longest silence between the middles of the syllables around a mark: alignments stretch syllables over pauses. */
const pausesAt = (utterances: Utterance[], mark: string): number[] =>
  utterances.flatMap(({ samples, times, marks }) => {
    const levels = levelsOf(samples);
    const limit = ([...levels].sort((a, b) => a - b)[Math.floor(0.95 * levels.length)] ?? 0) - silentDb;
    return times.flatMap((unit, i) => {
      const next = times[i + 1];
      if (!next || marks.get(unit.offset) !== mark) return [];
      let [longest, run] = [0, 0];
      for (let f = frameAt((unit.start + unit.end) / 2); f < frameAt((next.start + next.end) / 2); f++) {
        run = (levels[f] ?? 0) < limit ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
      return [1000 * hopSeconds * longest];
    });
  });

function levelsOf(samples: Float32Array): number[] {
  const hop = hopSeconds * speechRate;
  return Array.from({ length: Math.floor(samples.length / hop) - 1 }, (_, f) => {
    const part = samples.subarray(f * hop, (f + 2) * hop);
    return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 0) / part.length + 1e-10);
  });
}

const spreadOf = (values: number[]) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));
const medianOf = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Heights of tones, and how much syllables differ from each other beyond their tones. */
function compareSyllables(real: Utterance[], ours: Utterance[]): Row[] {
  const [recorded, spoken] = [real, ours].map((utterances) => {
    const syllables = utterances.flatMap((utterance) => {
      const median = medianOf(Array.from(utterance.heights).filter((height) => !Number.isNaN(height)));
      const logs = utterance.times.map(({ start, end }) => Math.log(Math.max(20, end - start)));
      return utterance.times.flatMap(({ tone, start, end }, i) => {
        const height = medianOf(voicedIn(utterance, start, end)) - median;
        return tone && Math.abs(height) < trackedSt ? [{ tone, height, log: (logs[i] as number) - mean(logs) }] : [];
      });
    });
    const ofTone = (tone: number) => medianOf(syllables.filter((one) => one.tone === tone).map(({ height }) => height));
    return {
      heights: [1, 2, 3, 4, 5].map(ofTone),
      spread: spreadOf(syllables.map(({ tone, height }) => height - ofTone(tone))),
      lengths: spreadOf(syllables.map(({ log }) => log)),
    };
  });
  const row = (name: string, unit: string, pick: (of: NonNullable<typeof recorded>) => number): Row => ({
    name,
    value: spoken ? pick(spoken) : Number.NaN,
    unit,
    reference: `${(recorded ? pick(recorded) : Number.NaN).toFixed(2)} recorded`,
  });
  return [
    ...[1, 3, 4, 5].map((tone) =>
      row(`tone ${tone}, height above the median`, "st", (of) => of.heights[tone - 1] ?? 0),
    ),
    row("syllables of one tone, spread of their height", "st", ({ spread }) => spread),
    row("syllables, spread of their length (logarithmic)", "", ({ lengths }) => lengths),
  ];
}

/** Difference in pitch between the last syllables of `asked` and `stated`. */
async function measureQuestions(engine: EmbeddedEngine, voices: VoiceProfile[]): Promise<Row[]> {
  const endOf = async (content: string, voice: VoiceProfile, back = 1) => {
    const { samples, times } = await say(engine, { text: prepareText(content), voice });
    const utterance = toUtterance(samples, times, []);
    const unit = times.at(-back);
    return mean(voicedIn(utterance, unit?.start ?? 0, unit?.end ?? 0));
  };
  const rise = async (asked: string, stated: string, back = 1) =>
    mean(
      await Promise.all(voices.map(async (voice) => (await endOf(asked, voice, back)) - (await endOf(stated, voice)))),
    );
  const row = (name: string, value: number, reference: string): Row => ({ name, value, unit: "st", reference });
  return [
    row("他明天来？ above 他明天来。, last syllable", await rise("他明天来？", "他明天来。"), "3–4"),
    row("你吃饭？ above 你吃饭。, last syllable", await rise("你吃饭？", "你吃饭。"), "3–4"),
    row(
      "他明天来吗？ above 他明天来。, syllable before 吗",
      await rise("他明天来吗？", "他明天来。", 2),
      "less, above 0",
    ),
    row(
      "他明天来吧？ above 他明天来。, syllable before 吧",
      await rise("他明天来吧？", "他明天来。", 2),
      "less, above 0",
    ),
  ];
}

/** The emphasised word, and the sentence around it. */
const emphasisTexts = [
  ["我们", "昨天晚上", "一起去看电影"],
  ["这本书是", "小李", "送给妹妹的生日礼物"],
  ["请把", "红色", "的盒子放到桌子上面"],
  ["他坐", "三点", "的火车回老家"],
] as const;

interface WordSound {
  ms: number;
  /** Semitones from the lowest to the highest of nine tenths of the voiced frames. */
  range: number;
  levelDb: number;
  /** The same of what follows the word in its sentence. */
  rangeAfter: number;
}

/** Length, pitch range and level of emphasised words, and of what follows them, beside the same sentence without marks. */
async function measureEmphasis(engine: EmbeddedEngine, voices: VoiceProfile[]): Promise<Row[]> {
  const [plain, emphasised]: [WordSound[], WordSound[]] = [[], []];
  for (const voice of voices) {
    for (const [before, word, after] of emphasisTexts) {
      plain.push(await soundOf(engine, voice, { before, word, content: `${before}${word}${after}。` }));
      const marked = `${before}[重读]${word}[/重读]${after}。`;
      emphasised.push(await soundOf(engine, voice, { before, word, content: marked }));
    }
  }
  const ratio = (key: keyof WordSound) => mean(plain.map((one, i) => (emphasised[i]?.[key] ?? Number.NaN) / one[key]));
  const louder = mean(plain.map((one, i) => (emphasised[i]?.levelDb ?? Number.NaN) - one.levelDb));
  return [
    { name: "emphasised word, length ÷ plain", value: ratio("ms"), unit: "", reference: "1.15–1.5; plain 1" },
    { name: "emphasised word, pitch range ÷ plain", value: ratio("range"), unit: "", reference: "≥ 1.2; plain 1" },
    { name: "emphasised word, level above plain", value: louder, unit: "dB", reference: "1.5–4; plain 0" },
    { name: "after the word, pitch range ÷ plain", value: ratio("rangeAfter"), unit: "", reference: "≤ 0.9; plain 1" },
  ];
}

async function soundOf(
  engine: EmbeddedEngine,
  voice: VoiceProfile,
  { before, word, content }: { before: string; word: string; content: string },
): Promise<WordSound> {
  const { samples, times } = await say(engine, { text: prepareText(content), voice });
  const utterance = toUtterance(samples, times, []);
  const own = times.slice([...before].length, [...before].length + [...word].length);
  const [from, to] = [own[0]?.start ?? 0, own.at(-1)?.end ?? 0];
  const levelOf = (start: number, end: number) => {
    const part = samples.subarray((start / 1000) * speechRate, (end / 1000) * speechRate);
    return 10 * Math.log10(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  };
  const rangeOf = (start: number, end: number) => {
    const heights = voicedIn(utterance, start, end).sort((a, b) => a - b);
    const at = (share: number) => heights[Math.floor(share * (heights.length - 1))] ?? Number.NaN;
    return at(0.95) - at(0.05);
  };
  const first = times[0]?.start ?? 0;
  // The whole sentence is brought to one loudness, so the level of a word is relative to what is before it.
  const levelDb = levelOf(from, to) - levelOf(first, from);
  return { ms: to - from, range: rangeOf(from, to), levelDb, rangeAfter: rangeOf(to, times.at(-1)?.end ?? to) };
}

const toneTexts = [
  "今天的气温是二十三度，非常适合出门散步，小李带着他的相机，准备拍几张照片，发给远在上海的朋友。",
  "昨天晚上我和朋友一起去看了一场精彩的足球比赛，大家都非常高兴，回家的路上还在讨论进球。",
  "请把窗户关好，外面的风越来越大，可能很快就要下雨了，阳台上的衣服也要收进来。",
  "学习语言需要每天坚持练习，多听多说才能真正掌握它，遇到困难的时候不要放弃。",
  "人工智能技术正在改变世界，越来越多的企业开始使用语音合成，客服和导航是最常见的例子。",
  "这本书的作者是一位年轻的医生，他把病人的故事写得又真实又温暖。",
  "春天来了，公园里的花都开了，孩子们在草地上奔跑，老人们坐在树下聊天，风吹过来很舒服。",
];

/** Share of syllables whose tone a nearest-mean classifier of pitch contours finds, leaving one text out. */
async function measureTones(engine: EmbeddedEngine): Promise<Row> {
  const voice = engine.design({ pitchHz: 160, pitchSpreadSt: 2.8, tract: 1.05, breath: 0.1, tilt: 0, rate: 1 });
  const texts: Array<Array<{ tone: number; contour: number[] }>> = [];
  for (const content of toneTexts) {
    const { samples, times } = await say(engine, { text: prepareText(content), voice });
    const utterance = toUtterance(samples, times, []);
    texts.push(
      times.flatMap((unit) => {
        const around = mean(voicedIn(utterance, unit.start - 600, unit.end + 600));
        const own = voicedIn(utterance, unit.start, unit.end);
        if (own.length < 8 || !unit.tone || unit.tone === 5) return [];
        const at = (share: number) => (own[Math.floor(share * (own.length - 1))] as number) - around;
        return [{ tone: unit.tone, contour: [0.1, 0.3, 0.5, 0.7, 0.9].map(at) }];
      }),
    );
  }
  let [right, count] = [0, 0];
  for (const [left, tested] of texts.entries()) {
    const others = texts.flatMap((text, i) => (i === left ? [] : text));
    const means = [1, 2, 3, 4].map((tone) => {
      const own = others.filter((syllable) => syllable.tone === tone);
      return [0, 1, 2, 3, 4].map((i) => mean(own.map(({ contour }) => contour[i] as number)));
    });
    for (const { tone, contour } of tested) {
      const distances = means.map((typical) => mean(typical.map((value, i) => (value - (contour[i] as number)) ** 2)));
      if (distances.indexOf(Math.min(...distances)) + 1 === tone) right++;
      count++;
    }
  }
  return {
    name: `tones found from pitch, of ${count}`,
    value: (100 * right) / count,
    unit: "%",
    reference: "79.8 without the intonation plan",
  };
}

async function measureVolume(engine: EmbeddedEngine, voices: VoiceProfile[]): Promise<Row[]> {
  const errors = new Map<number, number[]>();
  for (const voice of voices) {
    const { chunks } = await say(engine, { text: prepareText(toneTexts[6] ?? ""), voice });
    const loudness = (volumeDb: number) => measureLoudness(toFloats(master(chunks, { volumeDb }).pcm), speechRate);
    const plain = loudness(0);
    for (const volume of [-12, 6, 12]) {
      errors.set(volume, [...(errors.get(volume) ?? []), loudness(volume) - plain]);
    }
  }
  return [...errors].map(([volume, gains]) => ({
    name: `loudness at a volume of ${volume} dB`,
    value: mean(gains),
    unit: "dB",
    reference: volume === 12 ? "the ceiling" : `${volume} ± 0.5`,
  }));
}
