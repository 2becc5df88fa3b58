import { describe, expect, it } from "vitest";
import { speechLike } from "../../../tests/support/sounds";
import { spectralEnvelopes } from "./envelope";
import { binCount, fftSize, frameCount, speechRate } from "./grid";
import { trackPitch } from "./pitch";
import { toSemitones } from "./pitch-range";
import { synthesize } from "./synthesis";

const clear = new Float64Array(binCount).fill(0.03);
const rms = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, v) => sum + v * v, 0) / samples.length);

describe("copy synthesis", () => {
  const { samples } = speechLike({ seconds: 3, pitchHz: 130, seed: 2 });
  const pitch = trackPitch(samples);
  const envelope = spectralEnvelopes(samples, pitch);
  const copy = synthesize({ pitch, envelope, noiseShare: clear }, samples.length);

  it("keeps the level", () => {
    expect(Math.abs(20 * Math.log10(rms(copy) / rms(samples)))).toBeLessThan(2);
  });

  it("keeps the pitch", () => {
    const again = trackPitch(copy);
    const errors: number[] = [];
    pitch.forEach((hz, f) => {
      if (hz > 0 && (again[f] as number) > 0) errors.push(Math.abs(toSemitones(hz) - toSemitones(again[f] as number)));
    });
    errors.sort((a, b) => a - b);
    expect(errors.length).toBeGreaterThan(200);
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.3);
  });

  it("keeps the spectral envelope where it is strong", () => {
    const again = spectralEnvelopes(copy, pitch);
    const errorsDb: number[] = [];
    for (let f = 0; f < frameCount(samples.length); f++) {
      if ((pitch[f] as number) === 0) continue;
      const [from, end] = [f * binCount, (f + 1) * binCount];
      const strongest = Math.max(...envelope.subarray(from, end));
      for (let k = from; k < end; k++) {
        const difference = (again[k] as number) - (envelope[k] as number);
        if ((envelope[k] as number) > strongest - 5) errorsDb.push(Math.abs(difference) * 4.34);
      }
    }
    errorsDb.sort((a, b) => a - b);
    expect(errorsDb[Math.floor(errorsDb.length / 2)]).toBeLessThan(3);
  });

  it("is deterministic", () => {
    const again = synthesize({ pitch, envelope, noiseShare: clear }, samples.length);
    expect(again).toEqual(copy);
  });
});

describe("synthesize", () => {
  it("creates a formant where the envelope has one", () => {
    const frames = frameCount(speechRate / 2);
    const peakBin = Math.round((1500 / speechRate) * fftSize);
    const frame = Float32Array.from({ length: binCount }, (_, k) => -6 - Math.abs(k - peakBin) / 12);
    const envelope = new Float32Array(frames * binCount);
    for (let f = 0; f < frames; f++) envelope.set(frame, f * binCount);
    const pitch = new Float32Array(frames).fill(140);
    const sound = synthesize({ pitch, envelope, noiseShare: clear }, speechRate / 2);
    const found = spectralEnvelopes(sound, pitch).subarray(50 * binCount, 51 * binCount);
    expect(Math.abs(found.indexOf(Math.max(...found)) - peakBin)).toBeLessThan(8);
  });

  it("is silent for a silent envelope", () => {
    const pitch = new Float32Array(50);
    const envelope = new Float32Array(50 * binCount).fill(-40);
    expect(rms(synthesize({ pitch, envelope, noiseShare: clear }, 5000))).toBe(0);
  });
});
