import { toHz, toSemitones } from "../../dsp/pitch-range";
import { deviation, mean } from "../../dsp/statistics";
import type { VoiceDesign } from "../../engine";
import { type DesignGender, readVoiceWords, type VoiceTraits } from "../../voice-words";
import { type MixDescription, mixes } from "./mixes";

/** A voice of no real person: a measured mix of styles, moved in pitch and tempo. */
interface DesignedVoice {
  /** Names mix, shift and tempo; valid for one version of the table of mixes. */
  id: string;
  gender: DesignGender;
  pitchHz: number;
  /** Standard deviation of pitch, semitones. */
  spreadSt: number;
  /** 1 is the mix's own pace. */
  tempo: number;
  design: VoiceDesign;
}

/** Ordinary pitch by gender, and the distance of the highest and lowest voices from it. */
const ordinary = { female: { hz: 222, reachSt: 4 }, male: { hz: 128, reachSt: 4 } } as const;
const childHz = 285;
/** A larger shift sounds processed. */
const shiftLimitSt = 3;
const shiftStepSt = 0.5;
const tempoLimits = [0.8, 1.2] as const;
const tempoStep = 0.05;
/** What a shared style costs against another candidate, in the unit of an axis. */
const sharedCost = { chinese: 0.4, foreign: 1.2 } as const;

interface Candidate {
  mix: MixDescription;
  gender: DesignGender;
  /** Deviations from the mean of its gender, in standard deviations. */
  brightness: number;
  liveliness: number;
}

let measured: Candidate[] | undefined;

/** All voices for these traits, the nearest first; neighbours are made of different styles. */
export function rankDesigns(traits: VoiceTraits): DesignedVoice[] {
  const found = candidates()
    .filter(({ gender }) => !traits.gender || gender === traits.gender)
    .map((candidate) => ({ candidate, voice: moveToTraits(candidate, traits), cost: costOf(candidate, traits) }));
  const left = new Set(found);
  const uses = new Map<string, number>();
  const ranked: DesignedVoice[] = [];
  const costNow = ({ candidate, cost }: (typeof found)[number]) =>
    Object.keys(candidate.mix.styles).reduce(
      (sum, style) => sum + (uses.get(style) ?? 0) * sharedCost[isChinese(style) ? "chinese" : "foreign"],
      cost,
    );
  while (left.size > 0) {
    const best = [...left].reduce((one, other) => (costNow(other) < costNow(one) ? other : one));
    left.delete(best);
    for (const style of Object.keys(best.candidate.mix.styles)) uses.set(style, (uses.get(style) ?? 0) + 1);
    ranked.push(best.voice);
  }
  return ranked;
}

/** The voice of an id; null for an id that no table row, shift or tempo has. */
export function readDesign(id: string): DesignedVoice | null {
  const match = /^(\d{1,4})_(-?\d{1,2}(?:\.5)?)_(\d(?:\.\d{1,2})?)$/.exec(id);
  const [index = -1, shiftSt = 0, tempo = 1] = (match ?? []).slice(1).map(Number);
  const candidate = candidates()[index];
  if (!match || !candidate || Math.abs(shiftSt) > shiftLimitSt) return null;
  if (tempo < tempoLimits[0] || tempo > tempoLimits[1]) return null;
  return toVoice(candidate, { shiftSt, tempo });
}

/** Voices for a description in words, none where it asks for a person; and voices that were offered, by id. */
export const voiceDesigns = {
  search(words: string) {
    const { traits, unread, asksForPerson } = readVoiceWords(words);
    return { voices: asksForPerson ? [] : rankDesigns(traits), unread, asksForPerson };
  },
  find: readDesign,
};
export type VoiceDesigns = typeof voiceDesigns;

function candidates(): readonly Candidate[] {
  measured ??= measure();
  return measured;
}

const isChinese = (style: string) => style.startsWith("z");
const genderOf = ({ styles }: MixDescription): DesignGender =>
  Object.keys(styles).some((style) => style.startsWith("zf")) ? "female" : "male";
/** dB of the upper half of the bands over the lower half. */
const brightnessOf = ({ spectrumDb }: MixDescription) => {
  const half = spectrumDb.length >> 1;
  return mean(spectrumDb.slice(half)) - mean(spectrumDb.slice(0, half));
};

function measure(): Candidate[] {
  const all = mixes().map((mix) => ({ mix, gender: genderOf(mix) }));
  const standardise = (measureOf: (mix: MixDescription) => number) => (one: (typeof all)[number]) => {
    const values = all.filter(({ gender }) => gender === one.gender).map(({ mix }) => measureOf(mix));
    return (measureOf(one.mix) - mean(values)) / (deviation(values) || 1);
  };
  const brightness = standardise(brightnessOf);
  const liveliness = standardise(({ spreadSt }) => spreadSt);
  return all.map((one) => ({ ...one, brightness: brightness(one), liveliness: liveliness(one) }));
}

function targetSt(gender: DesignGender, { age, pitch = 0 }: VoiceTraits): number {
  if (age === "child") return toSemitones(childHz) + pitch;
  const { hz, reachSt } = ordinary[gender];
  return toSemitones(hz) + (reachSt / 1.5) * pitch - (age === "old" && gender === "female" ? 2 : 0);
}

function costOf({ mix, gender, brightness, liveliness }: Candidate, traits: VoiceTraits): number {
  const missedSt = Math.max(0, Math.abs(targetSt(gender, traits) - mix.medianSt) - shiftLimitSt);
  const wantedBrightness = (traits.brightness ?? 0) - (traits.age === "old" ? 1 : 0);
  return missedSt + Math.abs(wantedBrightness - brightness) + 0.7 * Math.abs((traits.liveliness ?? 0) - liveliness);
}

const clamp = (value: number, [least, most]: readonly [number, number]) => Math.min(most, Math.max(least, value));
const rounded = (value: number, step: number) => Number((Math.round(value / step) * step).toFixed(2));

function moveToTraits(candidate: Candidate, traits: VoiceTraits): DesignedVoice {
  const away = targetSt(candidate.gender, traits) - candidate.mix.medianSt;
  const tempo = 1 + 0.12 * (traits.pace ?? 0) - (traits.age === "old" ? 0.08 : 0);
  return toVoice(candidate, {
    shiftSt: rounded(clamp(away, [-shiftLimitSt, shiftLimitSt]), shiftStepSt),
    tempo: rounded(clamp(tempo, tempoLimits), tempoStep),
  });
}

function toVoice(candidate: Candidate, { shiftSt, tempo }: { shiftSt: number; tempo: number }): DesignedVoice {
  const { mix, gender, brightness } = candidate;
  const medianHz = toHz(mix.medianSt);
  const pitchHz = toHz(mix.medianSt + shiftSt);
  const design: VoiceDesign = {
    pitchHz,
    pitchSpreadSt: mix.spreadSt,
    tract: clamp(gender === "female" ? 1.08 + 0.0008 * (pitchHz - 222) : 0.94 + 0.001 * (pitchHz - 128), [0.84, 1.3]),
    breath: 0.1,
    tilt: clamp(0.6 * brightness, [-2, 2]),
    rate: tempo,
    mix: { styles: mix.styles, medianHz, shiftSt, tempo },
  };
  const id = `${candidates().indexOf(candidate)}_${shiftSt}_${tempo}`;
  return { id, gender, pitchHz, spreadSt: mix.spreadSt, tempo, design };
}
