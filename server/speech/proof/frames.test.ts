import { expect, it } from "vitest";
import { joined, mixed, noise, silence, speechLike } from "../../../tests/support/sounds";
import { measureDigitalSilence } from "./frames";

const part = (seed: number) => speechLike({ seconds: 2, seed });

it("the pauses of a recording are no digital silence, even in a very quiet room", () => {
  const spoken = joined(part(1), silence({ seconds: 0.5 }), part(2));
  const room = noise({ seconds: spoken.samples.length / spoken.sampleRate, seed: 7, level: 0.0003 });
  expect(measureDigitalSilence(mixed(spoken, room))).toBe(0);
  expect(measureDigitalSilence(spoken)).toBeGreaterThan(0.1);
});

it("silence that was added around a recording does not count, and nothing but silence is none", () => {
  expect(measureDigitalSilence(joined(silence({ seconds: 2 }), part(1), silence({ seconds: 2 })))).toBeLessThan(0.04);
  expect(measureDigitalSilence(silence({ seconds: 2 }))).toBe(0);
});
