import { expect, it } from "vitest";
import { speechLike, toPcm } from "../../../../tests/support/sounds";
import { prepareText } from "../../chinese/prepare";
import type { Espeak } from "./espeak-process";
import type { SourceClip } from "./reading/source";
import { speak, splitClip } from "./speaking";
import { designVoice } from "./voice/design";

function clip(seconds: number): SourceClip {
  const starts = Array.from({ length: Math.floor(seconds * 4) }, (_, i) => i * 250);
  return {
    ...speechLike({ seconds }),
    units: starts.map((start, i) => ({ text: String(i), offset: i, start, end: start + 250 })),
    phonemes: starts.map((start) => ({ ph: "a", start, end: start + 250, viseme: "aa" })),
  };
}

it("a short clip is not split", () => {
  expect(splitClip(clip(1.5), 0).length).toBe(1);
});

it("a long clip is split into a short first piece and the rest without loss", () => {
  const whole = clip(9);
  const pieces = splitClip(whole, 0);
  expect(pieces.length).toBeGreaterThan(2);
  expect((pieces[0]?.samples.length ?? 0) / whole.sampleRate).toBeLessThan(1.8);
  expect(pieces.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(whole.samples.length);
  expect(pieces.flatMap(({ units }) => units.map(({ text }) => text))).toEqual(whole.units.map(({ text }) => text));
  for (const { units, phonemes, samples, sampleRate } of pieces) {
    expect(units[0]?.start).toBe(0);
    expect(phonemes.at(-1)?.end).toBeLessThanOrEqual((samples.length / sampleRate) * 1000 + 1);
  }
});

/** Speaks for a time that only its rate decides, as eSpeak does. */
const espeak: Espeak = {
  async speak({ rate }) {
    const sound = speechLike({ seconds: (3 * 224) / rate });
    return { pcm: toPcm(sound), sampleRate: sound.sampleRate, words: [], phonemes: [] };
  },
  pronounce: async () => [],
  close() {},
};

async function secondsAt(speed: number): Promise<number> {
  const quick = designVoice({ pitchHz: 150, pitchSpreadSt: 2, tract: 1, breath: 0, tilt: 0, rate: 1.24 });
  let samples = 0;
  const request = { text: prepareText("春天来了"), voice: quick, speed };
  for await (const { pcm } of speak(request, espeak, async () => {})) samples += pcm.length;
  return samples / 22_050;
}

it("a quick voice speaks twice as fast at speed 2, which is beyond eSpeak's fastest rate", async () => {
  const ratio = (await secondsAt(1)) / (await secondsAt(2));
  expect(ratio).toBeGreaterThan(1.85);
  expect(ratio).toBeLessThan(2.1);
});
