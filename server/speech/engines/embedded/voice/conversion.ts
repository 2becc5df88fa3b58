import { noiseShareByBin } from "../../../dsp/aperiodicity";
import { binCount, fftSize, hopSeconds, speechRate } from "../../../dsp/grid";
import { addMelCurve, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands } from "../../../dsp/mel";
import { synthesize } from "../../../dsp/synthesis";
import type { Analysis } from "./analysis";
import { mapPitch, type Prosody } from "./prosody";
import { reduceContrast, slowShape, smooth, steady } from "./spectral-shape";
import { createWarp, type Warp, warpFrame } from "./vocal-tract";
import type { EmbeddedVoice, MomentShift } from "./voice";

export interface Converted {
  pitch: Float32Array;
  envelope: Float32Array;
}

export interface Converter {
  /** Converts source speech to the voice as it is now. */
  convert(source: Analysis, prosody?: Prosody): Converted;
}

const offsetReach = 4;
const momentReach = 3;

export function createConverter(voice: EmbeddedVoice): Converter {
  const warp = createWarp(voice.tract);

  function offsetCurves({ frames, pitch }: Analysis): Float32Array {
    const curves = new Float32Array(frames * melBands);
    for (let f = 0; f < frames; f++) curves.set((pitch[f] as number) > 0 ? voice.voiced : voice.unvoiced, f * melBands);
    return smooth(curves, offsetReach);
  }

  /** Corrects mel-cepstral mean and covariance, separately for voiced and unvoiced frames. */
  function momentCurves(source: Analysis, mel: Float32Array, moments: NonNullable<EmbeddedVoice["moments"]>) {
    const curves = new Float32Array(mel.length);
    const coefficients = new Float64Array(cepstrumSize);
    const moved = new Float64Array(cepstrumSize);
    const toRows = ({ matrix }: MomentShift) => matrix.map((row) => Float64Array.from(row));
    const [voicedRows, unvoicedRows] = [moments.voiced, moments.unvoiced ?? moments.voiced].map(toRows);
    for (let f = 0; f < source.frames; f++) {
      const isVoiced = (source.pitch[f] as number) > 0;
      const rows = (isVoiced ? voicedRows : unvoicedRows) as Float64Array[];
      const { mean, shift } = (isVoiced ? moments.voiced : moments.unvoiced) ?? moments.voiced;
      moved.set(shift);
      if (source.active[f] === 1) {
        cepstrum(mel, cepstrumRows, coefficients, f * melBands);
        for (let i = 0; i < cepstrumSize; i++) coefficients[i] = (coefficients[i] as number) - (mean[i] as number);
        for (let i = 0; i < cepstrumSize; i++) {
          const change = product(rows[i] as Float64Array, coefficients) - (coefficients[i] as number);
          moved[i] = (moved[i] as number) + change;
        }
      }
      for (let b = 0; b < melBands; b++) curves[f * melBands + b] = product(melRows[b] as Float64Array, moved);
    }
    return curves;
  }

  /** Changes log power by mel band, in place, from that of the averaged and offset source to that of the voice. */
  function convertMel(source: Analysis, mel: Float32Array): Float32Array {
    if (!voice.moments && !voice.contrast) return mel;
    if (voice.moments) add(mel, smooth(momentCurves(source, mel, voice.moments), momentReach));
    slowShape(source, mel);
    if (voice.contrast) reduceContrast(source, mel, voice.contrast);
    // Not smoothed: it restores the variance that the smoothing before takes.
    if (voice.residual) add(mel, momentCurves(source, mel, voice.residual));
    const { trim } = voice;
    if (trim) for (let i = 0; i < mel.length; i++) mel[i] = (mel[i] as number) + (trim[i % melBands] as number);
    return mel;
  }

  /** Enrolment converts the same speech four times, at last its start: all that the moments do not change is kept. */
  let prepared: { source: Analysis; envelope: Float32Array; mel: Float32Array; offset: Float32Array } | null = null;
  function prepare(source: Analysis) {
    if (prepared?.source.envelope.buffer === source.envelope.buffer) return prepared;
    const envelope = warpFrames(warp, source.envelope);
    const mel = melOf(envelope);
    prepared = { source, envelope, mel, offset: add(offsetCurves(source), steady(source, mel)) };
    return prepared;
  }

  function convert(source: Analysis, prosody?: Prosody): Converted {
    const { envelope: warped, mel, offset } = prepare(source);
    const envelope = warped.slice(0, source.envelope.length);
    const curves = add(convertMel(source, offset.slice(0, source.frames * melBands)), mel, -1);
    for (let f = 0; f < source.frames; f++)
      addMelCurve(envelope, f * binCount, curves.subarray(f * melBands, (f + 1) * melBands));
    if (voice.moments) limitUnvoicedBass(source, warped, envelope);
    return { pitch: mapPitch(source.pitch, voice, prosody), envelope };
  }

  return { convert };
}

/** The inverse transform of cepstra, by mel band. */
const melRows = Array.from({ length: melBands }, (_, b) => Float64Array.from(cepstrumRows, (row) => row[b] as number));

/** Two sums, because each addition waits for the previous one of its sum. */
function product(row: Float64Array, values: Float64Array): number {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < row.length; i += 2) {
    even += (row[i] as number) * (values[i] as number);
    odd += (row[i + 1] as number) * (values[i + 1] as number);
  }
  return even + odd;
}

/** Adds to `into` and returns it. */
function add(into: Float32Array, curves: Float32Array, scale = 1): Float32Array {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) + scale * (curves[i] as number);
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

/** Prevents added low-frequency energy in unvoiced frames, whose statistics include weakly voiced frames. */
function limitUnvoicedBass(source: Analysis, warped: Float32Array, envelope: Float32Array) {
  const low = Math.round((1000 / speechRate) * fftSize);
  const high = Math.round((6000 / speechRate) * fftSize);
  for (let f = 0; f < source.frames; f++) {
    if ((source.pitch[f] as number) > 0 || source.active[f] === 0) continue;
    const at = f * binCount;
    let raise = 0;
    for (let k = at + low; k < at + high; k++) raise += (envelope[k] as number) - (warped[k] as number);
    raise /= high - low;
    for (let k = at; k < at + low; k++) envelope[k] = Math.min(envelope[k] as number, (warped[k] as number) + raise);
  }
}

interface Rendering {
  voice: EmbeddedVoice;
  converter?: Converter;
  prosody?: Prosody;
  /** Maximum length. */
  seconds?: number;
}

/** Synthesises source speech in a voice, without its gain. */
export function render(source: Analysis, rendering: Rendering): Float32Array {
  const { voice, prosody, converter = createConverter(voice) } = rendering;
  const speech = rendering.seconds === undefined ? source : truncate(source, rendering.seconds);
  const { pitch, envelope } = converter.convert(speech, prosody);
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
