import { expect, it } from "vitest";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { speechLike, toPcm } from "./sounds";
import { createToneSpeech } from "./tone-engine";

const recording = (seed: number) => {
  const sound = speechLike({ seconds: 2, seed });
  return encodeWav(toPcm(sound), sound.sampleRate);
};

it("returns copies of one analysis for equal recordings, and refuses an invalid one each time", async () => {
  const speech = createToneSpeech();
  const first = await speech.inspect(recording(1));
  const second = await speech.inspect(recording(1));
  expect(second).toEqual(first);
  expect(second.samples).not.toBe(first.samples);
  expect((await speech.inspect(recording(2))).samples).not.toEqual(first.samples);
  const sound = speechLike({ seconds: 2, seed: 1 });
  sound.samples.fill(0);
  expect((await speech.inspect(recording(1))).samples).toEqual(first.samples);
  for (let tries = 0; tries < 2; tries++) {
    await expect(speech.inspect(new Uint8Array(10))).rejects.toMatchObject({ fault: "reference" });
  }
});
