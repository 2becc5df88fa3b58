import { expect, test } from "vitest";
import { noise, speechLike } from "../../../tests/support/sounds";
import { mixDown } from "./quality";

const { samples } = speechLike({ seconds: 1 });
const scaled = (factor: number) => samples.map((value) => value * factor);
const hiss = noise({ seconds: 1, level: 0.001 }).samples;

test.each<[string, Float32Array[], Float32Array]>([
  ["one channel", [samples], samples],
  ["equal channels", [samples, samples], samples],
  ["channels that cancel each other", [samples, scaled(-1)], samples],
  ["a channel that is silent", [new Float32Array(samples.length), samples], samples],
  ["a channel that only hisses", [samples, hiss], samples],
  ["a voice that is louder on one side", [samples, scaled(0.5)], scaled(0.75)],
])("the mono mix of %s keeps the voice", (_, channels, expected) => {
  const mono = mixDown(channels);
  for (let i = 0; i < mono.length; i += 97) expect(mono[i]).toBeCloseTo(expected[i] as number, 6);
});

test("different sounds on both sides are mixed", () => {
  const other = speechLike({ seconds: 1, seed: 4, pitchHz: 220 }).samples;
  const mono = mixDown([samples, other]);
  expect(mono[5000]).toBeCloseTo(((samples[5000] as number) + (other[5000] as number)) / 2, 6);
});
