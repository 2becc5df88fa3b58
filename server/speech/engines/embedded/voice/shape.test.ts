import { describe, expect, it } from "vitest";
import { binCount } from "../../../dsp/grid";
import { addMelCurve, cepstrumRows, melBands } from "../../../dsp/mel";
import { createNoise } from "../../../dsp/noise";
import { type Analysis, withLevels } from "./analysis";
import { convert } from "./conversion";
import { designVoice } from "./design";
import { describeSpectra, learnShapes, longTermPower, trimShapes } from "./shape";
import type { EmbeddedVoice } from "./voice";

const frames = 1200;

/** Voiced frames whose second cepstral coefficient moves slowly, because conversion smooths over time. */
function speech(seed: number, { spread, tilt }: { spread: number; tilt: number }): Analysis {
  const noise = createNoise(seed);
  const envelope = new Float32Array(frames * binCount).fill(-6);
  let second = 0;
  for (let f = 0; f < frames; f++) {
    second = 0.98 * second + 0.2 * noise.gauss();
    const curve = new Float64Array(melBands).map(
      (_, b) => tilt * (cepstrumRows[1]?.[b] ?? 0) + spread * second * (cepstrumRows[2]?.[b] ?? 0),
    );
    addMelCurve(envelope, f * binCount, curve);
  }
  const levels = withLevels(new Float32Array(frames * 110), new Float32Array(frames).fill(150), envelope);
  return { ...levels, active: new Uint8Array(frames).fill(1) };
}

describe("learned shapes", () => {
  const source = speech(1, { spread: 1, tilt: 0 });
  const target = speech(2, { spread: 1.4, tilt: 4 });
  const goal = describeSpectra(target);
  const { parameters } = designVoice({ pitchHz: 150, pitchSpreadSt: 2, tract: 1, breath: 0, tilt: 0, rate: 1 });
  const voice: EmbeddedVoice = {
    ...(parameters as EmbeddedVoice),
    ...learnShapes(goal, describeSpectra(source)),
  };
  trimShapes(voice, goal, describeSpectra(convert(source, voice)));

  it("give converted speech the variance of the recording", () => {
    const [before, after] = [source, convert(source, voice)].map(
      (sound) => (describeSpectra(sound).voiced.deviation[2] as number) / (goal.voiced.deviation[2] as number),
    );
    expect(before).toBeLessThan(0.8);
    expect(Math.abs((after ?? 0) - 1)).toBeLessThan(0.1);
  });

  it("bring the long-term spectrum to that of the recording, its level aside", () => {
    const shape = (values: Float64Array) => {
      const level = values.reduce((sum, value) => sum + value, 0) / melBands;
      return values.map((value) => value - level);
    };
    const [after, wanted, before] = [convert(source, voice), target, source].map((sound) =>
      shape(longTermPower(sound)),
    ) as [Float64Array, Float64Array, Float64Array];
    const largest = (from: Float64Array) => Math.max(...from.map((value, b) => Math.abs(value - (wanted[b] ?? 0))));
    expect(largest(before)).toBeGreaterThan(0.5);
    expect(largest(after)).toBeLessThan(0.1);
  });

  it("follow the vowels where the recording has no consonants", () => {
    const change = (kind: "voiced" | "unvoiced") =>
      voice[kind].voice.map((value, b) => value - (voice[kind].source[b] as number));
    expect(change("unvoiced").map((value) => Math.round(value * 1e6))).toEqual(
      change("voiced").map((value) => Math.round(value * 1e6)),
    );
  });
});
