import { binCount, fftSize, speechRate } from "../../../dsp/grid";
import { addMelCurve, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands } from "../../../dsp/mel";
import { createNoise } from "../../../dsp/noise";
import { toHz, toSemitones } from "../../../dsp/pitch-range";
import { synthesize } from "../../../dsp/synthesis";
import { type EmotionProsody, plainProsody } from "../../delivery";
import type { Analysis } from "./analysis";
import type { Intonation } from "./intonation";
import { createWarp, warpFrame } from "./vocal-tract";
import { type EmbeddedVoice, runningDepth, sourcePitch } from "./voice";

/** Frames on either side over which changes are averaged. */
const changeReach = 4;

/** Converts source speech to a voice. */
export function convert(source: Analysis, voice: EmbeddedVoice, prosody?: Prosody): Analysis {
  const { envelope } = warpSpeech(source, voice.tract);
  const changes = smooth(changeCurves(source, melRows(envelope), voice), changeReach);
  for (const [f, change] of changes.entries()) addMelCurve(envelope, f * binCount, change);
  return { ...source, pitch: mapPitch(source.pitch, voice, prosody), envelope };
}

/** Speech of another vocal tract. */
export function warpSpeech(source: Analysis, tract: number): Analysis {
  const warp = createWarp(tract);
  const envelope = new Float32Array(source.envelope.length);
  for (let at = 0; at < envelope.length; at += binCount) warpFrame(warp, source.envelope, at, envelope.subarray(at));
  return { ...source, envelope };
}

function melRows(envelope: Float32Array): Float64Array[] {
  return Array.from({ length: envelope.length / binCount }, (_, f) => {
    const row = new Float64Array(melBands);
    logMelAt(envelope, f * binCount, row);
    return row;
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

/** Synthesises source speech in a voice. */
export function render(source: Analysis, voice: EmbeddedVoice, prosody?: Prosody): Float32Array {
  const { pitch, envelope, samples } = convert(source, voice, prosody);
  return synthesize({ pitch, envelope, noiseShare: noiseShareByBin(voice.breath) }, samples.length);
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

/** Changes relative to the voice. */
export interface Prosody extends EmotionProsody {
  /** Per frame, in addition. */
  contour?: Pick<Intonation, "raiseSt" | "range" | "depth">;
}

const spreadRatioRange = [0.55, 1.8] as const;
/** Pitch drift and jitter in semitones, for a natural sound. */
const drift = { keep: 0.98, step: 0.06, jitter: 0.068 };

const spreadRatio = ({ pitch: { spreadSt } }: EmbeddedVoice, { range }: Prosody): number =>
  Math.min(spreadRatioRange[1], Math.max(spreadRatioRange[0], spreadSt / sourcePitch.spreadSt)) * range;

/** Maps source pitch to the voice: shifts the median and scales the deviations, which preserves tone contours. */
export function mapPitch(source: Float32Array, voice: EmbeddedVoice, prosody: Prosody = plainProsody): Float32Array {
  const { medianSt, spreadSt, highSt } = voice.pitch;
  const ratio = spreadRatio(voice, prosody);
  const centreSt = medianSt + prosody.raiseSt;
  const [lowest, highest] = [centreSt - 12, Math.max(highSt, medianSt + 2 * spreadSt) + prosody.raiseSt + 5];
  const noise = createNoise(99);
  let driftSt = 0;
  return source.map((hz, f) => {
    if (hz <= 0) return 0;
    const raiseSt = prosody.contour?.raiseSt[f] ?? 0;
    const widened = ratio * (prosody.contour?.range[f] ?? 1);
    driftSt = drift.keep * driftSt + (noise.uniform() - 0.5) * drift.step;
    const jitter = (noise.uniform() - 0.5) * drift.jitter;
    const tone = toSemitones(hz) - sourcePitch.medianSt;
    const depth = tone < 0 ? (prosody.contour?.depth[f] ?? runningDepth) : 1;
    const height = depth * tone * widened + centreSt + raiseSt + driftSt + jitter;
    return toHz(Math.min(highest + Math.max(0, raiseSt), Math.max(lowest, height)));
  });
}

/**
 * The voice with the pitch range and pace of `tone`; timbre and median pitch are unchanged.
 */
export function withToneOf(voice: EmbeddedVoice, tone: EmbeddedVoice | undefined): EmbeddedVoice {
  if (!tone) return voice;
  const { medianSt } = voice.pitch;
  const { spreadSt, highSt } = tone.pitch;
  return {
    ...voice,
    pitch: { medianSt, spreadSt, highSt: medianSt + highSt - tone.pitch.medianSt },
    rate: tone.rate,
  };
}
