import { melBands } from "../../dsp/mel";
import { toHz } from "../../dsp/pitch-range";
import type { MeasuredVoice } from "../../engine";
import { compareSpeakers } from "../../proof/speaker";
import type { VoiceDescription } from "./description";
import { type MixDescription, mixes } from "./mixes";
import type { KokoroVoice } from "./voice";

export interface LearnedVoice {
  voice: KokoroVoice;
  measured: MeasuredVoice;
}

/** Largest change of the spectrum; more damages the sound. */
const filterLimitDb = 12;
/** Semitones that the pitch may move before a mix of another pitch is better, and what each further one costs. */
const pitchReach = { freeSt: 3, costPerSt: 1 } as const;
const rangeLimits = [0.7, 1.4] as const;
const tempoLimits = [0.8, 1.25] as const;
const clamp = (value: number, [least, most]: readonly [number, number]) => Math.min(most, Math.max(least, value));

/** The voice of a recording: the nearest mix of styles with the person's pitch, its spread, tempo and spectrum. */
export function learnVoice(target: VoiceDescription): LearnedVoice {
  return {
    voice: fitVoice(findNearestMix(target), target),
    measured: {
      pitchHz: toHz(target.medianSt),
      pitchRangeSt: target.highSt - target.lowSt,
      syllablesPerSecond: null,
    },
  };
}

/** A mix with the person's manner and spectrum. */
export function fitVoice(mix: MixDescription, target: VoiceDescription): KokoroVoice {
  return {
    styles: mix.styles,
    mixHz: toHz(mix.medianSt),
    pitchHz: toHz(target.medianSt),
    range: clamp(target.spreadSt / mix.spreadSt, rangeLimits),
    tempo: clamp(target.syllablesPerSecond / mix.syllablesPerSecond, tempoLimits),
    filterDb: smooth(target.spectrumDb.map((level, band) => level - (mix.spectrumDb[band] as number))).map(
      (gain) => Math.round(10 * clamp(gain, [-filterLimitDb, filterLimitDb])) / 10,
    ),
  };
}

function findNearestMix(target: VoiceDescription): MixDescription {
  const distance = (mix: MixDescription) => {
    const movedSt = Math.abs(mix.medianSt - target.medianSt);
    const moving = pitchReach.costPerSt * Math.max(0, movedSt - pitchReach.freeSt);
    return moving - (target.print ? compareSpeakers(target.print, Float64Array.from(mix.print)) : 0);
  };
  return mixes().reduce((best, mix) => (distance(mix) < distance(best) ? mix : best));
}

/** Mean of each band and its neighbours. */
const smooth = (curve: readonly number[]): number[] =>
  curve.map((value, band) => {
    const [left, right] = [curve[Math.max(0, band - 1)] as number, curve[Math.min(melBands - 1, band + 1)] as number];
    return (left + 2 * value + right) / 4;
  });
