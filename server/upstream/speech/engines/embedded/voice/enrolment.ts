import { bandAperiodicity } from "../../../dsp/aperiodicity";
import { binCount, hopSeconds, speechRate } from "../../../dsp/grid";
import { measureLoudness } from "../../../dsp/loudness";
import { logMelAt, melBands } from "../../../dsp/mel";
import { trackPitch } from "../../../dsp/pitch";
import { findPitchRange, type PitchRange, toHz } from "../../../dsp/pitch-range";
import { resample } from "../../../dsp/resample";
import { type MeasuredVoice, SpeechError } from "../../../engine";
import { type Analysis, analyse, describe, selectFrames } from "./analysis";
import type { Calibration, Reading } from "./calibration";
import { createConverter, render } from "./conversion";
import { measureDynamics } from "./dynamics";
import { collectExemplars } from "./exemplars";
import { alignTranscript } from "./forced-alignment";
import { findBandwidth, lastBandBelow, learnMoments, learnTrim } from "./moments";
import { estimateSyllableRate, toRate } from "./pace";
import { mapPitch } from "./prosody";
import { createWarp, type FramePair, tractFromVowels, warpFrame } from "./vocal-tract";
import type { EmbeddedVoice } from "./voice";

/** Level (root mean square of speech) that recordings are brought to before anything is learnt. */
const referenceLevel = 0.08;
/** Noise shares above these come from a noisy room, not from a voice. */
const noiseCap = [0.05, 0.15, 0.3, 0.4, 0.5, 0.6];
const unvoicedDoubt = 60;
const trimStrength = 0.5;
const targetLoudness = -19;
const rehearsalSeconds = 8;
const mostBiasSt = 1;
const leastVoicedFrames = 60;

export interface Enrolled {
  voice: EmbeddedVoice;
  measured: MeasuredVoice;
  /** Whether the transcript was found to be what is said. */
  usedTranscript: boolean;
}

export interface Reference {
  samples: Float32Array;
  sampleRate: number;
  /** The source voice's reading of what is said. */
  reading?: Reading;
}

/** Learns a voice; `breathe` is awaited between the long steps, so that a caller can break off there. */
export async function enrol(
  { samples, sampleRate, reading }: Reference,
  calibration: Calibration,
  breathe: () => Promise<void>,
): Promise<Enrolled> {
  const target = analyse(normaliseLevel(resample(samples, sampleRate, speechRate)));
  const range = requireVoice(target);
  await breathe();
  const blind = tractFromVowels(calibration.vowels, target);
  await breathe();
  const spoken = reading ? alignTranscript(reading, target, { blind }) : null;
  await breathe();
  const voice = learnVoice({ target, tract: spoken?.tract ?? blind, spoken }, calibration);
  const measured = {
    pitchHz: toHz(range.medianSt),
    pitchRangeSt: range.highSt - range.lowSt,
    syllablesPerSecond: spoken?.syllablesPerSecond ?? null,
  };
  return { voice, measured, usedTranscript: spoken !== null };
}

function requireVoice(target: Analysis): PitchRange {
  const range = findPitchRange(target.pitch);
  if (!range || range.voicedFrames < leastVoicedFrames) throw new SpeechError("reference", "no-speech");
  return range;
}

export interface TrainingSpeech {
  target: Analysis;
  tract: number;
  spoken: { reading: Reading; pairs: FramePair[]; syllablesPerSecond: number } | null;
}

/** A voice from speech taken apart, with the frames that say the same as the source's reading where they are known. */
export function learnVoice({ target, tract, spoken }: TrainingSpeech, calibration: Calibration): EmbeddedVoice {
  const range = requireVoice(target);
  const bandwidth = findBandwidth(target);
  const means = meanOffsets(target, calibration.speech, { tract, lastBand: lastBandBelow(bandwidth) });
  const voice: EmbeddedVoice = {
    pitch: { medianSt: range.medianSt, spreadSt: range.spreadSt, highSt: range.highSt },
    tract,
    noise: noiseShares(target),
    rate: toRate(spoken?.syllablesPerSecond ?? estimateSyllableRate(target), calibration.syllablesPerSecond),
    ...dynamicsOf(target, calibration),
    gainDb: 0,
    ...means,
    moments: null,
    trim: null,
    exemplars: null,
  };
  if (spoken) {
    const { speech: source, labels } = spoken.reading;
    voice.exemplars = collectExemplars({ source, labels, target, pairs: spoken.pairs }, { tract, ...means });
  }
  const { speech, labels } = calibration;
  const afterConversion = () => {
    const { pitch, envelope } = createConverter(voice).convert(speech, labels);
    return { ...describe(speech.samples, pitch, envelope), active: speech.active };
  };
  voice.moments = learnMoments(target, afterConversion(), bandwidth);
  voice.trim = learnTrim(target, afterConversion(), bandwidth).map((value) => value * trimStrength);
  const rehearsal = render(speech, labels, { voice, seconds: rehearsalSeconds });
  voice.gainDb = targetLoudness - measureLoudness(rehearsal, speechRate);
  voice.pitch.medianSt -= pitchBias(
    rehearsal,
    mapPitch(speech.pitch.subarray(0, rehearsalSeconds / hopSeconds), voice),
  );
  return rounded(voice);
}

function dynamicsOf(target: Analysis, { speech }: Calibration): Pick<EmbeddedVoice, "dynamics"> {
  const [theirs, ours] = [measureDynamics(target), measureDynamics(speech)];
  return theirs && ours ? { dynamics: theirs / ours } : {};
}

/** How much higher the rendered voice is heard than it was meant, by the ears that measured the person. */
function pitchBias(rehearsal: Float32Array, meant: Float32Array): number {
  const [heard, planned] = [findPitchRange(trackPitch(rehearsal)), findPitchRange(meant)];
  if (!heard || !planned) return 0;
  return Math.max(-mostBiasSt, Math.min(mostBiasSt, heard.medianSt - planned.medianSt));
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

/** Mean log spectra, voiced and unvoiced, against the warped source's. */
function meanOffsets(target: Analysis, source: Analysis, { tract, lastBand }: { tract: number; lastBand: number }) {
  const [theirs, ours] = [meanMel(target, 1), meanMel(source, tract)];
  const voiced = theirs.voiced.map((value, b) => value - (ours.voiced[b] as number));
  const doubt = theirs.unvoicedCount / (theirs.unvoicedCount + unvoicedDoubt);
  const shape = theirs.unvoiced.map(
    (value, b) => doubt * (value - (ours.unvoiced[b] as number)) + (1 - doubt) * (voiced[b] as number),
  );
  const mean = (curve: number[]) => curve.reduce((sum, value) => sum + value, 0) / melBands;
  const level = mean(voiced) - mean(shape);
  const unvoiced = shape.map((value) => value + level);
  const held = (curve: number[]) => curve.map((value, b) => (b > lastBand ? (curve[lastBand] as number) : value));
  return { voiced: held(voiced), unvoiced: held(unvoiced) };
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

/** The vocoder's own measure of a clean synthetic voice, taken off what is measured. */
const measuredOnSource = [0.1, 0.36, 0.35, 0.1, 0.1, 0.58];

function noiseShares(target: Analysis): number[] {
  const loud = (f: number) => (target.powerDb[f] as number) > target.peakDb - 22;
  return Array.from(bandAperiodicity(target.samples, target.pitch, loud), (measured, b) => {
    const own = measuredOnSource[b] as number;
    return Math.min(noiseCap[b] as number, Math.max(0.004, (measured - own) / (1 - own)));
  });
}

/** Four decimals are below anything audible and halve the stored profile. */
function rounded(voice: EmbeddedVoice): EmbeddedVoice {
  return JSON.parse(
    JSON.stringify(voice, (_key, value) => (typeof value === "number" ? Math.round(value * 1e4) / 1e4 : value)),
  ) as EmbeddedVoice;
}
