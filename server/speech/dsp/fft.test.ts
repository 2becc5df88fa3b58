import { describe, expect, it } from "vitest";
import { createFft } from "./fft";
import { createNoise } from "./noise";

describe("createFft", () => {
  const size = 256;
  const fft = createFft(size);
  const re = new Float64Array(size / 2 + 1);
  const im = new Float64Array(size / 2 + 1);

  it("finds a sine in its bin", () => {
    const sine = Float64Array.from({ length: size }, (_, n) => Math.sin((2 * Math.PI * 9 * n) / size));
    fft.forward(sine, re, im);
    const power = re.map((value, k) => value ** 2 + (im[k] as number) ** 2);
    expect(power.indexOf(Math.max(...power))).toBe(9);
    expect(im[9]).toBeCloseTo(-size / 2, 6);
  });

  it("restores the samples after the inverse transform", () => {
    const noise = createNoise(4);
    const samples = Float64Array.from({ length: size }, () => noise.gauss());
    const back = new Float64Array(size);
    fft.forward(samples, re, im);
    fft.inverse(re, im, back);
    for (let n = 0; n < size; n++) expect(back[n]).toBeCloseTo(samples[n] as number, 9);
  });
});
