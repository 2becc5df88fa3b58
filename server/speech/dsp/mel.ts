import { binCount, fftSize, speechRate } from "./grid";

export const melBands = 40;
export const cepstrumSize = 26;
const lowestHz = 60;
const highestHz = 11_000;

interface MelFilter {
  first: number;
  weights: Float64Array;
  centreBin: number;
}

const toMel = (hz: number) => 1127 * Math.log(1 + hz / 700);
const fromMel = (mel: number) => 700 * (Math.exp(mel / 1127) - 1);

/** Triangular mel filters of unit sum, so that a band is a weighted mean. */
const filters: MelFilter[] = Array.from({ length: melBands }, (_, band) => {
  const [low, high] = [toMel(lowestHz), toMel(highestHz)];
  const edge = (i: number) => (fromMel(low + ((high - low) * i) / (melBands + 1)) / speechRate) * fftSize;
  const [left, centre, right] = [edge(band), edge(band + 1), edge(band + 2)];
  let first = Math.max(0, Math.ceil(left));
  let weights: number[] = [];
  for (let k = first; k <= Math.min(binCount - 1, Math.floor(right)); k++) {
    weights.push(Math.max(0, k < centre ? (k - left) / (centre - left) : (right - k) / (right - centre)));
  }
  const total = weights.reduce((sum, w) => sum + w, 0);
  if (total === 0) {
    first = Math.round(centre);
    weights = [1];
  }
  const scale = total || 1;
  const centreBin = weights.reduce((sum, w, i) => sum + (w / scale) * (first + i), 0);
  return { first, weights: Float64Array.from(weights, (w) => w / scale), centreBin };
});

/** Centre of a band in Hz. */
export const bandHz = (band: number) => ((filters[band] as MelFilter).centreBin * speechRate) / fftSize;

/** Mean log power by mel band of the frame that starts at `offset`. */
export function logMelAt(envelope: Float32Array, offset: number, into: Float64Array): void {
  for (let b = 0; b < melBands; b++) {
    const { first, weights } = filters[b] as MelFilter;
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * (envelope[offset + first + i] as number);
    into[b] = sum;
  }
}

/** Mean power (not its log) by mel band. The filters overlap, so each bin's power is computed once, before them. */
export function melEnergyAt(envelope: Float32Array, offset: number, into: Float64Array): void {
  for (let k = 0; k < binCount; k++) powers[k] = Math.exp(envelope[offset + k] as number);
  logMelAt(powers, 0, into);
}
const powers = new Float32Array(binCount);

const bandOfBin = new Int16Array(binCount);
const shareOfBin = new Float64Array(binCount);
for (let k = 0, b = 0; k < binCount; k++) {
  const centre = (band: number) => (filters[band] as MelFilter).centreBin;
  while (b < melBands - 2 && centre(b + 1) < k) b++;
  bandOfBin[k] = b;
  shareOfBin[k] = Math.max(0, Math.min(1, (k - centre(b)) / (centre(b + 1) - centre(b))));
}

/** Adds a curve given by mel band to a frame, interpolated over the bins. */
export function addMelCurve(envelope: Float32Array, offset: number, curve: ArrayLike<number>): void {
  for (let k = 0; k < binCount; k++) {
    const band = bandOfBin[k] as number;
    const left = curve[band] as number;
    const gain = left + ((curve[band + 1] as number) - left) * (shareOfBin[k] as number);
    envelope[offset + k] = (envelope[offset + k] as number) + gain;
  }
}

/** Rows of the orthonormal DCT: `size` coefficients of `length` values. */
export function dctRows(size: number, length: number): Float64Array[] {
  return Array.from({ length: size }, (_, i) =>
    Float64Array.from(
      { length },
      (_unused, b) => Math.cos((Math.PI * i * (b + 0.5)) / length) * Math.sqrt((i === 0 ? 1 : 2) / length),
    ),
  );
}

export const cepstrumRows = dctRows(cepstrumSize, melBands);

/** Discrete cosine transform by rows, of the values from index `from`. */
export function cepstrum(values: ArrayLike<number>, rows: Float64Array[], into: Float64Array, from = 0): void {
  rows.forEach((row, i) => {
    let sum = 0;
    for (let b = 0; b < row.length; b++) sum += (row[b] as number) * (values[from + b] as number);
    into[i] = sum;
  });
}
