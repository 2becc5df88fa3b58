import { binCount, fftSize, hopSeconds, speechRate } from "../../../dsp/grid";
import { addMelCurve, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands } from "../../../dsp/mel";
import { mean } from "../../../dsp/statistics";
import { synthesize } from "../../../dsp/synthesis";
import type { Analysis } from "./analysis";
import { mapPitch, type Prosody } from "./prosody";
import { createWarp, warpFrame } from "./vocal-tract";
import type { EmbeddedVoice } from "./voice";

/** Frames on either side over which the shape of the source and its changes are averaged. */
const [shapeReach, changeReach] = [6, 4];

/** Converts source speech to a voice. */
export function convert(source: Analysis, voice: EmbeddedVoice, prosody?: Prosody): Analysis {
  const warped = warpSpeech(source, voice.tract);
  const mel = melRows(warped);
  const slowed = slowShape(mel, source.active);
  const changes = smooth(changeCurves(source, slowed, voice), changeReach);
  const envelope = warped.envelope.slice();
  for (const [f, change] of changes.entries()) {
    const added = change.map((value, b) => value + (slowed[f]?.[b] as number) - (mel[f]?.[b] as number));
    addMelCurve(envelope, f * binCount, added);
  }
  limitUnvoicedBass(warped, envelope);
  return { ...source, pitch: mapPitch(source.pitch, voice, prosody), envelope };
}

/** Speech of another vocal tract. */
export function warpSpeech(source: Analysis, tract: number): Analysis {
  const warp = createWarp(tract);
  const envelope = new Float32Array(source.envelope.length);
  for (let at = 0; at < envelope.length; at += binCount) warpFrame(warp, source.envelope, at, envelope.subarray(at));
  return { ...source, envelope };
}

function melRows({ frames, envelope }: Analysis): Float64Array[] {
  return Array.from({ length: frames }, (_, f) => {
    const row = new Float64Array(melBands);
    logMelAt(envelope, f * binCount, row);
    return row;
  });
}

/** Slows the shape of the source's spectrum, which moves faster than that of people, and keeps the level of each frame. */
function slowShape(mel: Float64Array[], active: Uint8Array): Float64Array[] {
  return smooth(mel, shapeReach).map((row, f) => {
    const own = mel[f] as Float64Array;
    const level = mean(own) - mean(row);
    return active[f] === 1 ? row.map((value) => value + level) : own;
  });
}

/** What brings mean and spread of the source's spectra to those of the voice. */
function changeCurves({ pitch, active }: Analysis, mel: Float64Array[], voice: EmbeddedVoice): Float64Array[] {
  const coefficients = new Float64Array(cepstrumSize);
  return mel.map((row, f) => {
    const { source, voice: goal, spread } = (pitch[f] as number) > 0 ? voice.voiced : voice.unvoiced;
    const change = row.map((_, b) => (goal[b] as number) - (source[b] as number));
    if (active[f] === 0) return change;
    cepstrum(
      row.map((value, b) => value - (source[b] as number)),
      cepstrumRows,
      coefficients,
    );
    cepstrumRows.forEach((weights, i) => {
      const scaled = ((spread[i] as number) - 1) * (coefficients[i] as number);
      for (let b = 0; b < melBands; b++) change[b] = (change[b] as number) + scaled * (weights[b] as number);
    });
    return change;
  });
}

/** Triangular average over `reach` rows on either side. */
function smooth(rows: Float64Array[], reach: number): Float64Array[] {
  return rows.map((_, f) => {
    const average = new Float64Array(melBands);
    for (let r = -reach; r <= reach; r++) {
      const row = rows[Math.min(rows.length - 1, Math.max(0, f + r))] as Float64Array;
      const weight = (reach + 1 - Math.abs(r)) / (reach + 1) ** 2;
      for (let b = 0; b < melBands; b++) average[b] = (average[b] as number) + weight * (row[b] as number);
    }
    return average;
  });
}

/** Prevents added low-frequency energy in unvoiced frames, whose statistics include weakly voiced frames. */
function limitUnvoicedBass({ frames, pitch, active, envelope: before }: Analysis, envelope: Float32Array) {
  const low = Math.round((1000 / speechRate) * fftSize);
  const high = Math.round((6000 / speechRate) * fftSize);
  for (let f = 0; f < frames; f++) {
    if ((pitch[f] as number) > 0 || active[f] === 0) continue;
    const at = f * binCount;
    let raise = 0;
    for (let k = at + low; k < at + high; k++) raise += (envelope[k] as number) - (before[k] as number);
    raise /= high - low;
    for (let k = at; k < at + low; k++) envelope[k] = Math.min(envelope[k] as number, (before[k] as number) + raise);
  }
}

/** Synthesises source speech in a voice, without its gain. */
export function render(source: Analysis, voice: EmbeddedVoice, prosody?: Prosody): Float32Array {
  const { pitch, envelope, samples } = convert(source, voice, prosody);
  return synthesize({ pitch, envelope, noiseShare: noiseShareByBin(voice.breath) }, samples.length);
}

/** The start of speech. */
export function truncate(source: Analysis, seconds: number): Analysis {
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

/** Centres of bands in Hz, and the noise share of power of a clear and of a whispering voice in them. */
const bandHz = [500, 1500, 2750, 4500, 6750, 9500];
const clearNoise = [0.01, 0.03, 0.06, 0.1, 0.15, 0.25];
const whisperNoise = [0.3, 0.5, 0.65, 0.75, 0.8, 0.85];

/** Share of noise in voiced sound by bin, for a breath from 0 (clear) to 1. */
export function noiseShareByBin(breath: number): Float64Array {
  const shares = clearNoise.map((clear, b) => clear + ((whisperNoise[b] as number) - clear) * breath);
  return Float64Array.from({ length: binCount }, (_, k) => {
    const hz = (k * speechRate) / fftSize;
    const next = bandHz.findIndex((centre) => centre >= hz);
    if (next === 0) return shares[0] as number;
    if (next < 0) return shares.at(-1) as number;
    const [from, to] = [bandHz[next - 1] as number, bandHz[next] as number];
    const share = (hz - from) / (to - from);
    return (shares[next - 1] as number) * (1 - share) + (shares[next] as number) * share;
  });
}
