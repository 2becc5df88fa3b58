import { expect, it } from "vitest";
import { tone } from "../../../tests/support/sounds";
import { measureLoudness } from "./loudness";

// EBU Tech 3341: a 1 kHz sine on both channels at −23 dBFS reads −23 LUFS; on one channel it reads 3 dB less.
it.each([48_000, 44_100, 22_050])(
  "the loudness of a mono 1 kHz sine with a peak of −23 dBFS is −26 LUFS at %i Hz",
  (sampleRate) => {
    const { samples } = tone({ seconds: 5, sampleRate, hz: 1000, level: 10 ** (-23 / 20) });
    expect(Math.abs(measureLoudness(samples, sampleRate) + 26)).toBeLessThan(0.1);
  },
);

it("long silence does not change the loudness", () => {
  const { samples } = tone({ seconds: 4, hz: 1000, level: 0.1 });
  const padded = new Float32Array(samples.length * 4);
  padded.set(samples);
  expect(Math.abs(measureLoudness(padded, 22_050) - measureLoudness(samples, 22_050))).toBeLessThan(0.2);
});

it("low tones have a lower loudness than tones of 1 kHz", () => {
  const low = tone({ seconds: 2, hz: 50, level: 0.1 }).samples;
  const middle = tone({ seconds: 2, hz: 500, level: 0.1 }).samples;
  expect(measureLoudness(low, 22_050)).toBeLessThan(measureLoudness(middle, 22_050) - 2);
});

it("the loudness of silence is −Infinity", () => {
  expect(measureLoudness(new Float32Array(22_050), 22_050)).toBe(Number.NEGATIVE_INFINITY);
});
