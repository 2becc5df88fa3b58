import { describe, expect, it } from "vitest";
import { exponentiate, fastExp } from "./exponential";

describe("fastExp", () => {
  it("agrees with Math.exp to nine digits, inside and outside its tables", () => {
    for (let x = -100; x < 100; x += 0.0137) expect(Math.abs(fastExp(x) / Math.exp(x) - 1)).toBeLessThan(1e-9);
  });

  it("returns the limits of Math.exp", () => {
    expect(fastExp(0)).toBe(1);
    expect(fastExp(Number.NEGATIVE_INFINITY)).toBe(0);
    expect(fastExp(1000)).toBe(Number.POSITIVE_INFINITY);
    expect(fastExp(Number.NaN)).toBeNaN();
  });
});

it("exponentiate returns magnitude and phase of complex logarithms", () => {
  const phases = Float64Array.from({ length: 4001 }, (_, i) => (i - 2000) * 0.731);
  const re = phases.map((phase) => Math.sin(phase));
  const expected = phases.map((phase, i) => Math.exp(re[i] as number) * Math.cos(phase));
  const im = phases.slice();
  exponentiate(re, im);
  for (let i = 0; i < re.length; i++) {
    expect(Math.abs((re[i] as number) - (expected[i] as number))).toBeLessThan(5e-9);
    const size = Math.exp(Math.sin(phases[i] as number));
    expect(Math.abs((im[i] as number) - size * Math.sin(phases[i] as number))).toBeLessThan(5e-9);
  }
});
