import { afterAll, describe, expect, it } from "vitest";
import { spectrumError, voiceFeatures } from "../../../../tests/support/voice-scores";
import { prepareText } from "../../chinese/prepare";
import { trackPitch } from "../../dsp/pitch";
import { toSemitones } from "../../dsp/pitch-range";
import type { SpeechRequest, VoiceDesign, VoiceProfile } from "../../engine";
import { SpeechError } from "../../engine";
import { master } from "../../mastering";
import { createEmbeddedEngine } from "./engine";

const never = new AbortController().signal;
const man: VoiceDesign = { pitchHz: 110, pitchSpreadSt: 2.5, tract: 1, breath: 0.1, tilt: 0, rate: 1 };
const woman: VoiceDesign = { pitchHz: 210, pitchSpreadSt: 3, tract: 1.16, breath: 0.2, tilt: -1, rate: 1 };
const said = "昨天晚上我和朋友一起去看了一场精彩的足球比赛，大家都很高兴。";
const sentence = "春天来了，公园里的花都开了，孩子们在草地上奔跑，老人们坐在树下聊天。";
const sampleRate = 22_050;

function meanSt(samples: Float32Array): number {
  const heights = Array.from(
    trackPitch(samples).filter((hz) => hz > 0),
    toSemitones,
  );
  return heights.reduce((sum, height) => sum + height, 0) / heights.length;
}

describe("a tone taken from another voice", { timeout: 300_000 }, async () => {
  const engine = await createEmbeddedEngine({ processes: 1 });
  afterAll(() => engine.close());

  async function say(text: string, request: Partial<SpeechRequest> & { voice: VoiceProfile }) {
    const chunks = [];
    for await (const chunk of engine.synthesize({ text: prepareText(text), speed: 1, ...request }, never))
      chunks.push(chunk);
    const samples = Float32Array.from(master(chunks).pcm, (value) => value / 32768);
    return { samples, seconds: samples.length / sampleRate };
  }

  /** A recording of another speaker with these parameters. */
  async function recording(manner: Partial<VoiceDesign>) {
    const { samples } = await say(said, { voice: engine.design({ ...woman, ...manner }) });
    return engine.enroll({ samples, sampleRate });
  }

  it("changes pitch range and pace but not timbre and median pitch", async () => {
    const voice = engine.design(man);
    const lively = await say(sentence, { voice, tone: await recording({ pitchSpreadSt: 4.2, rate: 1.2 }) });
    const flat = await say(sentence, { voice, tone: await recording({ pitchSpreadSt: 1.2, rate: 0.8 }) });
    const [livelyFeatures, flatFeatures] = [voiceFeatures(lively.samples), voiceFeatures(flat.samples)];
    expect(livelyFeatures.pitch.spreadSt).toBeGreaterThan(1.8 * flatFeatures.pitch.spreadSt);
    expect(flat.seconds / lively.seconds).toBeGreaterThan(1.2);
    const own = await say(sentence, { voice });
    const plain = voiceFeatures(own.samples);
    const speaker = voiceFeatures((await say(sentence, { voice: engine.design(woman) })).samples);
    for (const { samples } of [lively, flat]) expect(Math.abs(meanSt(samples) - meanSt(own.samples))).toBeLessThan(2);
    for (const features of [livelyFeatures, flatFeatures]) {
      expect(spectrumError(features, plain)).toBeLessThan(0.6 * spectrumError(features, speaker));
    }
  });

  it("is rejected if it is of another engine", async () => {
    const tone = { engine: "another", version: "1", parameters: {} };
    const refused = await say(sentence, { voice: engine.design(man), tone }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SpeechError);
    expect((refused as SpeechError).fault).toBe("voice");
  });
});
