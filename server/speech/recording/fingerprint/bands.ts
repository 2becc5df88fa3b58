import { createFft } from "../../dsp/fft";
import { resample } from "../../dsp/resample";

/** Hz; the bandwidth of telephone audio. */
const bandRate = 8000;
const windowSize = 2048;
export const hopSamples = 256;
export const bandCount = 25;
const range = [260, 3300] as const;
/** Added to the power, so that codec noise in silence has no effect. */
const floorPower = 1e-9;

/** Log power by band every 32 ms. */
export interface Bands {
  /** `frames × bandCount`, natural logarithms. */
  log: Float32Array;
  /** Power of each frame. */
  power: Float32Array;
  frames: number;
}

const window = Float64Array.from(
  { length: windowSize },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / windowSize),
);

/** First bin of each band and the end of the last; bands have equal width in octaves. */
const edgesAt = (pitch: number) =>
  Array.from({ length: bandCount + 1 }, (_, i) =>
    Math.round((range[0] * pitch * (range[1] / range[0]) ** (i / bandCount) * windowSize) / bandRate),
  );

export const toBandRate = (samples: ArrayLike<number>, sampleRate: number) => resample(samples, sampleRate, bandRate);

/** `from`: start of the first window, in samples. */
export function measureBands(samples: Float32Array, from = 0): Bands {
  const [bands] = measureShiftedBands(samples, { from, hop: hopSamples, pitches: [1] });
  return bands as Bands;
}

interface Shifted {
  from: number;
  hop: number;
  /** Factors by which the band frequencies are multiplied. */
  pitches: readonly number[];
}

/** Band powers with another hop size, once per pitch factor. */
export function measureShiftedBands(samples: Float32Array, { from, hop, pitches }: Shifted): Bands[] {
  const frames = Math.max(0, Math.floor((samples.length - from - windowSize) / hop) + 1);
  const fft = createFft(windowSize);
  const windowed = new Float64Array(windowSize);
  const [re, im] = [new Float64Array(windowSize / 2 + 1), new Float64Array(windowSize / 2 + 1)];
  const measured = pitches.map((pitch) => ({ edges: edgesAt(pitch), bands: emptyBands(frames) }));
  for (let frame = 0; frame < frames; frame++) {
    const start = from + frame * hop;
    for (let i = 0; i < windowSize; i++) windowed[i] = (samples[start + i] as number) * (window[i] as number);
    fft.forward(windowed, re, im);
    for (let k = 0; k < re.length; k++) re[k] = (re[k] as number) ** 2 + (im[k] as number) ** 2;
    for (const { edges, bands } of measured) fill(bands, frame, { edges, powers: re });
  }
  return measured.map(({ bands }) => bands);
}

const emptyBands = (frames: number): Bands => ({
  log: new Float32Array(frames * bandCount),
  power: new Float32Array(frames),
  frames,
});

function fill(bands: Bands, frame: number, { edges, powers }: { edges: readonly number[]; powers: Float64Array }) {
  for (let band = 0; band < bandCount; band++) {
    let sum = floorPower;
    for (let k = edges[band] as number; k < (edges[band + 1] as number); k++) sum += powers[k] as number;
    bands.log[frame * bandCount + band] = Math.log(sum);
    bands.power[frame] = (bands.power[frame] as number) + sum;
  }
}
