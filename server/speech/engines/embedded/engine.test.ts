import { constants, getPriority } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { describeEngine } from "../../../../tests/support/engine-conformance";
import { noise, silence } from "../../../../tests/support/sounds";
import { prepareText } from "../../chinese/prepare";
import { measurePeak } from "../../dsp/limiter";
import { trackPitch } from "../../dsp/pitch";
import { findPitchRange, toSemitones } from "../../dsp/pitch-range";
import type { SpeechChunk, SpeechEngine, SpeechRequest, VoiceDesign } from "../../engine";
import { SpeechError } from "../../engine";
import { master } from "../../mastering";
import { measureDigitalSilence } from "../../proof/frames";
import { encodeWav } from "../../recording/formats/wav";
import { createEmbeddedEngine } from "./engine";

const never = new AbortController().signal;
const man: VoiceDesign = { pitchHz: 110, pitchSpreadSt: 2.5, tract: 1, breath: 0.1, tilt: 0, rate: 1 };
const woman: VoiceDesign = { pitchHz: 210, pitchSpreadSt: 3, tract: 1.16, breath: 0.2, tilt: -1, rate: 1.05 };
const sentence = "春天来了，公园里的花都开了，孩子们在草地上奔跑。";
const story = "他说这里的风景真美，我想永远住在这里。语音合成让机器开口。";

describeEngine("The embedded engine", {
  create: ({ concurrency, ...limits }) => createEmbeddedEngine({ processes: concurrency, ...limits }),
  voice: async (engine) => (engine as Awaited<ReturnType<typeof createEmbeddedEngine>>).design(man),
  short: prepareText("你好。"),
  long: prepareText(
    "今天的气温是二十三度，非常适合出门散步。小李带着他的相机，准备拍几张照片，发给远在上海的朋友。".repeat(3),
  ),
  crash: (engine) => {
    const { processIds } = engine as Awaited<ReturnType<typeof createEmbeddedEngine>>;
    for (const id of processIds()) process.kill(id, "SIGKILL");
  },
});

describe("the embedded engine", { timeout: 300_000 }, async () => {
  const engine = await createEmbeddedEngine({ processes: 1 });
  afterAll(() => engine.close());

  async function say(text: string, request: Partial<SpeechRequest> = {}, by: SpeechEngine = engine) {
    const chunks: SpeechChunk[] = [];
    const whole = { text: prepareText(text), voice: engine.design(man), speed: 1, ...request };
    for await (const chunk of by.synthesize(whole, never)) chunks.push(chunk);
    const { pcm, timeline } = master(chunks);
    const samples = Float32Array.from(pcm, (value) => value / 32768);
    const range = findPitchRange(trackPitch(samples));
    return { chunks, samples, seconds: samples.length / 22_050, medianSt: range?.medianSt ?? 0, range, timeline };
  }

  it("ends its processes when they are idle and starts one for the next task", async () => {
    const resting = await createEmbeddedEngine({ processes: 2, idleMs: 50 });
    try {
      for (let round = 0; round < 2; round++) {
        expect((await say("你好。", {}, resting)).chunks.length).toBeGreaterThan(0);
        await expect.poll(resting.processIds).toEqual([]);
      }
    } finally {
      await resting.close();
    }
  });

  it.each([
    ["two seconds of speech", 1, 2.1],
    // Pitch and formants of a young child.
    ["a child's voice", 1.45, 8],
  ])("learns %s", async (_name, tract, seconds) => {
    const child = { ...woman, pitchHz: 205 * tract, tract: 1.1 * tract ** 0.5 };
    const { samples } = await say(sentence + story, { voice: engine.design(child) });
    const recording = { samples: samples.subarray(0, seconds * 22_050), sampleRate: 22_050 };
    const voice = await engine.enroll(recording);
    expect(Math.abs(toSemitones(voice.measured?.pitchHz ?? 1) - toSemitones(child.pitchHz))).toBeLessThan(3);
    expect((await say(sentence, { voice })).seconds).toBeGreaterThan(2);
  });

  it("starts one process ahead of the first task, which uses it, and ends it when none comes", async () => {
    const warm = await createEmbeddedEngine({ processes: 2, idleMs: 300 });
    warm.warmUp?.();
    warm.warmUp?.();
    const [started, ...others] = warm.processIds();
    expect([typeof started, others]).toEqual(["number", []]);
    await expect.poll(() => warm.processIds(), { timeout: 10_000 }).toEqual([]);
    const lasting = await createEmbeddedEngine({ processes: 2 });
    lasting.warmUp?.();
    const ahead = lasting.processIds();
    await say("你好。", {}, lasting);
    expect(lasting.processIds()).toEqual(ahead);
    await warm.close();
    await lasting.close();
  });

  it("never ends a process during a task that takes longer than the idle time", async () => {
    const resting = await createEmbeddedEngine({ processes: 1, idleMs: 1 });
    try {
      await expect(say(story, {}, resting)).resolves.toBeDefined();
    } finally {
      await resting.close();
    }
  });

  it("runs its processes below the priority of the server", async () => {
    await say("你好。");
    for (const pid of engine.processIds()) expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL);
  });

  it("speaks at the pitch of a designed voice", async () => {
    const [low, high] = [await say(sentence), await say(sentence, { voice: engine.design(woman) })];
    expect(Math.abs(low.medianSt - toSemitones(man.pitchHz))).toBeLessThan(2.5);
    expect(Math.abs(high.medianSt - toSemitones(woman.pitchHz))).toBeLessThan(2.5);
  });

  it("speaks at a natural pace, and twice as fast at speed 2", async () => {
    const syllables = 26;
    const plain = await say(story);
    const lastRest = (plain.chunks.at(-1)?.silence?.afterMs ?? 0) / 1000;
    expect(syllables / (plain.seconds - lastRest)).toBeGreaterThan(4.1);
    expect(syllables / (plain.seconds - lastRest)).toBeLessThan(5);
    const quick = await say(story, { speed: 2 });
    expect(plain.seconds / quick.seconds).toBeGreaterThan(1.7);
    expect(plain.seconds / quick.seconds).toBeLessThan(2.2);
  });

  it("gives a cloned voice the pace of its recording", async () => {
    const { samples, seconds } = await say(story, { voice: engine.design({ ...man, rate: 0.75 }) });
    for (const options of [{}, { transcript: prepareText(story) }]) {
      const voice = await engine.enroll({ samples, sampleRate: 22_050 }, options);
      const { seconds: cloned } = await say(story, { voice });
      expect(Math.abs(cloned / seconds - 1)).toBeLessThan("transcript" in options ? 0.12 : 0.22);
    }
  });

  it("speaks a text again at another pace, and the same repetition the same way", async () => {
    const [first, second, again] = [
      await say(story),
      await say(story, { repetition: 1 }),
      await say(story, { repetition: 1 }),
    ];
    expect(second.seconds / first.seconds).toBeGreaterThan(0.94);
    expect(second.seconds / first.seconds).toBeLessThan(0.99);
    expect(again.seconds / second.seconds).toBeCloseTo(1, 1);
  });

  it("applies speed, pitch and volume", async () => {
    const plain = await say(sentence);
    const fast = await say(sentence, { speed: 1.6 });
    expect(plain.seconds / fast.seconds).toBeGreaterThan(1.3);
    const raised = await say(sentence, { pitch: 4 });
    expect(raised.medianSt - plain.medianSt).toBeCloseTo(4, 0);
    const loud = await say(sentence, { volume: -6 });
    const power = (chunks: SpeechChunk[]) => chunks.reduce((s, { pcm }) => s + pcm.reduce((t, v) => t + v * v, 0), 0);
    expect(10 * Math.log10(power(plain.chunks) / power(loud.chunks))).toBeCloseTo(6, 0);
  });

  it("changes pitch, range and pace with emotions", async () => {
    const sad = await say(sentence, { emotion: { sad: 1 } });
    const happy = await say(sentence, { emotion: { happy: 1 } });
    expect(happy.medianSt - sad.medianSt).toBeGreaterThan(2);
    expect(happy.range?.spreadSt ?? 0).toBeGreaterThan(1.4 * (sad.range?.spreadSt ?? 0));
    expect(sad.seconds).toBeGreaterThan(1.1 * happy.seconds);
  });

  it("keeps a mark's pause exact to the sample", async () => {
    const { chunks } = await say("你好#1.5#再见");
    const [first] = chunks;
    expect(first?.silence?.afterMs).toBe(1500);
    const tail = first?.pcm.subarray(-33_075) ?? [];
    expect(tail.length).toBe(33_075);
    expect(tail.every((value) => value === 0)).toBe(true);
  });

  it("is told from a microphone by its pauses", async () => {
    const { samples } = await say("我确认这是我本人的声音。苹果，电话，河流。星期，颜色，书包。");
    expect(measureDigitalSilence({ samples, sampleRate: 22_050 })).toBeGreaterThan(0.06);
  });

  it("returns the times of each character and phoneme", async () => {
    const { timeline, seconds } = await say("兄弟很穷，他用 iPhone 拍照，这儿好玩儿。");
    expect(timeline?.units.map(({ text }) => text).join("")).toBe("兄弟很穷他用iPhone拍照这儿好玩儿");
    const starts = timeline?.units.map(({ start }) => start) ?? [];
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    for (const { start, end } of timeline?.units ?? []) expect(end).toBeGreaterThan(start);
    expect(timeline?.units.at(-1)?.end).toBeLessThanOrEqual(seconds * 1000);
    const visemes = new Set(timeline?.phonemes.map(({ viseme }) => viseme));
    for (const viseme of ["sil", "aa", "ih", "oh", "CH", "PP", "FF"]) expect(visemes).toContain(viseme);
  });

  it("reads letters with their English names", async () => {
    const { timeline } = await say("A I 级");
    expect(timeline?.phonemes[0]?.ph).toMatch(/^e/);
  });

  it("enrols a voice from a recording and speaks at its pitch, and counts the transcript's syllables", async () => {
    const said = "昨天晚上我和朋友一起去看了一场精彩的足球比赛。";
    const { samples } = await say(said, { voice: engine.design(woman) });
    const blind = await engine.enroll({ samples, sampleRate: 22_050 });
    const spoken = await engine.enroll({ samples, sampleRate: 22_050 }, { transcript: prepareText(said) });
    for (const profile of [blind, spoken]) {
      expect(Math.abs(toSemitones((profile.measured?.pitchHz ?? 1) / woman.pitchHz) + toSemitones(1))).toBeLessThan(
        1.5,
      );
      const { medianSt, samples: sound } = await say(sentence, { voice: profile });
      expect(Math.abs(medianSt - toSemitones(woman.pitchHz))).toBeLessThan(2);
      expect(measurePeak(sound)).toBeGreaterThan(0.1);
      expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
    }
    expect(spoken.measured?.syllablesPerSecond).toBeGreaterThan(2);
    expect(JSON.stringify(spoken).length).toBeLessThan(500_000);
  });

  it("ignores a transcript that is too short for the recording", async () => {
    const { samples } = await say("昨天晚上我和朋友一起去看了一场精彩的足球比赛。", {
      voice: engine.design(woman),
    });
    const wrong = prepareText("人工智能技术正在改变世界。");
    const profile = await engine.enroll({ samples, sampleRate: 22_050 }, { transcript: wrong });
    expect(profile.measured?.syllablesPerSecond).toBeNull();
  });

  it("refuses recordings without a voice", async () => {
    for (const { samples, sampleRate } of [silence({ seconds: 4 }), noise({ seconds: 4 })]) {
      const refusal = await engine.enroll({ samples, sampleRate }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(SpeechError);
      expect((refusal as SpeechError).fault).toBe("reference");
    }
  });

  it("inspects recordings in the same processes", async () => {
    const { samples } = await say(sentence);
    const wav = encodeWav(
      Int16Array.from(samples, (value) => Math.round(value * 32767)),
      22_050,
    );
    const inspected = await engine.inspect(wav);
    expect(inspected.format).toBe("wav");
    expect(inspected.samples.length).toBe(samples.length);
    const cut = await engine.inspect(wav.subarray(0, wav.length - 1001));
    expect(cut.quality.tips).toContain("truncated");
    const refusal = await engine.inspect(new Uint8Array(5000).fill(7)).catch((error: unknown) => error);
    expect((refusal as SpeechError).fault).toBe("reference");
    expect(engine.processIds().length).toBe(1);
  });

  it("distinguishes the four tones in slowly read single syllables", async () => {
    const { chunks } = await say("妈，麻，马，骂，".repeat(3), { speed: 0.77 });
    const shapes = chunks.flatMap(({ pcm, timeline }) => {
      const pitch = trackPitch(Float32Array.from(pcm, (value) => value / 32768));
      return (timeline?.units ?? []).map(({ start, end, tone }) => {
        const syllable = pitch.subarray(Math.round(start / 5), Math.round(end / 5)).filter((hz) => hz > 0);
        const at = (share: number) => toSemitones(syllable[Math.floor(share * (syllable.length - 1))] as number);
        return { tone, start: at(0.05), middle: at(0.6), end: at(0.97) };
      });
    });
    const middleSt = toSemitones(man.pitchHz);
    const isRight = ({ tone, start, middle, end }: (typeof shapes)[number]) => {
      if (tone === 1) return middle > middleSt + 0.5 && end > middleSt + 0.5;
      if (tone === 2) return end - start > 3 && end > middleSt;
      if (tone === 3) return start < middleSt - 2 && middle < middleSt;
      return middle - end > 1.5 && end < middleSt;
    };
    expect(shapes.length).toBe(12);
    expect(shapes.filter(isRight).length).toBeGreaterThanOrEqual(11);
  });
});
