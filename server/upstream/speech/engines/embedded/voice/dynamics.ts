import { hopSeconds, speechRate } from "../../../dsp/grid";
import type { Analysis } from "./analysis";

/** Half a syllable: what stays of the level's course is how strongly one syllable is spoken against another. */
const reach = Math.round(0.08 / hopSeconds);
/** Speech this far below the peak is a pause or a room. */
const depthDb = 28;
const leastFrames = 40;
const ratioRange = [0.5, 1.8] as const;
/** What a syllable may be raised or lowered by. */
const gainRangeDb = [-8, 6] as const;

type Levels = Pick<Analysis, "pitch" | "powerDb" | "peakDb" | "frames">;

/** How far syllables' levels lie from each other: standard deviation in dB; null where too little is spoken. */
export function measureDynamics(speech: Levels): number | null {
  const { levels, mean } = syllableLevels(speech);
  if (levels.length < leastFrames) return null;
  return Math.sqrt(levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length);
}

/** Moves the levels of syllables apart or together, around their mean; `speech` is what the sound was made from. */
export function spreadLevels(sound: Float32Array, speech: Levels, dynamics: number): Float32Array {
  const ratio = within(dynamics, ratioRange);
  const { course, mean } = syllableLevels(speech);
  const hop = hopSeconds * speechRate;
  const gainsDb = course.map((level) => (Number.isNaN(level) ? 0 : within((level - mean) * (ratio - 1), gainRangeDb)));
  const gains = smooth(gainsDb).map((db) => 10 ** (db / 20));
  return sound.map((value, i) => {
    const at = Math.min(gains.length - 1, i / hop);
    const [before, after] = [gains[Math.floor(at)] ?? 1, gains[Math.ceil(at)] ?? 1];
    return value * (before + (after - before) * (at % 1));
  });
}

/** The level around every frame that sounds (NaN elsewhere), and their mean. */
function syllableLevels({ pitch, powerDb, peakDb, frames }: Levels) {
  const sounds = (f: number) => (pitch[f] ?? 0) > 0 && (powerDb[f] as number) > peakDb - depthDb;
  const course = new Float32Array(frames).map((_, f) => {
    if (!sounds(f)) return Number.NaN;
    let [sum, count] = [0, 0];
    for (let near = Math.max(0, f - reach); near <= Math.min(frames - 1, f + reach); near++) {
      if (sounds(near)) [sum, count] = [sum + (powerDb[near] as number), count + 1];
    }
    return sum / count;
  });
  const levels = Array.from(course).filter((level) => !Number.isNaN(level));
  const mean = levels.reduce((sum, level) => sum + level, 0) / Math.max(1, levels.length);
  return { course, levels, mean };
}

/** Gains change no quicker than a voice does. */
function smooth(course: Float32Array): Float32Array {
  const around = Math.round(reach / 2);
  return course.map((_, f) => {
    let [sum, count] = [0, 0];
    for (let near = Math.max(0, f - around); near <= Math.min(course.length - 1, f + around); near++) {
      [sum, count] = [sum + (course[near] as number), count + 1];
    }
    return sum / count;
  });
}

const within = (value: number, [least, most]: readonly [number, number]) => Math.min(most, Math.max(least, value));
