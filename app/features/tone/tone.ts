import { toneCopy } from "~/copy/generation";
import { speedMax, speedMin } from "~server/contract/limits";
import { countCharacters, parseMarks } from "~server/contract/marks";

export const feelings = ["happy", "angry", "sad", "afraid", "disgusted", "melancholic", "surprised", "calm"] as const;
export type Feeling = (typeof feelings)[number];

/** Tone settings of a text. The recording of `genre` 1 is stored separately. */
export interface SpeakingTone {
  speed: number;
  /** Semitones. */
  pitch: number;
  /** Decibels. */
  volume: number;
  /** 0 the voice's own · 1 like a recording · 2 by feelings. */
  genre: 0 | 1 | 2;
  /** Weights, 0–1. */
  ext: Partial<Record<Feeling, number>>;
}

export const plainTone: SpeakingTone = { speed: 1, pitch: 0, volume: 0, genre: 0, ext: {} };

interface SavedTone
  extends Partial<Omit<SpeakingTone, "speed" | "genre" | "ext">>,
    Pick<SpeakingTone, "speed" | "genre"> {
  ext?: Readonly<Record<string, number>> | undefined;
}

/** A tone without gaps. */
export const toTone = ({ speed, pitch = 0, volume = 0, genre, ext = {} }: SavedTone): SpeakingTone => ({
  speed,
  pitch,
  volume,
  genre,
  ext,
});

const stepsPerUnit = 20;

export const ranges = {
  speed: { min: speedMin, max: speedMax, step: 0.05 },
  pitch: { min: -12, max: 12, step: 1 },
  volume: { min: -12, max: 12, step: 1 },
  feeling: { min: 0, max: 1, step: 1 / stepsPerUnit },
} as const;

/** The parts of a tone that a mood sets. */
type Mood = Pick<SpeakingTone, "pitch" | "volume" | "ext">;

/** Moods at full strength, each audibly unlike its neighbours; `gentle` and `serious` need the pitch too. */
const moodMixes = {
  calm: { pitch: 0, volume: 0, ext: { calm: 1 } },
  happy: { pitch: 0, volume: 0, ext: { happy: 1 } },
  gentle: { pitch: 1, volume: -2, ext: { calm: 1 } },
  serious: { pitch: -1, volume: 0, ext: { calm: 0.6, angry: 0.4 } },
  urgent: { pitch: 0, volume: 0, ext: { angry: 0.5, afraid: 0.5 } },
  sad: { pitch: 0, volume: 0, ext: { sad: 1 } },
  angry: { pitch: 0, volume: 0, ext: { angry: 1 } },
  surprised: { pitch: 0, volume: 0, ext: { surprised: 1 } },
} satisfies Record<string, Mood>;

export type MoodName = keyof typeof moodMixes;
export const moods = Object.keys(moodMixes) as MoodName[];
const isMood = (name: string): name is MoodName => name in moodMixes;

/** Factors of a mood's weights. */
export const strengths = { light: 0.4, medium: 0.7, strong: 1 } as const;
export type Strength = keyof typeof strengths;

/** Exactly the decimal that the slider has. */
const toStep = (weight: number) => Math.round(weight * stepsPerUnit) / stepsPerUnit;

/** Tone settings of a mood, without the speed; null restores the voice's own tone. */
export function toMood(mood: MoodName | null, strength: Strength = "medium"): Partial<SpeakingTone> {
  if (!mood) return { genre: 0, pitch: 0, volume: 0, ext: {} };
  const { ext, ...rest } = moodMixes[mood];
  const weights = Object.entries(ext).map(([name, weight]) => [name, toStep(weight * strengths[strength])]);
  return { genre: 2, ...rest, ext: Object.fromEntries(weights) };
}

/** Tone settings of a mood, or of a feeling that is no mood. */
export function toAskedMood({
  name,
  strength,
}: {
  name: MoodName | Feeling;
  strength: Strength;
}): Partial<SpeakingTone> {
  if (isMood(name)) return toMood(name, strength);
  return { genre: 2, pitch: 0, volume: 0, ext: { [name]: strengths[strength] } };
}

/** The mood and strength that a tone was set to; null if its sliders say something else. */
export function findMood(tone: Omit<SpeakingTone, "speed">): { mood: MoodName; strength: Strength } | null {
  if (tone.genre !== 2) return null;
  const wanted = moodKey(tone);
  const names = Object.keys(strengths) as Strength[];
  const all = moods.flatMap((mood) => names.map((strength) => ({ mood, strength })));
  return all.find(({ mood, strength }) => moodKey({ ...tone, ...toMood(mood, strength) }) === wanted) ?? null;
}

const moodKey = ({ pitch, volume, ext }: Mood) =>
  [pitch, volume, ...feelings.map((feeling) => Math.round((ext[feeling] ?? 0) * 100))].join();

/** True if anything but the speed is set; this needs the professional tier. */
export const isProfessionalTone = ({ pitch, volume, genre }: SpeakingTone) =>
  pitch !== 0 || volume !== 0 || genre !== 0;

/** A tone as the contract takes it, without defaults. `emotionPath` is the recording of genre 1. */
export function toToneRequest({ speed, pitch, volume, genre, ext }: SpeakingTone, emotionPath?: string) {
  const weights = Object.fromEntries(Object.entries(ext).filter(([, weight]) => weight));
  return {
    speed,
    ...(pitch !== 0 && { pitch }),
    ...(volume !== 0 && { volume }),
    ...(genre === 2 && Object.keys(weights).length > 0 && { genre, ext: weights }),
    ...(genre === 1 && emotionPath && { genre, emotionPath }),
  };
}

/** The mood, or where the tone comes from, in words. */
export function toneName(tone: Omit<SpeakingTone, "speed">): string {
  const found = findMood(tone);
  if (found) return toneCopy.moods[found.mood];
  if (tone.genre === 1) return toneCopy.recorded;
  const isPlain = tone.genre === 0 && !tone.pitch && !tone.volume;
  return isPlain ? toneCopy.plain : toneCopy.mixed;
}

const sampleCharactersMax = 30;

/** The beginning of a text without marks, for a sample: a sentence where one fits. */
export function toSampleText(content: string): string {
  const plain = parseMarks(content)
    .map((mark) => (mark.kind === "text" ? mark.text : mark.kind === "reading" ? mark.char : ""))
    .join("")
    .trim();
  const [sentence = ""] = /^[^。！？!?\n]+[。！？!?]?/u.exec(plain) ?? [];
  const characters = [...sentence];
  while (countCharacters(characters.join("")) > sampleCharactersMax) characters.pop();
  return characters.join("");
}
