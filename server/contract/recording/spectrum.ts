import FFT from "fft.js";

/** Coefficients of a cepstrum, without the level. */
export const cepstrumSize = 12;
const bands = { count: 20, lowestHz: 150, highestHz: 3600 };
const shortSize = 512;
const longSize = 1024;
/** Bands are held above this, dB, which digital silence is below. */
const bandFloorDb = -75;
/** Height of a partial above the spectrum around it. */
const prominenceDb = 9;
const partialHz = { lowest: 90, highest: 2600 };
/** Calls that a partial lasts, 32 ms each: longer than a level tone of speech, shorter than mains hum. */
const steadySteps = { least: 8, most: 100 };
/** Drift of a partial in bins over its life. */
const driftBins = 0.6;

export interface Spectrum {
  /** Writes the cepstrum around a sample, `cepstrumSize` values. */
  writeCepstrum(centre: number, into: Float32Array): void;
  /** The number of partials that have kept their frequency over the last calls. */
  countSteadyPartials(centre: number): number;
}

/** Spectral measures; call them with rising positions, `countSteadyPartials` every 32 ms. */
export function createSpectrum(samples: Float32Array, rate: number): Spectrum {
  const short = createPowerSpectrum(samples, shortSize);
  const long = createPowerSpectrum(samples, longSize);
  const edges = melEdges(rate);
  let partials: Partial[] = [];

  return {
    writeCepstrum(centre, into) {
      const log = bandLevels(short(centre), edges);
      for (let k = 0; k < cepstrumSize; k++) {
        let sum = 0;
        for (let b = 0; b < bands.count; b++) sum += (log[b] as number) * (cosines[k * bands.count + b] as number);
        into[k] = sum / bands.count;
      }
    },
    countSteadyPartials(centre) {
      partials = continued(partials, findPartials(long(centre), rate));
      return partials.filter(({ steps }) => steps >= steadySteps.least && steps <= steadySteps.most).length;
    },
  };
}

interface Partial {
  bin: number;
  /** Bin at its start. */
  first: number;
  steps: number;
}

function continued(before: Partial[], bins: number[]): Partial[] {
  return bins.map((bin) => {
    const same = before.find(
      (partial) => Math.abs(partial.bin - bin) < 0.5 && Math.abs(partial.first - bin) < driftBins,
    );
    return same ? { bin, first: same.first, steps: same.steps + 1 } : { bin, first: bin, steps: 1 };
  });
}

/** Interpolated bins of the local maxima that stand out. */
function findPartials(power: Float64Array, rate: number): number[] {
  const log = power.map((value) => 10 * Math.log10(value + 1e-12));
  const found: number[] = [];
  const last = Math.min(log.length - 16, Math.floor((partialHz.highest / rate) * longSize));
  for (let bin = Math.ceil((partialHz.lowest / rate) * longSize); bin < last; bin++) {
    const [left, here, right] = [log[bin - 1] as number, log[bin] as number, log[bin + 1] as number];
    if (here < left || here <= right || here < -85) continue;
    let around = 0;
    for (let away = 3; away <= 8; away++) around += ((log[bin - away] ?? here) as number) + (log[bin + away] as number);
    if (here - around / 12 < prominenceDb) continue;
    found.push(bin + (0.5 * (left - right)) / (left - 2 * here + right));
  }
  return found;
}

const cosines = Float64Array.from({ length: cepstrumSize * bands.count }, (_, at) => {
  const [k, b] = [Math.floor(at / bands.count) + 1, at % bands.count];
  return Math.cos((Math.PI * k * (b + 0.5)) / bands.count);
});

/** Hz: the band of speech that a telephone passes, and one above it. */
const [phoneHz, highHz] = [
  { from: 300, to: 3400 },
  { from: 4200, to: 7000 },
];

/** Mean level above 4.2 kHz relative to the telephone's band, dB: a telephone and its codecs leave nothing there. */
export function measureHighBand(samples: Float32Array, rate: number): number {
  const spectrum = createPowerSpectrum(samples, longSize);
  let [phone, high] = [1e-12, 0];
  for (let centre = longSize / 2; centre + longSize / 2 < samples.length; centre += longSize) {
    for (const [bin, power] of spectrum(centre).entries()) {
      const hz = (bin * rate) / longSize;
      if (hz >= phoneHz.from && hz <= phoneHz.to) phone += power;
      if (hz >= highHz.from && hz <= highHz.to) high += power;
    }
  }
  return Math.max(-120, 10 * Math.log10(high / phone + 1e-12));
}

/** Power under a Hann window, in which a full-scale sine has 1. */
function createPowerSpectrum(samples: Float32Array, size: number): (centre: number) => Float64Array {
  const transform = new FFT(size);
  const window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
  const framed = new Float64Array(size);
  const bins = transform.createComplexArray() as number[];
  const power = new Float64Array(size / 2);
  return (centre) => {
    const start = centre - size / 2;
    for (let i = 0; i < size; i++) framed[i] = (samples[start + i] ?? 0) * (window[i] as number);
    transform.realTransform(bins, framed);
    for (let k = 0; k < power.length; k++)
      power[k] = ((bins[2 * k] as number) ** 2 + (bins[2 * k + 1] as number) ** 2) * (4 / size) ** 2;
    return power;
  };
}

/** First bins of the bands, equal on the mel scale, and the end of the last. */
function melEdges(rate: number): number[] {
  const toMel = (hz: number) => Math.log(1 + hz / 700);
  const [low, high] = [toMel(bands.lowestHz), toMel(bands.highestHz)];
  return Array.from({ length: bands.count + 1 }, (_, b) => {
    const hz = 700 * (Math.exp(low + ((high - low) * b) / bands.count) - 1);
    return Math.round((hz / rate) * shortSize);
  });
}

function bandLevels(power: Float64Array, edges: number[]): Float64Array {
  return Float64Array.from({ length: bands.count }, (_, b) => {
    let sum = 0;
    const end = Math.max((edges[b] as number) + 1, edges[b + 1] as number);
    for (let k = edges[b] as number; k < end; k++) sum += power[k] as number;
    return Math.max(bandFloorDb, 10 * Math.log10(sum + 1e-12));
  });
}
