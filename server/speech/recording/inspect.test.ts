import { expect, test } from "vitest";
import { joined, speechLike, toPcm } from "../../../tests/support/sounds";
import { inspectRecording } from "./decode";
import { encodeWav } from "./formats/wav";

const speech = speechLike({ seconds: 8, sampleRate: 16_000 });

test("inspection returns the verdict of a recording and the part for enrolment", async () => {
  const inspected = await inspectRecording(encodeWav(toPcm(speech), 16_000));
  expect(inspected).toMatchObject({ sampleRate: 16_000, format: "wav", quality: { verdict: "good", tips: [] } });
  expect(inspected.samples.length).toBe(speech.samples.length);
});

test("a truncated recording is accepted and marked as incomplete", async () => {
  const cut = encodeWav(toPcm(speech), 16_000).subarray(0, 200_001);
  expect((await inspectRecording(cut)).quality).toMatchObject({ verdict: "usable", tips: ["truncated"] });
});

test("only the first minute of a longer recording is kept in memory", async () => {
  const long = joined(...Array.from({ length: 15 }, () => speech));
  const { samples, quality } = await inspectRecording(encodeWav(toPcm(long), 16_000));
  expect([samples.length, samples.buffer.byteLength]).toEqual([60 * 16_000, 60 * 16_000 * 4]);
  expect(quality).toMatchObject({ verdict: "usable", tips: ["too-long"], durationMs: 120_000 });
});
