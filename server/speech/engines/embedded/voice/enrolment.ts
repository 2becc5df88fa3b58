import { speechRate } from "../../../dsp/grid";
import { findPitchRange, type PitchRange, toHz } from "../../../dsp/pitch-range";
import { resample } from "../../../dsp/resample";
import { type MeasuredVoice, SpeechError } from "../../../engine";
import { type Analysis, analyse } from "./analysis";
import type { Calibration } from "./calibration";
import { convert, warpSpeech } from "./conversion";
import { estimateSyllableRate, findSyllableRate, toRate } from "./pace";
import { describeSpectra, learnShapes, trimShapes } from "./shape";
import { estimateTract } from "./vocal-tract";
import type { EmbeddedVoice } from "./voice";

/** RMS level of speech that recordings are normalised to. */
const referenceLevel = 0.08;
const minVoicedFrames = 60;
/** Of every cloned voice: noise of the recording cannot be told from breath. */
const clonedBreath = 0;

export interface Enrolled {
  voice: EmbeddedVoice;
  measured: MeasuredVoice;
}

export interface Reference {
  samples: Float32Array;
  sampleRate: number;
  /** Syllables of its transcript. */
  syllables?: number;
}

/**
 * Learns a voice; awaits `checkpoint` between long steps, where callers can cancel. Refuses a recording without speech
 * before the source voice is read, which takes half a minute on a loaded machine.
 */
export async function enrol(
  { samples, sampleRate, syllables }: Reference,
  calibrate: () => Promise<Calibration>,
  checkpoint: () => Promise<void>,
): Promise<Enrolled> {
  const target = analyse(normaliseLevel(resample(samples, sampleRate, speechRate)));
  const range = requireVoice(target);
  await checkpoint();
  const calibration = await calibrate();
  await checkpoint();
  const syllablesPerSecond = syllables === undefined ? null : findSyllableRate(target, syllables);
  const tract = estimateTract(calibration.vowels, target);
  await checkpoint();
  const voice = learnVoice({ target, tract, syllablesPerSecond }, calibration);
  return {
    voice,
    measured: { pitchHz: toHz(range.medianSt), pitchRangeSt: range.highSt - range.lowSt, syllablesPerSecond },
  };
}

function requireVoice(target: Analysis): PitchRange {
  const range = findPitchRange(target.pitch);
  if (!range || range.voicedFrames < minVoicedFrames) throw new SpeechError("reference", "no-speech");
  return range;
}

export interface TrainingSpeech {
  target: Analysis;
  tract: number;
  /** By the transcript. */
  syllablesPerSecond: number | null;
}

/** Learns a voice from analysed speech. */
export function learnVoice(
  { target, tract, syllablesPerSecond }: TrainingSpeech,
  { speech, syllablesPerSecond: normalPace }: Calibration,
): EmbeddedVoice {
  const { medianSt, spreadSt, highSt } = requireVoice(target);
  const goal = describeSpectra(target);
  const voice: EmbeddedVoice = {
    pitch: { medianSt, spreadSt, highSt },
    tract,
    breath: clonedBreath,
    rate: toRate(syllablesPerSecond ?? estimateSyllableRate(target), normalPace),
    ...learnShapes(goal, describeSpectra(warpSpeech(speech, tract))),
  };
  trimShapes(voice, goal, describeSpectra(convert(speech, voice)));
  return voice;
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
