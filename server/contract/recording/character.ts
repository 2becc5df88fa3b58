import { beatStrength } from "./beat";
import type { SoundFrames } from "./frames";
import { cepstrumSize } from "./spectrum";

/** Measures that tell speech of one person from music, singing and whisper. */
export interface Character {
  /** Share of time in which two partials or more stand still. */
  steadyShare: number;
  /** Share of voiced time, and its seconds, in which the pitch holds a note for 0.2 s, with or without vibrato. */
  heldShare: number;
  heldSeconds: number;
  /** Sounds that change like speech, without a voice. */
  isWhisper: boolean;
  /** How fast loud sounds end, dB a second. */
  decay: number;
  /** Regularity of the onsets of low sounds, 0 to 1. */
  beat: number;
}

/** Levels below the loudest that count as sounding. */
const soundingDb = 25;
/** Partials further below the loudest are what a codec or a converter leaves in silence. */
const partialDb = 45;
const voicedPeriodicity = 0.6;

export function measureCharacter(frames: SoundFrames): Character {
  const { levelDb, steadyPartials } = frames;
  const loudest = Float32Array.from(levelDb).sort()[Math.floor(0.95 * (levelDb.length - 1))] ?? -100;
  const sounding = framesWhere(levelDb.length, (frame) => (levelDb[frame] as number) > loudest - soundingDb);
  return {
    steadyShare:
      steadyPartials.filter((count, frame) => count >= 2 && (levelDb[frame] as number) > loudest - partialDb).length /
      Math.max(1, steadyPartials.length),
    ...heldNotes(frames, sounding),
    isWhisper: isWhisper(frames, sounding),
    decay: decayOf(frames, loudest),
    beat: beatStrength(frames.lowPower, levelDb, frames.hopSeconds),
  };
}

function framesWhere(count: number, test: (frame: number) => boolean): number[] {
  const found: number[] = [];
  for (let frame = 0; frame < count; frame++) if (test(frame)) found.push(frame);
  return found;
}

/** Frames over which a decay is measured, and the level below the loudest from which it starts. */
const decayFrames = 6;
const decayFromDb = 12;

/** The 90th percentile: the ends of sounds that nothing follows. */
function decayOf({ levelDb, hopSeconds }: SoundFrames, loudest: number): number {
  const falls: number[] = [];
  for (let frame = 0; frame + decayFrames < levelDb.length; frame++) {
    const fall = (levelDb[frame] as number) - (levelDb[frame + decayFrames] as number);
    if ((levelDb[frame] as number) > loudest - decayFromDb && fall > 0) falls.push(fall);
  }
  falls.sort((a, b) => a - b);
  return (falls[Math.floor(0.9 * falls.length)] ?? 0) / (decayFrames * hopSeconds);
}

const noteReach = 6;
/** Slope in semitones a second, and range with vibrato. Tones of speech glide by 10 to 40. */
const note = { maxSlope: 3, maxRangeSt: 1.3 };

function heldNotes({ periodicity, pitchSt, hopSeconds }: SoundFrames, sounding: number[]) {
  const voiced = sounding.filter((frame) => (periodicity[frame] as number) > voicedPeriodicity).length;
  const isSounding = new Uint8Array(periodicity.length);
  for (const frame of sounding) isSounding[frame] = 1;
  let held = 0;
  let run = 0;
  for (let frame = 0; frame < periodicity.length; frame++) {
    run = isSounding[frame] === 1 && (periodicity[frame] as number) > voicedPeriodicity ? run + 1 : 0;
    if (run <= 2 * noteReach) continue;
    const around = pitchSt.subarray(frame - 2 * noteReach, frame + 1);
    if (Math.max(...around) - Math.min(...around) > note.maxRangeSt) continue;
    if (Math.abs(slopeOf(around)) / hopSeconds < note.maxSlope) held++;
  }
  return { heldShare: held / Math.max(1, voiced), heldSeconds: held * hopSeconds };
}

/** Slope of the regression line, per frame. */
function slopeOf(values: Float32Array): number {
  const middle = (values.length - 1) / 2;
  let products = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    products += (i - middle) * (values[i] as number);
    squares += (i - middle) ** 2;
  }
  return products / squares;
}

/** A whisper: hardly a voiced frame (4 % measured, speech 50 % or more), and changing colour (noise of a room: none). */
const whisper = { maxVoicedShare: 0.15, minCepstralVariance: 10 };

function isWhisper({ periodicity, cepstra }: SoundFrames, sounding: number[]): boolean {
  const voiced = sounding.filter((frame) => (periodicity[frame] as number) > 0.5).length;
  if (voiced > whisper.maxVoicedShare * sounding.length) return false;
  let variance = 0;
  for (let k = 0; k < cepstrumSize; k++) {
    let sum = 0;
    let squares = 0;
    for (const frame of sounding) {
      const value = cepstra[frame * cepstrumSize + k] as number;
      sum += value;
      squares += value * value;
    }
    variance += squares / sounding.length - (sum / sounding.length) ** 2;
  }
  return variance > whisper.minCepstralVariance;
}
