import { expect, it } from "vitest";
import type { SpeechChunk, SpeechRequest, SpokenUnit } from "../../speech/engine";
import { findSegmentFault } from "./segment-check";

const sampleRate = 1000;
const syllable: SpokenUnit = { kind: "syllable", text: "好", offset: 0, length: 1 };
const request = (units: SpokenUnit[], speed = 1): SpeechRequest => ({
  text: { units },
  voice: { engine: "tone", version: "1", parameters: null },
  speed,
});
const tone = (ms: number, level = 8000): SpeechChunk => ({ pcm: new Int16Array(ms).fill(level), sampleRate });
const four = request([syllable, syllable, syllable, syllable]);

it.each([
  ["nothing at all", [], "too short"],
  ["a tenth of a second", [tone(100)], "too short"],
  ["half a minute", [tone(30_000)], "too long"],
  ["silence", [tone(1000, 0)], "silent"],
  ["a howl at full scale", [tone(1000, 32_767)], "clipped"],
])("four syllables with %s are reported as a fault", (_, chunks, fault) => {
  expect(findSegmentFault(chunks, four)).toBe(fault);
});

it("four syllables within a second are accepted in any number of chunks", () => {
  expect(findSegmentFault([tone(400), tone(600)], four)).toBeNull();
});

it("slow speed and long pauses allow longer segments", () => {
  expect(findSegmentFault([tone(8000)], four)).toBe("too long");
  expect(findSegmentFault([tone(8000)], request(four.text.units, 0.5))).toBeNull();
  const pause: SpokenUnit = { kind: "pause", text: "#4#", offset: 0, length: 3, pauseMs: 4000 };
  expect(findSegmentFault([tone(8000)], request([...four.text.units, pause]))).toBeNull();
});

it("a segment of pauses only is accepted without audio", () => {
  expect(findSegmentFault([], request([]))).toBeNull();
});
