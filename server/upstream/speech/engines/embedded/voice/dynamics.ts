import { hopSeconds } from "../../../dsp/grid";
import type { Analysis } from "./analysis";
import { applyGain } from "./timing";

/** Half a syllable; averages the level over a syllable. */
const reach = Math.round(0.08 / hopSeconds);
/** Frames further below the peak are pauses or noise. */
const depthDb = 28;
const minFrames = 40;
const ratioRange = [0.5, 1.8] as const;
/** Limits of the gain per syllable. */
const gainRangeDb = [-8, 6] as const;

type Levels = Pick<Analysis, "pitch" | "powerDb" | "peakDb" | "frames">;

/** Standard deviation of syllable levels in dB; null if there is too little speech. */
export function measureDynamics(speech: Levels): number | null {
  const { levels, mean } = syllableLevels(speech);
  if (levels.length < minFrames) return null;
  return Math.sqrt(levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length);
}

/** Planned changes of level, scaled by how much the level of the voice with the tone varies. */
export const scaleGains = (gainDb: Float32Array, dynamics: number): Float32Array =>
  gainDb.map((db) => db * clampTo(dynamics, ratioRange));

/** Scales the spread of syllable levels; `speech` is the source analysis of `sound`. */
export function spreadLevels(sound: Float32Array, speech: Levels, dynamics: number): Float32Array {
  const ratio = clampTo(dynamics, ratioRange);
  const { levelCurve, mean } = syllableLevels(speech);
  const gainsDb = levelCurve.map((level) =>
    Number.isNaN(level) ? 0 : clampTo((level - mean) * (ratio - 1), gainRangeDb),
  );
  return applyGain(sound, smooth(gainsDb));
}

/** Smoothed level of every voiced frame (NaN elsewhere), and their mean. */
function syllableLevels({ pitch, powerDb, peakDb, frames }: Levels) {
  const isVoiced = (f: number) => (pitch[f] ?? 0) > 0 && (powerDb[f] as number) > peakDb - depthDb;
  const levelCurve = new Float32Array(frames).map((_, f) => {
    if (!isVoiced(f)) return Number.NaN;
    let [sum, count] = [0, 0];
    for (let near = Math.max(0, f - reach); near <= Math.min(frames - 1, f + reach); near++) {
      if (isVoiced(near)) [sum, count] = [sum + (powerDb[near] as number), count + 1];
    }
    return sum / count;
  });
  const levels = Array.from(levelCurve).filter((level) => !Number.isNaN(level));
  const mean = levels.reduce((sum, level) => sum + level, 0) / Math.max(1, levels.length);
  return { levelCurve, levels, mean };
}

/** Limits the rate of change of the gain. */
function smooth(levelCurve: Float32Array): Float32Array {
  const around = Math.round(reach / 2);
  return levelCurve.map((_, f) => {
    let [sum, count] = [0, 0];
    for (let near = Math.max(0, f - around); near <= Math.min(levelCurve.length - 1, f + around); near++) {
      [sum, count] = [sum + (levelCurve[near] as number), count + 1];
    }
    return sum / count;
  });
}

const clampTo = (value: number, [least, most]: readonly [number, number]) => Math.min(most, Math.max(least, value));
