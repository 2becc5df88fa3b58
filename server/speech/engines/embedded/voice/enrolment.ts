import { bandAperiodicity } from "../../../dsp/aperiodicity";
import { binCount, hopSeconds, speechRate } from "../../../dsp/grid";
import { measureLoudness } from "../../../dsp/loudness";
import { logMelAt, melBands } from "../../../dsp/mel";
import { trackPitch } from "../../../dsp/pitch";
import { findPitchRange, type PitchRange, toHz } from "../../../dsp/pitch-range";
import { resample } from "../../../dsp/resample";
import { type MeasuredVoice, SpeechError } from "../../../engine";
import { type Analysis, analyse, selectFrames, withLevels } from "./analysis";
import type { Calibration, Reading } from "./calibration";
import { createConverter, render } from "./conversion";
import { alignTranscript } from "./forced-alignment";
import { describeGoal, learnMoments, learnTrim } from "./moments";
import { estimateSyllableRate, toRate } from "./pace";
import { mapPitch } from "./prosody";
import { createWarp, tractFromVowels, warpFrame } from "./vocal-tract";
import type { EmbeddedVoice } from "./voice";

/** RMS level of speech that recordings are normalised to. */
const referenceLevel = 0.08;
/** Upper limits of noise shares; higher values are background noise. */
const noiseCap = [0.05, 0.15, 0.3, 0.4, 0.5, 0.6];
const unvoicedPriorCount = 60;
const targetLoudness = -19;
const previewSeconds = 5;
const maxBiasSt = 1;
const minVoicedFrames = 60;

export interface Enrolled {
  voice: EmbeddedVoice;
  measured: MeasuredVoice;
  /** True if the transcript matched. */
  usedTranscript: boolean;
}

export interface Reference {
  samples: Float32Array;
  sampleRate: number;
}

/** Readings by the source voice, which take seconds of processor time. */
export interface SourceReadings {
  calibrate(): Promise<Calibration>;
  /** The transcript; null without one. */
  readTranscript(): Promise<Reading | null>;
}

/**
 * Learns a voice; awaits `checkpoint` between long steps, where callers can cancel. Refuses a recording without speech
 * before the source voice is read, which takes half a minute on a loaded machine.
 */
export async function enrol(
  { samples, sampleRate }: Reference,
  source: SourceReadings,
  checkpoint: () => Promise<void>,
): Promise<Enrolled> {
  const target = analyse(normaliseLevel(resample(samples, sampleRate, speechRate)));
  const range = requireVoice(target);
  await checkpoint();
  const calibration = await source.calibrate();
  await checkpoint();
  const reading = await source.readTranscript();
  await checkpoint();
  const blindTract = tractFromVowels(calibration.vowels, target);
  await checkpoint();
  const spoken = reading ? alignTranscript(reading, target, { blind: blindTract }) : null;
  await checkpoint();
  const tract = spoken?.tract ?? blindTract;
  const voice = learnVoice({ target, tract, syllablesPerSecond: spoken?.syllablesPerSecond }, calibration);
  const measured = {
    pitchHz: toHz(range.medianSt),
    pitchRangeSt: range.highSt - range.lowSt,
    syllablesPerSecond: spoken?.syllablesPerSecond ?? null,
  };
  return { voice, measured, usedTranscript: spoken !== null };
}

function requireVoice(target: Analysis): PitchRange {
  const range = findPitchRange(target.pitch);
  if (!range || range.voicedFrames < minVoicedFrames) throw new SpeechError("reference", "no-speech");
  return range;
}

export interface TrainingSpeech {
  target: Analysis;
  tract: number;
  /** From a transcript that matched. */
  syllablesPerSecond?: number | undefined;
}

/** Learns a voice from analysed speech. */
export function learnVoice(
  { target, tract, syllablesPerSecond }: TrainingSpeech,
  calibration: Calibration,
): EmbeddedVoice {
  const range = requireVoice(target);
  const goal = describeGoal(target);
  const means = meanOffsets(target, calibration.speech, { tract, lastBand: goal.lastBand });
  const voice: EmbeddedVoice = {
    pitch: { medianSt: range.medianSt, spreadSt: range.spreadSt, highSt: range.highSt },
    tract,
    noise: noiseShares(target),
    rate: toRate(syllablesPerSecond ?? estimateSyllableRate(target), calibration.syllablesPerSecond),
    gainDb: 0,
    ...means,
    moments: null,
    trim: null,
    residual: null,
  };
  const { speech } = calibration;
  const converter = createConverter(voice);
  const converted = () => everySecondFrame({ ...speech, ...converter.convert(speech) });
  voice.moments = learnMoments(goal, converted());
  voice.residual = learnMoments(goal, converted());
  voice.trim = learnTrim(goal, converted());
  const preview = render(speech, { voice, seconds: previewSeconds });
  voice.gainDb = targetLoudness - measureLoudness(preview, speechRate);
  voice.pitch.medianSt -= pitchBias(preview, mapPitch(speech.pitch.subarray(0, previewSeconds / hopSeconds), voice));
  return rounded(voice);
}

/** Frames of 10 ms, which hold the same statistics: conversion averages spectra over ± 40 ms. */
function everySecondFrame({ samples, pitch, envelope, active }: Analysis): Analysis {
  const frames = pitch.length >> 1;
  const kept = new Float32Array(frames * binCount);
  for (let f = 0; f < frames; f++) kept.set(envelope.subarray(2 * f * binCount, (2 * f + 1) * binCount), f * binCount);
  const isKept = (_: number, f: number) => f % 2 === 0 && f < 2 * frames;
  return { ...withLevels(samples, pitch.filter(isKept), kept), active: active.filter(isKept) };
}

/** Measured minus intended median pitch of the rendered voice, in semitones. */
function pitchBias(preview: Float32Array, intended: Float32Array): number {
  const [measuredRange, intendedRange] = [findPitchRange(trackPitch(preview)), findPitchRange(intended)];
  if (!measuredRange || !intendedRange) return 0;
  return Math.max(-maxBiasSt, Math.min(maxBiasSt, measuredRange.medianSt - intendedRange.medianSt));
}

export function normaliseLevel(samples: Float32Array): Float32Array {
  const window = Math.round(speechRate * 0.01);
  const energies: number[] = [];
  for (let i = 0; i + window <= samples.length; i += window) {
    let sum = 0;
    for (let j = i; j < i + window; j++) sum += (samples[j] as number) ** 2;
    energies.push(sum / window);
  }
  const loudest = energies.reduce((most, energy) => Math.max(most, energy), 0);
  const speaking = energies.filter((energy) => energy > loudest * 1e-3);
  const level = Math.sqrt(speaking.reduce((sum, energy) => sum + energy, 0) / Math.max(1, speaking.length));
  if (!(level > 1e-6)) throw new SpeechError("reference", "silent");
  return samples.map((value) => (value * referenceLevel) / level);
}

/** Mean log spectral offsets from the warped source, voiced and unvoiced. */
function meanOffsets(target: Analysis, source: Analysis, { tract, lastBand }: { tract: number; lastBand: number }) {
  const [targetMean, sourceMean] = [meanMel(target, 1), meanMel(source, tract)];
  const voiced = targetMean.voiced.map((value, b) => value - (sourceMean.voiced[b] as number));
  const unvoicedTrust = targetMean.unvoicedCount / (targetMean.unvoicedCount + unvoicedPriorCount);
  const shape = targetMean.unvoiced.map(
    (value, b) =>
      unvoicedTrust * (value - (sourceMean.unvoiced[b] as number)) + (1 - unvoicedTrust) * (voiced[b] as number),
  );
  const mean = (curve: number[]) => curve.reduce((sum, value) => sum + value, 0) / melBands;
  const level = mean(voiced) - mean(shape);
  const unvoiced = shape.map((value) => value + level);
  const extendLast = (curve: number[]) => curve.map((value, b) => (b > lastBand ? (curve[lastBand] as number) : value));
  return { voiced: extendLast(voiced), unvoiced: extendLast(unvoiced) };
}

function meanMel(speech: Analysis, tract: number) {
  const warp = createWarp(tract);
  const warped = new Float32Array(binCount);
  const mel = new Float64Array(melBands);
  const average = (frames: number[]) => {
    const sums = new Array<number>(melBands).fill(0);
    for (const f of frames) {
      warpFrame(warp, speech.envelope, f * binCount, warped);
      logMelAt(warped, 0, mel);
      for (let b = 0; b < melBands; b++) sums[b] = (sums[b] as number) + (mel[b] as number) / frames.length;
    }
    return sums;
  };
  const unvoiced = selectFrames(speech, "unvoiced", 32);
  return {
    voiced: average(selectFrames(speech, "voiced", 30)),
    unvoiced: average(unvoiced),
    unvoicedCount: unvoiced.length,
  };
}

/** Aperiodicity measured on the clean source voice; subtracted from measurements. */
const measuredOnSource = [0.1, 0.36, 0.35, 0.1, 0.1, 0.58];

function noiseShares(target: Analysis): number[] {
  const loud = (f: number) => (target.powerDb[f] as number) > target.peakDb - 22;
  return Array.from(bandAperiodicity(target.samples, target.pitch, loud), (measured, b) => {
    const sourceShare = measuredOnSource[b] as number;
    return Math.min(noiseCap[b] as number, Math.max(0.004, (measured - sourceShare) / (1 - sourceShare)));
  });
}

/** Rounds to four decimals, which halves the stored profile inaudibly. */
function rounded(voice: EmbeddedVoice): EmbeddedVoice {
  return JSON.parse(
    JSON.stringify(voice, (_key, value) => (typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value)),
  ) as EmbeddedVoice;
}
