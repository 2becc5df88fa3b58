import { type Emotion, SpeechError, type SpeechRequest } from "../engine";

/** Without 1, and coprime with the number of varied repetitions within a text, so that neighbours differ. */
const paces = [0.97, 1.03, 0.95, 1.05, 0.98] as const;

/** Factor of the pace at which a text is spoken that was spoken `repetition` times before: another delivery. */
export const paceOfRepetition = (repetition = 0): number =>
  repetition > 0 ? (paces[repetition % paces.length] as number) : 1;

/** Throws SpeechError 'text' for a request that a local engine does not speak. */
export function requireSpeech({ text, speed }: SpeechRequest, maxChars: number): void {
  const spoken = text.units.filter(({ kind }) => kind !== "pause");
  if (spoken.length === 0) throw new SpeechError("text", "The text contains no speech");
  if (spoken.length > 2 * maxChars) throw new SpeechError("text", `${spoken.length} units exceed the limit`);
  if (!(speed >= 0.5 && speed <= 2)) throw new SpeechError("text", `Speed ${speed} is outside 0.5–2`);
}

/** Changes of a voice's manner by its mood. */
export interface EmotionProsody {
  raiseSt: number;
  range: number;
  pace: number;
  gainDb: number;
}

export const plainProsody: EmotionProsody = { raiseSt: 0, range: 1, pace: 1, gainDb: 0 };

/** Prosody at full weight, after published findings on acted speech. */
const emotions: Record<Emotion, EmotionProsody> = {
  happy: { raiseSt: 1.8, range: 1.35, pace: 1.07, gainDb: 1.5 },
  angry: { raiseSt: 1.2, range: 1.25, pace: 1.12, gainDb: 3 },
  sad: { raiseSt: -1.5, range: 0.65, pace: 0.84, gainDb: -3 },
  afraid: { raiseSt: 2.2, range: 0.85, pace: 1.14, gainDb: -1 },
  disgusted: { raiseSt: -0.8, range: 0.85, pace: 0.9, gainDb: 0.5 },
  melancholic: { raiseSt: -1, range: 0.75, pace: 0.88, gainDb: -2 },
  surprised: { raiseSt: 2.8, range: 1.5, pace: 1.04, gainDb: 1 },
  calm: { raiseSt: -0.4, range: 0.8, pace: 0.93, gainDb: -0.5 },
};

/** Mixes emotions; the total weight is at most 1. */
export function mixEmotions(weights: Partial<Record<Emotion, number>> = {}): EmotionProsody {
  const active = (Object.entries(weights) as Array<[Emotion, number]>).filter(([name, w]) => emotions[name] && w > 0);
  const total = Math.max(
    1,
    active.reduce((sum, [, weight]) => sum + weight, 0),
  );
  return active.reduce((mixed, [name, weight]) => {
    const { raiseSt, range, pace, gainDb } = emotions[name];
    const share = weight / total;
    return {
      raiseSt: mixed.raiseSt + share * raiseSt,
      range: mixed.range * range ** share,
      pace: mixed.pace * pace ** share,
      gainDb: mixed.gainDb + share * gainDb,
    };
  }, plainProsody);
}

/** For models that take instructions in Chinese. */
const words: Record<Emotion, string> = {
  happy: "开心",
  angry: "愤怒",
  sad: "悲伤",
  afraid: "害怕",
  disgusted: "厌恶",
  melancholic: "忧郁",
  surprised: "惊讶",
  calm: "平静",
};

const minWeight = 0.2;

/** The strongest emotion as an instruction; undefined if none is strong enough. */
export function toEmotionInstruction(emotion: SpeechRequest["emotion"]): string | undefined {
  const strongest = findStrongest(emotion);
  if (!strongest) return undefined;
  const degree = strongest.weight > 0.8 ? "非常" : strongest.weight < 0.4 ? "略带" : "";
  return `请用${degree}${words[strongest.name]}的语气说这句话。`;
}

/** The strongest emotion, or null below a weight of 0.2. */
export function findStrongest(emotion: SpeechRequest["emotion"] = {}): { name: Emotion; weight: number } | null {
  const [strongest] = Object.entries(emotion).sort(([, a], [, b]) => b - a);
  return strongest && strongest[1] >= minWeight ? { name: strongest[0] as Emotion, weight: strongest[1] } : null;
}
