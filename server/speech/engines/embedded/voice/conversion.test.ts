import { describe, expect, it } from "vitest";
import { binCount } from "../../../dsp/grid";
import { addMelCurve, cepstrumRows, cepstrumSize, logMelAt, melBands } from "../../../dsp/mel";
import { createNoise } from "../../../dsp/noise";
import { type Analysis, withLevels } from "./analysis";
import { createConverter } from "./conversion";
import { designVoice } from "./design";
import type { EmbeddedVoice, MomentShift } from "./voice";

const frames = 60;
const noise = createNoise(3);
const designed = designVoice({ pitchHz: 150, pitchSpreadSt: 2, tract: 1, breath: 0, tilt: 0, rate: 1 });
const { contrast: _, ...plain } = designed.parameters as EmbeddedVoice;

/** The same voiced frame all the time, which averages over time leave as it is. */
function constantSpeech(): Analysis {
  const frame = Float32Array.from({ length: binCount }, (_unused, k) => Math.sin(k / 40));
  const envelope = new Float32Array(frames * binCount);
  for (let f = 0; f < frames; f++) envelope.set(frame, f * binCount);
  return withLevels(new Float32Array(frames * 110), new Float32Array(frames).fill(150), envelope);
}

const numbers = (count: number, size: number) => Array.from({ length: count }, () => size * noise.gauss());
const shiftOf = (): MomentShift => ({
  mean: numbers(cepstrumSize, 0.1),
  matrix: Array.from({ length: cepstrumSize }, () => numbers(cepstrumSize, 0.1)),
  shift: numbers(cepstrumSize, 0.1),
});

/** (cepstrum − mean) × matrix + mean + shift, as the formula says. */
function moved(mel: number[], { mean, matrix, shift }: MomentShift): number[] {
  const dot = (a: ArrayLike<number>, b: number[]) => b.reduce((sum, value, i) => sum + (a[i] as number) * value, 0);
  const centred = cepstrumRows.map((row, i) => dot(row, mel) - (mean[i] as number));
  const change = centred.map((c, i) => dot(matrix[i] as number[], centred) - c + (shift[i] as number));
  return mel.map((value, b) => value + change.reduce((sum, c, i) => sum + c * (cepstrumRows[i]?.[b] ?? 0), 0));
}

describe("createConverter", () => {
  it("moves cepstra as the plain formula does, to a millionth", () => {
    const source = constantSpeech();
    const moments = { voiced: shiftOf(), unvoiced: null };
    const residual = { voiced: shiftOf(), unvoiced: null };
    const voice = { ...plain, voiced: numbers(melBands, 0.1), moments, residual, trim: numbers(melBands, 0.1) };
    const { envelope } = createConverter(voice).convert(source);
    const mel = new Float64Array(melBands);
    logMelAt(source.envelope, 0, mel);
    const offset = Array.from(mel, (value, b) => value + (voice.voiced[b] as number));
    const goal = moved(moved(offset, moments.voiced), residual.voiced);
    const expected = source.envelope.slice(0, binCount);
    const curve = goal.map((value, b) => value + (voice.trim[b] as number) - (mel[b] as number));
    addMelCurve(expected, 0, curve);
    const frame = envelope.subarray(30 * binCount, 31 * binCount);
    const largest = Math.max(...expected.map(Math.abs));
    for (let k = 0; k < binCount; k++)
      expect(Math.abs((frame[k] as number) - (expected[k] as number))).toBeLessThan(1e-6 * Math.max(1, largest));
  });

  it("recognises the start of the same speech by the buffer of its spectra, and prepares it once", () => {
    const converter = createConverter({ ...plain, trim: null });
    const source = constantSpeech();
    const before = converter.convert(source).envelope.slice(0, 30 * binCount);
    const start = { ...source, frames: 30, envelope: source.envelope.subarray(0, 30 * binCount) };
    source.envelope.fill(-3);
    expect(converter.convert(start).envelope).toEqual(before);
    expect(converter.convert({ ...start, envelope: start.envelope.slice() }).envelope).not.toEqual(before);
  });
});
