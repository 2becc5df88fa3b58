import { createNoise } from "../../../dsp/noise";
import { toHz, toSemitones } from "../../../dsp/pitch-range";
import { type EmotionProsody, plainProsody } from "../../emotions";
import type { Intonation } from "./intonation";
import { type EmbeddedVoice, runningDepth, sourcePitch } from "./voice";

/** Changes relative to the voice. */
export interface Prosody extends EmotionProsody {
  /** Per frame, in addition. */
  contour?: Pick<Intonation, "raiseSt" | "range" | "depth">;
}

const spreadRatioRange = [0.55, 1.8] as const;
/** Pitch drift and jitter in semitones, for a natural sound. */
const drift = { keep: 0.98, step: 0.06, jitter: 0.068 };

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
