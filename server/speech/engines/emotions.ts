import type { Emotion } from "../engine";

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
