import { describe, expect, it } from "vitest";
import { styleNames } from "../../../speech/engines/kokoro/model";
import { humans } from "./seed";

const sum = (weights: number[]) => weights.reduce((total, weight) => total + weight, 0);

describe("the seeded people", () => {
  it.each(humans.map(({ name, design }) => [name, design] as const))(
    "%s is a mix at the designed pitch",
    (_, design) => {
      const { styles, medianHz, shiftSt, tempo } = design.mix;
      expect(styleNames).toEqual(expect.arrayContaining(Object.keys(styles)));
      expect(sum(Object.values(styles))).toBeCloseTo(1, 6);
      const chinese = Object.entries(styles).filter(([name]) => name.startsWith("z"));
      expect(sum(chinese.map(([, weight]) => weight))).toBeGreaterThanOrEqual(0.45);
      expect(Math.abs(12 * Math.log2(medianHz / design.pitchHz) + shiftSt)).toBeLessThanOrEqual(1);
      expect(tempo).toBeGreaterThanOrEqual(0.8);
      expect(tempo).toBeLessThanOrEqual(1.2);
    },
  );

  it("are mixes of which no two are equal", () => {
    const mixes = humans.map(({ design }) => JSON.stringify(Object.entries(design.mix.styles).sort()));
    expect(new Set(mixes).size).toBe(humans.length);
  });

  it("have children, women and men that are made of styles of their kind", () => {
    const chineseStyles = ({ design }: (typeof humans)[number]) =>
      Object.keys(design.mix.styles).filter((name) => name.startsWith("z"));
    for (const human of humans) {
      const isLow = human.gender === "male";
      for (const style of chineseStyles(human))
        expect([human.name, style.startsWith("zm_")]).toEqual([human.name, isLow]);
    }
  });
});
