import { expect, it } from "vitest";
import { binCount } from "./grid";
import {
  addMelCurve,
  bandHz,
  cepstrum,
  cepstrumRows,
  cepstrumSize,
  dctRows,
  logMelAt,
  melBands,
  melEnergyAt,
} from "./mel";

it("a flat spectrum has equal mel bands", () => {
  const mel = new Float64Array(melBands);
  logMelAt(new Float32Array(binCount).fill(-3), 0, mel);
  for (const value of mel) expect(value).toBeCloseTo(-3, 6);
});

it("mel bands are wider at higher frequencies", () => {
  expect(bandHz(1) - bandHz(0)).toBeLessThan(bandHz(melBands - 1) - bandHz(melBands - 2));
  expect(bandHz(melBands - 1)).toBeLessThan(11_000);
});

it("a curve over the bands that is added to a spectrum is measured again per band", () => {
  const envelope = new Float32Array(binCount);
  const curve = Float64Array.from({ length: melBands }, (_, b) => b / 10);
  addMelCurve(envelope, 0, curve);
  const mel = new Float64Array(melBands);
  logMelAt(envelope, 0, mel);
  for (let b = 2; b < melBands - 2; b++) expect(Math.abs((mel[b] as number) - (curve[b] as number))).toBeLessThan(0.06);
});

it("a cosine over the bands has one cepstral coefficient", () => {
  const row = dctRows(5, melBands)[4] as Float64Array;
  const coefficients = new Float64Array(cepstrumSize);
  cepstrum(row, cepstrumRows, coefficients);
  for (const [i, value] of coefficients.entries()) expect(value).toBeCloseTo(i === 4 ? 1 : 0, 9);
});

it("mel energies are weighted means of each bin's power", () => {
  const envelope = Float32Array.from({ length: 2 * binCount }, (_, k) => Math.sin(k));
  const energies = new Float64Array(melBands);
  melEnergyAt(envelope, binCount, energies);
  const powers = envelope.map((value) => Math.exp(value));
  const means = new Float64Array(melBands);
  logMelAt(powers, binCount, means);
  for (const [b, energy] of energies.entries()) expect(energy).toBeCloseTo(means[b] as number, 5);
});
