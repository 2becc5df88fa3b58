import { expect, it } from "vitest";
import { prepareText } from "../../../chinese/prepare";
import { hopSeconds } from "../../../dsp/grid";
import { splitClauses } from "../reading/clauses";
import { applyDurations, applyGain } from "../speaking";
import type { Analysis } from "./analysis";
import { planIntonation } from "./intonation";

const syllableMs = 200;

/** The plan of a clause whose syllables last equally long, sampled at the middle of each. */
function plan(content: string, at = 0) {
  const clause = splitClauses(prepareText(content).units, 1)[at];
  if (!clause) throw new Error(`no clause ${at} in ${content}`);
  const times = clause.units.map((unit, i) => ({ ...unit, start: i * syllableMs, end: (i + 1) * syllableMs }));
  const planned = planIntonation(clause, { times, seconds: (clause.units.length * syllableMs) / 1000 });
  const sample = (values: Float32Array) =>
    times.map(({ start }) => values[Math.round((start + syllableMs / 2) / 1000 / hopSeconds)] as number);
  const { raiseSt, range, gainDb, length } = planned;
  return { raiseSt: sample(raiseSt), range: sample(range), gainDb: sample(gainDb), length: sample(length), planned };
}

const lastOf = (values: number[]) => values.at(-1) ?? 0;

it("a question rises, less with a particle, and a statement falls", () => {
  const [asked, marked, stated] = [plan("他明天来？"), plan("他明天来吗？"), plan("他明天来。")];
  expect(lastOf(asked.raiseSt) - lastOf(stated.raiseSt)).toBeGreaterThan(2);
  expect(lastOf(marked.raiseSt)).toBeLessThan(lastOf(asked.raiseSt));
  expect(lastOf(stated.raiseSt)).toBeLessThan((stated.raiseSt[0] as number) - 0.5);
});

it("a question that ends with a falling tone rises more", () => {
  const rise = (words: string) => lastOf(plan(`${words}？`).raiseSt) - lastOf(plan(`${words}。`).raiseSt);
  expect(rise("你吃饭")).toBeGreaterThan(rise("你吃鱼") + 0.4);
});

it("pitch falls over a clause by a bounded amount and is reset after a comma", () => {
  const long = plan(`${"春天来了".repeat(8)}，`).raiseSt;
  expect((long[0] as number) - lastOf(long)).toBeLessThanOrEqual(3.01);
  const [first, second] = [plan("春天来了花都开了，孩子们在奔跑。"), plan("春天来了花都开了，孩子们在奔跑。", 1)];
  expect(second.raiseSt[0]).toBeGreaterThan(lastOf(first.raiseSt));
});

it("the last syllable before a pause is longer, a particle less so", () => {
  expect(lastOf(plan("他明天来。").length)).toBeGreaterThan(1.2);
  expect(lastOf(plan("他明天来吧。").length)).toBeLessThan(1);
});

it("emphasised syllables stand out, and what follows them is flat", () => {
  const emphasised = plan("他[重读]明天[/重读]来。");
  const usual = plan("他明天来。");
  expect(emphasised.gainDb[1]).toBeGreaterThan(1.9);
  expect(emphasised.length[1]).toBeGreaterThan(1.2);
  expect(emphasised.range[1]).toBeGreaterThan((usual.range[1] as number) + 0.2);
  expect(emphasised.length[0]).toBe(usual.length[0]);
  expect(emphasised.range[3]).toBeLessThan((usual.range[3] as number) - 0.2);
  expect(emphasised.range[0]).toBeCloseTo(usual.range[0] as number);
});

it("low tones are less deep within a clause, deeper before a pause and whole alone", () => {
  const { depth } = plan("你好老师我是小李。").planned;
  const at = (unit: number) => depth[Math.round(((unit + 0.5) * syllableMs) / 1000 / hopSeconds)] as number;
  expect(at(3)).toBeCloseTo(0.7, 2);
  expect(at(7)).toBeCloseTo(0.8, 2);
  expect(plan("好。").planned.depth[20]).toBeCloseTo(1, 2);
});

it("parentheses are lower and faster, exclamations wider", () => {
  const aside = plan("小李（我的朋友）来了。", 1);
  expect(aside.raiseSt[0]).toBeLessThan((plan("小李，我的朋友，来了。", 1).raiseSt[0] as number) - 1);
  expect(aside.length[0]).toBeLessThan(1);
  expect(plan("太好了！").range[0]).toBeGreaterThan(1.2);
});

it("durations repeat frames, and times move with them", () => {
  const frames = 100;
  const source = {
    samples: new Float32Array(frames * 110),
    frames,
    pitch: Float32Array.from({ length: frames }, (_, f) => 100 + f),
    envelope: new Float32Array(frames * 513),
    powerDb: new Float32Array(frames),
    peakDb: 0,
    active: new Uint8Array(frames).fill(1),
  } satisfies Analysis;
  const zero = new Float32Array(frames);
  const one = new Float32Array(frames).fill(1);
  const length = one.map((_, f) => (f >= 50 ? 1.5 : 1));
  const timed = applyDurations(source, { raiseSt: zero, range: one, depth: one, gainDb: zero, length });
  expect(timed.speech.frames).toBe(125);
  expect(timed.speech.pitch[74]).toBe(100 + 66);
  expect(timed.toMs(250)).toBe(250);
  expect(timed.toMs(500)).toBe(625);
});

it("the gain is applied in decibels", () => {
  const sound = new Float32Array(1000).fill(0.1);
  expect(applyGain(sound, new Float32Array(20).fill(6))[500]).toBeCloseTo(0.2, 2);
  expect(applyGain(sound, new Float32Array(20))).toBe(sound);
});
