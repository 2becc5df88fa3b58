import { noiseShareByBin } from "../../../dsp/aperiodicity";
import { binCount, fftSize, hopSeconds, speechRate } from "../../../dsp/grid";
import { addMelCurve, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands } from "../../../dsp/mel";
import { synthesize } from "../../../dsp/synthesis";
import type { Analysis } from "./analysis";
import { createOffsetFinder, unpackExemplars } from "./exemplars";
import { mapPitch, type Prosody } from "./prosody";
import { createWarp, type Warp, warpFrame } from "./vocal-tract";
import type { Contrast, EmbeddedVoice } from "./voice";

export interface Converted {
  pitch: Float32Array;
  envelope: Float32Array;
}

export interface Converter {
  /** Converts source speech to the voice; `labels` holds the phone of every frame. */
  convert(source: Analysis, labels: string[], prosody?: Prosody): Converted;
}

const offsetReach = 4;
const momentReach = 3;
/** Frames of voiced source speech on either side that are averaged: its level shakes with the place of the window. */
const steadyReach = 2;
/**
 * Frames on either side over which the shape of the spectrum is averaged. The source moves between sounds faster than
 * people do: change of cepstra in 10 ms 5.2 without, 4.35 with 8, people 4.40.
 */
const shapeReach = 8;

export function createConverter(voice: EmbeddedVoice): Converter {
  const warp = createWarp(voice.tract);
  const finder = voice.exemplars ? createOffsetFinder(unpackExemplars(voice.exemplars)) : null;

  function offsetCurves(source: Analysis, labels: string[]): Float32Array {
    const curves = new Float32Array(source.frames * melBands);
    const curve = new Float64Array(melBands);
    for (let frame = 0; frame < source.frames; frame++) {
      const mean = (source.pitch[frame] as number) > 0 ? voice.voiced : voice.unvoiced;
      const place = { frame, phone: labels[frame] ?? "", mean };
      const isFound = source.active[frame] === 1 && finder?.find(source, place, curve);
      curves.set(isFound ? curve : mean, frame * melBands);
    }
    return smooth(curves, offsetReach);
  }

  /** Corrects mel-cepstral mean and covariance, separately for voiced and unvoiced frames. */
  function momentCurves(source: Analysis, mel: Float32Array, moments: NonNullable<EmbeddedVoice["moments"]>) {
    const curves = new Float32Array(mel.length);
    const coefficients = new Float64Array(cepstrumSize);
    for (let f = 0; f < source.frames; f++) {
      const isVoiced = (source.pitch[f] as number) > 0;
      const { mean, matrix, shift } = (isVoiced ? moments.voiced : moments.unvoiced) ?? moments.voiced;
      cepstrum(mel, cepstrumRows, coefficients, f * melBands);
      for (let i = 0; i < cepstrumSize; i++) coefficients[i] = (coefficients[i] as number) - (mean[i] as number);
      for (let i = 0; i < cepstrumSize; i++) {
        const moved =
          source.active[f] === 1 ? product(matrix[i] as number[], coefficients) - (coefficients[i] as number) : 0;
        addRow(curves, f * melBands, cepstrumRows[i] as Float64Array, moved + (shift[i] as number));
      }
    }
    return curves;
  }

  /** Log power by mel band of all frames after every step of the conversion, from that of the warped source. */
  function convertMel(source: Analysis, warped: Float32Array, labels: string[]): Float32Array {
    const mel = add(warped, offsetCurves(source, labels));
    if (!voice.moments && !voice.contrast) return mel;
    if (voice.moments) add(mel, smooth(momentCurves(source, mel, voice.moments), momentReach));
    slowShape(source, mel);
    if (voice.contrast) reduceContrast(source, mel, voice.contrast);
    // Not smoothed: it restores the variance that the smoothing before takes.
    if (voice.residual) add(mel, momentCurves(source, mel, voice.residual));
    if (voice.trim) for (let f = 0; f < source.frames; f++) addRow(mel, f * melBands, voice.trim, 1);
    return mel;
  }

  function convert(source: Analysis, labels: string[], prosody?: Prosody): Converted {
    const envelope = warpFrames(warp, steady(source));
    const mel = melOf(envelope);
    const converted = convertMel(source, mel.slice(), labels);
    for (let f = 0; f < source.frames; f++) {
      const curve = converted.subarray(f * melBands, (f + 1) * melBands);
      addRow(curve, 0, mel.subarray(f * melBands, (f + 1) * melBands), -1);
      addMelCurve(envelope, f * binCount, curve);
    }
    if (voice.moments) limitUnvoicedBass(source, envelope);
    return { pitch: mapPitch(source.pitch, voice, prosody), envelope };
  }

  /** Prevents added low-frequency energy in unvoiced frames, whose statistics include weakly voiced frames. */
  function limitUnvoicedBass(source: Analysis, envelope: Float32Array) {
    const low = Math.round((1000 / speechRate) * fftSize);
    const high = Math.round((6000 / speechRate) * fftSize);
    const warped = new Float32Array(binCount);
    for (let f = 0; f < source.frames; f++) {
      if ((source.pitch[f] as number) > 0 || source.active[f] === 0) continue;
      const at = f * binCount;
      warpFrame(warp, source.envelope, at, warped);
      let raise = 0;
      for (let k = low; k < high; k++) raise += (envelope[at + k] as number) - (warped[k] as number);
      raise /= high - low;
      for (let k = 0; k < low; k++)
        envelope[at + k] = Math.min(envelope[at + k] as number, (warped[k] as number) + raise);
    }
  }

  return { convert };
}

function product(row: number[], values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += (row[i] as number) * (values[i] as number);
  return sum;
}

function addRow(into: Float32Array, at: number, row: ArrayLike<number>, scale: number) {
  for (let b = 0; b < melBands; b++) into[at + b] = (into[at + b] as number) + scale * (row[b] as number);
}

/** Adds to `into` and returns it. */
function add(into: Float32Array, curves: Float32Array): Float32Array {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) + (curves[i] as number);
  return into;
}

function warpFrames(warp: Warp, envelope: Float32Array): Float32Array {
  const warped = new Float32Array(envelope.length);
  for (let at = 0; at < envelope.length; at += binCount) warpFrame(warp, envelope, at, warped.subarray(at));
  return warped;
}

function melOf(envelope: Float32Array): Float32Array {
  const frames = envelope.length / binCount;
  const mel = new Float32Array(frames * melBands);
  const row = new Float64Array(melBands);
  for (let f = 0; f < frames; f++) {
    logMelAt(envelope, f * binCount, row);
    mel.set(row, f * melBands);
  }
  return mel;
}

/** Voiced spectra, averaged with their voiced neighbours. */
function steady({ envelope, pitch, frames }: Analysis): Float32Array {
  const averaged = envelope.slice();
  const isVoiced = (f: number) => (pitch[f] ?? 0) > 0;
  for (let f = 0; f < frames; f++) {
    if (!isVoiced(f)) continue;
    const row = averaged.subarray(f * binCount, (f + 1) * binCount).fill(0);
    let total = 0;
    for (let r = -steadyReach; r <= steadyReach; r++) if (isVoiced(f + r)) total += steadyReach + 1 - Math.abs(r);
    for (let r = -steadyReach; r <= steadyReach; r++) {
      if (!isVoiced(f + r)) continue;
      const weight = (steadyReach + 1 - Math.abs(r)) / total;
      const from = (f + r) * binCount;
      for (let k = 0; k < binCount; k++) row[k] = (row[k] as number) + weight * (envelope[from + k] as number);
    }
  }
  return averaged;
}

/** Moves the shape of each frame towards the mean one, and keeps its level. */
function reduceContrast(
  { active, pitch, frames }: Analysis,
  mel: Float32Array,
  contrast: { voiced: Contrast; unvoiced: Contrast },
) {
  for (let f = 0; f < frames; f++) {
    if (active[f] === 0) continue;
    const { mean, share } = (pitch[f] as number) > 0 ? contrast.voiced : contrast.unvoiced;
    const row = mel.subarray(f * melBands, (f + 1) * melBands);
    let level = 0;
    for (let b = 0; b < melBands; b++) level += ((row[b] as number) - (mean[b] as number)) / melBands;
    for (let b = 0; b < melBands; b++)
      row[b] = (mean[b] as number) + level + share * ((row[b] as number) - (mean[b] as number) - level);
  }
}

/** Averages the shape of the spectrum over active frames, and keeps the level of each: onsets stay sharp. */
function slowShape({ active, frames }: Analysis, mel: Float32Array) {
  const before = mel.slice();
  const average = new Float64Array(melBands);
  for (let f = 0; f < frames; f++) {
    if (active[f] === 0) continue;
    average.fill(0);
    let total = 0;
    for (let at = Math.max(0, f - shapeReach); at <= Math.min(frames - 1, f + shapeReach); at++) {
      if (active[at] === 0) continue;
      const weight = shapeReach + 1 - Math.abs(at - f);
      total += weight;
      for (let b = 0; b < melBands; b++)
        average[b] = (average[b] as number) + weight * (before[at * melBands + b] as number);
    }
    let level = 0;
    for (let b = 0; b < melBands; b++)
      level += ((average[b] as number) / total - (before[f * melBands + b] as number)) / melBands;
    for (let b = 0; b < melBands; b++) mel[f * melBands + b] = (average[b] as number) / total - level;
  }
}

/** Triangular average over `reach` frames on either side. */
function smooth(curves: Float32Array, reach: number): Float32Array {
  const frames = curves.length / melBands;
  const smoothed = new Float32Array(curves.length);
  for (let f = 0; f < frames; f++) {
    for (let r = -reach; r <= reach; r++) {
      const from = Math.min(frames - 1, Math.max(0, f + r)) * melBands;
      const weight = (reach + 1 - Math.abs(r)) / (reach + 1) ** 2;
      for (let b = 0; b < melBands; b++) {
        smoothed[f * melBands + b] = (smoothed[f * melBands + b] as number) + weight * (curves[from + b] as number);
      }
    }
  }
  return smoothed;
}

interface Rendering {
  voice: EmbeddedVoice;
  converter?: Converter;
  prosody?: Prosody;
  /** Maximum length. */
  seconds?: number;
}

/** Synthesises source speech in a voice, without its gain. */
export function render(source: Analysis, labels: string[], rendering: Rendering): Float32Array {
  const { voice, prosody, converter = createConverter(voice) } = rendering;
  const speech = rendering.seconds === undefined ? source : truncate(source, rendering.seconds);
  const { pitch, envelope } = converter.convert(speech, labels, prosody);
  return synthesize({ pitch, envelope, noiseShare: noiseShareByBin(voice.noise) }, speech.samples.length);
}

function truncate(source: Analysis, seconds: number): Analysis {
  const frames = Math.min(source.frames, Math.round(seconds / hopSeconds));
  return {
    ...source,
    frames,
    samples: source.samples.subarray(0, Math.round(seconds * speechRate)),
    pitch: source.pitch.subarray(0, frames),
    envelope: source.envelope.subarray(0, frames * binCount),
    active: source.active.subarray(0, frames),
    powerDb: source.powerDb.subarray(0, frames),
  };
}
