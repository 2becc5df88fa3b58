import { expect, it } from "vitest";
import { speechLike, toPcm } from "../../../../tests/support/sounds";
import { prepareText } from "../../chinese/prepare";
import type { Espeak } from "./espeak-process";
import { speak } from "./speaking";
import { designVoice } from "./voice/design";

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
