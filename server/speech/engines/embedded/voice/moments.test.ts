import { describe, expect, it } from "vitest";
import { binCount } from "../../../dsp/grid";
import { addMelCurve, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands } from "../../../dsp/mel";
import { createNoise } from "../../../dsp/noise";
import { type Analysis, withLevels } from "./analysis";
import { createConverter } from "./conversion";
import { designVoice } from "./design";
import { describeGoal, learnMoments, learnTrim, longTermPower } from "./moments";
import type { EmbeddedVoice } from "./voice";

const frames = 1200;

/** Voiced frames whose third cepstral coefficient follows the second with `slope`. */
function speech(seed: number, { slope, spread, tilt }: { slope: number; spread: number; tilt: number }): Analysis {
  const noise = createNoise(seed);
  const envelope = new Float32Array(frames * binCount).fill(-6);
  let [second, third] = [0, 0];
  for (let f = 0; f < frames; f++) {
    // Slow, because conversion smooths corrections over time.
    second = 0.97 * second + 0.24 * noise.gauss();
    third = 0.97 * third + 0.24 * noise.gauss();
    const values = [tilt, spread * second, spread * (slope * second + third)];
    const curve = new Float64Array(melBands);
    values.forEach((value, i) => {
      cepstrumRows[i + 1]?.forEach((weight, b) => {
        curve[b] = (curve[b] as number) + value * weight;
      });
    });
    addMelCurve(envelope, f * binCount, curve);
  }
  const pitch = new Float32Array(frames).fill(150);
  const levels = withLevels(new Float32Array(frames * 110), pitch, envelope);
  return { ...levels, active: new Uint8Array(frames).fill(1) };
}

function cepstra({ envelope }: Pick<Analysis, "envelope">): Float64Array[] {
  const mel = new Float64Array(melBands);
  return Array.from({ length: frames }, (_, f) => {
    const row = new Float64Array(cepstrumSize);
    logMelAt(envelope, f * binCount, mel);
    cepstrum(mel, cepstrumRows, row);
    return row;
  });
}

function describeSpread(speech: Pick<Analysis, "envelope">) {
  const rows = cepstra(speech);
  const mean = (pick: (row: Float64Array) => number) => rows.reduce((sum, row) => sum + pick(row) / rows.length, 0);
  const [x, y] = [mean((row) => row[2] as number), mean((row) => row[3] as number)];
  const product = (i: number, j: number) =>
    mean((row) => ((row[i] as number) - (i === 2 ? x : y)) * ((row[j] as number) - (j === 2 ? x : y)));
  return { deviation: Math.sqrt(product(2, 2)), correlation: product(2, 3) / Math.sqrt(product(2, 2) * product(3, 3)) };
}

describe("learned corrections", () => {
  const source = speech(1, { slope: -0.8, spread: 1, tilt: 0 });
  const target = speech(2, { slope: 0.8, spread: 1.3, tilt: 4 });
  const { contrast: _, ...plain } = designVoice({
    pitchHz: 150,
    pitchSpreadSt: 2,
    tract: 1,
    breath: 0,
    tilt: 0,
    rate: 1,
  }).parameters as EmbeddedVoice;
  const voice: EmbeddedVoice = { ...plain, trim: null };
  const converted = (): Analysis => ({ ...source, envelope: createConverter(voice).convert(source).envelope });
  const goal = describeGoal(target);
  voice.moments = learnMoments(goal, converted());
  voice.residual = learnMoments(goal, converted());
  voice.trim = learnTrim(goal, converted());

  it("give converted speech the variance and most of the correlations of the recording", () => {
    const [before, after, goal] = [source, converted(), target].map(describeSpread) as [
      ReturnType<typeof describeSpread>,
      ReturnType<typeof describeSpread>,
      ReturnType<typeof describeSpread>,
    ];
    expect(before.correlation).toBeLessThan(-0.5);
    expect(goal.correlation).toBeGreaterThan(0.5);
    const share = (after.correlation - before.correlation) / (goal.correlation - before.correlation);
    expect(share).toBeGreaterThan(0.6);
    expect(Math.abs(after.deviation / goal.deviation - 1)).toBeLessThan(0.1);
  });

  it("bring the long-term spectrum to that of the recording, its level aside", () => {
    const shape = (values: Float64Array) => {
      const level = values.reduce((sum, value) => sum + value, 0) / melBands;
      return values.map((value) => value - level);
    };
    const [after, goal, before] = [converted(), target, source].map((sound) => shape(longTermPower(sound)));
    const largest = (from?: Float64Array) =>
      Math.max(...Array.from(from ?? [], (v, b) => Math.abs(v - (goal?.[b] ?? 0))));
    expect(largest(before)).toBeGreaterThan(0.5);
    expect(largest(after)).toBeLessThan(0.1);
  });

  it("are the same every time", () => {
    expect(learnMoments(goal, source)).toEqual(learnMoments(describeGoal(target), source));
    const [a, b] = [converted(), converted()].map(({ envelope }) => Buffer.from(envelope.buffer));
    expect(a?.equals(b as Buffer)).toBe(true);
  });
});
