import { createNoise } from "../../../dsp/noise";
import { toHz, toSemitones } from "../../../dsp/pitch-range";
import type { Emotion } from "../../../engine";
import type { Intonation } from "./intonation";
import { type EmbeddedVoice, runningDepth, sourcePitch } from "./voice";

/** Changes relative to the voice. */
export interface Prosody {
  raiseSt: number;
  /** Factor of the pitch range. */
  range: number;
  pace: number;
  gainDb: number;
  /** Per frame, in addition. */
  contour?: Pick<Intonation, "raiseSt" | "range" | "depth">;
}

export const plainProsody: Prosody = { raiseSt: 0, range: 1, pace: 1, gainDb: 0 };

/** Prosody at full weight, after published findings on acted speech. */
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

/** Mixes emotions; the total weight is at most 1. */
export function mixEmotions(weights: Partial<Record<Emotion, number>> = {}): Prosody {
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

const spreadRatioRange = [0.55, 1.8] as const;
/** Pitch drift and jitter in semitones, for a natural sound. */
const drift = { keep: 0.98, step: 0.06, jitter: 0.068 };

/** Ratio of a voice's pitch spread to the source's. */
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
