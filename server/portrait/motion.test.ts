import { describe, expect, test } from "vitest";
import { measureLips } from "../../tests/support/lip-check";
import { createIdleMotion, createMotion } from "./motion";
import { createRandom, visemes } from "./pose";
import { parseSpokenTimeline, type SpokenTimeline } from "./spoken-timeline";

/** Syllables of 60–220 ms with the short rests that engines write inside words, and pauses between phrases. */
function makeTimeline(seed: string): SpokenTimeline {
  const random = createRandom(seed);
  const phonemes: { start: number; end: number; viseme: string }[] = [];
  const units: { text: string; offset: number; start: number; end: number }[] = [];
  const vowels = ["aa", "E", "ih", "oh", "ou"];
  let at = 120;
  const add = (viseme: string, ms: number) => {
    phonemes.push({ start: at, end: at + ms, viseme });
    at += ms;
  };
  for (let index = 0; index < 40; index++) {
    const start = at;
    add(visemes[1 + Math.floor(9 * random())] ?? "PP", 50 + Math.round(60 * random()));
    if (random() < 0.2) add("sil", 5 + Math.round(25 * random()));
    add(vowels[Math.floor(5 * random())] ?? "aa", 90 + Math.round(130 * random()));
    units.push({ text: "字", offset: index, start, end: at });
    if (index % 8 === 7) add("sil", 300);
  }
  return { durationMs: at, units, phonemes };
}

const timelines = Array.from({ length: 12 }, (_, index) => makeTimeline(`sound ${index}`));

describe("the motion of a speaker", () => {
  test("shows the timeline's mouth in at least 95 % of the frames and closes the lips on every p, b, m", () => {
    for (const timeline of timelines) {
      const lips = measureLips(createMotion({ timeline, seed: "a" }), timeline);
      expect(lips.rightShare).toBeGreaterThanOrEqual(0.95);
      expect(lips.closed).toBe(lips.closures);
    }
  });

  test("a mouth that lags by a quarter of a second does not pass", () => {
    const [timeline] = timelines as [SpokenTimeline];
    const motion = createMotion({ timeline, seed: "a" });
    const lips = measureLips((seconds) => motion(seconds - 0.25), timeline);
    expect(lips.rightShare).toBeLessThan(0.9);
    expect(lips.closed).toBeLessThan(lips.closures);
  });

  test("is the same for the same sound, another for another one", () => {
    const [timeline] = timelines as [SpokenTimeline];
    const at = (seed: string) => [0.3, 1.7, 4.2].map((seconds) => createMotion({ timeline, seed })(seconds));
    expect(at("a")).toEqual(at("a"));
    expect(at("a")).not.toEqual(at("b"));
  });

  test("bridges rests inside words and rests in pauses", () => {
    const motion = createMotion({
      seed: "a",
      timeline: {
        durationMs: 1200,
        units: [],
        phonemes: [
          { start: 0, end: 300, viseme: "aa" },
          { start: 300, end: 330, viseme: "sil" },
          { start: 330, end: 600, viseme: "aa" },
          { start: 600, end: 1000, viseme: "sil" },
        ],
      },
    });
    expect(motion(0.315).mouth.weights.open).toBeCloseTo(1);
    expect(motion(0.8).mouth.weights.open ?? 0).toBe(0);
  });

  test("raises the brows before ？ and on [重读]", () => {
    const whole = makeTimeline("sound 0");
    const units = whole.units.slice(0, 8);
    const end = (units[7]?.end ?? 0) / 1000;
    const browAt = (text: string, prefix: number, seconds: number) => {
      const shifted = units.map((unit) => ({ ...unit, offset: unit.offset + (unit.offset >= 5 ? prefix : 0) }));
      return createMotion({ timeline: { ...whole, units: shifted }, seed: "a", text })(seconds).brow;
    };
    const plain = "字".repeat(8);
    expect(browAt(`${plain}？`, 0, end)).toBeGreaterThan(browAt(`${plain}。`, 0, end) + 0.5);
    const stressed = ((units[5]?.start ?? 0) + 0.35 * ((units[5]?.end ?? 0) - (units[5]?.start ?? 0))) / 1000;
    const marked = browAt("字字字字字[重读]字字字", 4, stressed);
    expect(marked).toBeGreaterThan(browAt(plain, 0, stressed) + 0.3);
  });

  test("opens the mouth wider for loud speech", () => {
    const [timeline] = timelines as [SpokenTimeline];
    const sizeAt = (level: number) =>
      createMotion({ timeline, seed: "a", loudness: { perSecond: 25, levels: Array(400).fill(level) } })(2).mouth.size;
    expect(sizeAt(1)).toBeGreaterThan(sizeAt(0.2) + 0.4);
  });

  test("blinks every 1.2–7 s and keeps within natural bounds", () => {
    for (const motion of [
      ...timelines.map((timeline) => createMotion({ timeline, seed: "a" })),
      createIdleMotion("b"),
    ]) {
      let last = 0;
      let isShut = false;
      for (let seconds = 0; seconds < 8; seconds += 0.02) {
        const pose = motion(seconds);
        expect(Math.abs(pose.headAngle)).toBeLessThan(4);
        expect(Math.max(Math.abs(pose.turn.x), Math.abs(pose.turn.y), Math.abs(pose.gaze.x))).toBeLessThanOrEqual(1.3);
        if (pose.blink > 0.8 && !isShut) {
          expect(seconds - last).toBeLessThan(7);
          last = seconds;
        }
        isShut = pose.blink > 0.8;
      }
      expect(last).toBeGreaterThan(0);
    }
  });
});

test("a sound that is empty or of one phoneme moves without failing", () => {
  expect(createMotion({ timeline: { durationMs: 0, units: [], phonemes: [] }, seed: "" })(0).mouth.weights).toEqual({});
  const one = parseSpokenTimeline({ phonemes: [{ start: 0, end: 80, viseme: "PP" }] });
  if (one) expect(createMotion({ timeline: one, seed: "x" })(0.04).mouth.closure).toBe(1);
});
