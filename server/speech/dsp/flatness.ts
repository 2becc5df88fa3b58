import { createFft } from "./fft";
import { quantile, rms } from "./statistics";

const frameSize = 1024;
const band = { lowestHz: 100, highestHz: 8000 };
/** Frames this far below the loudest say nothing about the sound. */
const quietestDb = -30;

/**
 * Median flatness of the loud frames' spectra between 100 and 8000 Hz: geometric over arithmetic mean of the power, about
 * 0.56 for white noise and below 0.2 for speech. 0 for less than a frame of sound.
 */
export function spectralFlatness(samples: Float32Array, sampleRate: number): number {
  const fft = createFft(frameSize);
  const [re, im] = [new Float64Array(frameSize / 2 + 1), new Float64Array(frameSize / 2 + 1)];
  const window = Float64Array.from(
    { length: frameSize },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / frameSize),
  );
  const frames: Array<{ level: number; flatness: number }> = [];
  for (let start = 0; start + frameSize <= samples.length; start += frameSize) {
    const frame = Float64Array.from(window, (weight, n) => weight * (samples[start + n] as number));
    fft.forward(frame, re, im);
    frames.push({ level: rms(frame), flatness: flatnessOf(re, im, sampleRate) });
  }
  const loudest = Math.max(0, ...frames.map(({ level }) => level));
  const loud = frames.filter(({ level }) => level > 0 && level >= loudest * 10 ** (quietestDb / 20));
  return loud.length > 0
    ? quantile(
        loud.map(({ flatness }) => flatness),
        0.5,
      )
    : 0;
}

function flatnessOf(re: Float64Array, im: Float64Array, sampleRate: number): number {
  const bin = (hz: number) => Math.min(frameSize / 2, Math.round((hz * frameSize) / sampleRate));
  const [first, last] = [bin(band.lowestHz), bin(band.highestHz)];
  let logSum = 0;
  let sum = 0;
  for (let k = first; k <= last; k++) {
    const power = (re[k] as number) ** 2 + (im[k] as number) ** 2 + 1e-20;
    logSum += Math.log(power);
    sum += power;
  }
  const bins = last - first + 1;
  return Math.exp(logSum / bins) / (sum / bins);
}
