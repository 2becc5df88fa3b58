import { createNoise } from "../../../dsp/noise";
import { toHz, toSemitones } from "../../../dsp/pitch-range";
import type { Emotion } from "../../../engine";
import { type EmbeddedVoice, sourcePitch } from "./voice";

/** How a reading departs from the voice's habit. */
export interface Prosody {
  raiseSt: number;
  /** Of the voice's pitch range. */
  range: number;
  pace: number;
  gainDb: number;
}

export const plainProsody: Prosody = { raiseSt: 0, range: 1, pace: 1, gainDb: 0 };

/** Full weight of each emotion; after the usual findings on acted speech (level, range, pace, energy). */
const emotions: Record<Emotion, Prosody> = {
  happy: { raiseSt: 1.8, range: 1.35, pace: 1.07, gainDb: 1.5 },
  angry: { raiseSt: 1.2, range: 1.25, pace: 1.12, gainDb: 3 },
  sad: { raiseSt: -1.5, range: 0.65, pace: 0.84, gainDb: -3 },
  afraid: { raiseSt: 2.2, range: 0.85, pace: 1.14, gainDb: -1 },
  disgusted: { raiseSt: -0.8, range: 0.85, pace: 0.9, gainDb: 0.5 },
  melancholic: { raiseSt: -1, range: 0.75, pace: 0.88, gainDb: -2 },
  surprised: { raiseSt: 2.8, range: 1.5, pace: 1.04, gainDb: 1 },
  calm: { raiseSt: -0.4, range: 0.8, pace: 0.93, gainDb: -0.5 },
};

/** Several emotions mix; together they weigh no more than one at full strength. */
export function mixEmotions(weights: Partial<Record<Emotion, number>> = {}): Prosody {
  const felt = (Object.entries(weights) as Array<[Emotion, number]>).filter(([name, w]) => emotions[name] && w > 0);
  const total = Math.max(
    1,
    felt.reduce((sum, [, weight]) => sum + weight, 0),
  );
  return felt.reduce((mixed, [name, weight]) => {
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

const ratioRange = [0.55, 1.8] as const;
/** Slow drift and jitter in semitones keep a vocoded voice from sounding like a machine. */
const drift = { keep: 0.98, step: 0.06, jitter: 0.068 };

/** Source pitch → the voice's: the source's median goes to the voice's, distances from it are scaled, so tones keep their shape. */
export function mapPitch(source: Float32Array, voice: EmbeddedVoice, prosody: Prosody = plainProsody): Float32Array {
  const { medianSt, spreadSt, highSt } = voice.pitch;
  const ratio = Math.min(ratioRange[1], Math.max(ratioRange[0], spreadSt / sourcePitch.spreadSt)) * prosody.range;
  const middle = medianSt + prosody.raiseSt;
  const [lowest, highest] = [middle - 12, Math.max(highSt, medianSt + 2 * spreadSt) + prosody.raiseSt + 5];
  const noise = createNoise(99);
  let wander = 0;
  return source.map((hz) => {
    if (hz <= 0) return 0;
    wander = drift.keep * wander + (noise.uniform() - 0.5) * drift.step;
    const jitter = (noise.uniform() - 0.5) * drift.jitter;
    const height = (toSemitones(hz) - sourcePitch.medianSt) * ratio + middle + wander + jitter;
    return toHz(Math.min(highest, Math.max(lowest, height)));
  });
}

/**
 * A voice that speaks in another's tone: as lively, as quick and as forceful as that one, while its sound and the height it
 * speaks at stay its own.
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
