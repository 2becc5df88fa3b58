import {
  blend,
  type Event,
  planBlinks,
  planGlances,
  planPostures,
  planStresses,
  readPhrases,
  type Utterance,
} from "./motion-plan";
import {
  bump,
  clamp,
  createRandom,
  easeInOut,
  type MouthShape,
  mouthShapes,
  type Pose,
  restPose,
  type Viseme,
  visemes,
} from "./pose";
import type { Loudness, SpokenTimeline } from "./spoken-timeline";

interface MotionSource {
  timeline: SpokenTimeline;
  /** The text of the timeline's offsets, with questions and emphasis. */
  text?: string;
  loudness?: Loudness;
  /** The sound's id: the same sound moves the same way. */
  seed: string;
}

export type Motion = (seconds: number) => Pose;

/** Half the width of the window in which neighbouring sounds share the mouth. */
const coarticulationSeconds = 0.07;
/** Shorter gaps are bridged: engines write 5–30 ms of "sil" inside words, at which lips would flutter. */
const shortestRestSeconds = 0.09;
/** Longer than a frame at 25 fps, so that one frame at least shows closed lips on p, b, m. */
const closureSeconds = 0.056;

/** Movement of a speaker. Pure: the same source always gives the same pose at the same second. */
export function createMotion({ timeline, text = "", loudness, seed }: MotionSource): Motion {
  const random = createRandom(seed);
  const sounds = readSounds(timeline.phonemes);
  const phrases = readPhrases(timeline.units, text);
  const levelAt = createLevelAt(loudness);
  const stresses = planStresses(timeline.units, phrases, { text, levelAt });
  const endSeconds = timeline.durationMs / 1000;
  const blinks = planBlinks(phrases, timeline.units, { endSeconds, random });
  const glances = planGlances(phrases, endSeconds, random);
  const postures = planPostures(phrases, random);
  const wave = createWaves(random);
  return (seconds) => {
    const { nod, brow } = emphasisAt(stresses, phrases, seconds);
    const posture = blend(postures, seconds, 0.9);
    const isSpeaking = phrases.some(({ start, end }) => seconds > start - 0.1 && seconds < end + 0.1);
    const breath = 0.5 + 0.5 * wave(seconds, 0.27, 7);
    const sway = 0.9 * wave(seconds, 0.19, 0) + 0.5 * wave(seconds, 0.43, 1) + 0.15 * wave(seconds, 0.97, 2);
    return {
      mouth: mouthAt(sounds, levelAt, seconds),
      headAngle: posture.roll + (isSpeaking ? 1 : 0.6) * sway,
      headShift: { x: 1.6 * posture.yaw + 0.7 * wave(seconds, 0.23, 3), y: 0.9 * nod - 0.5 * breath },
      turn: {
        x: clamp(posture.yaw + 0.25 * wave(seconds, 0.31, 4), -1, 1),
        y: clamp(0.75 * nod + posture.pitch + 0.12 * wave(seconds, 0.37, 5), -1, 1),
      },
      brow: clamp(brow + 0.12 * wave(seconds, 0.11, 6), -0.3, 1),
      blink: blinkAt(blinks, seconds),
      gaze: blend(glances, seconds, 0.06),
      breath,
    };
  };
}

/** Movement of someone who listens: breathes, blinks every 2–6 s, glances. Has no end. */
export function createIdleMotion(seed: string): Motion {
  const wave = createWaves(createRandom(seed));
  const slotSeconds = 4;
  /** Two numbers that belong to each slot of time, so that no list of events is needed. */
  const slotAt = (slot: number) => {
    const random = createRandom(`${seed} ${slot}`);
    return {
      blink: slot * slotSeconds + 0.5 + 2 * random(),
      x: random() - 0.5,
      y: random() - 0.5,
      isAway: random() < 0.3,
    };
  };
  return (seconds) => {
    const slot = Math.floor(seconds / slotSeconds);
    const [last, now] = [slotAt(slot - 1), slotAt(slot)];
    const share = easeInOut((seconds - now.blink) / 0.09);
    const reach = (one: typeof now) => (one.isAway ? 1.3 : 0.5);
    const towards = (from: number, to: number) => from * reach(last) * (1 - share) + to * reach(now) * share;
    return {
      ...restPose,
      headAngle: 0.9 * wave(seconds, 0.11, 0) + 0.4 * wave(seconds, 0.27, 1),
      headShift: { x: 0.6 * wave(seconds, 0.13, 3), y: -0.25 - 0.25 * wave(seconds, 0.27, 7) },
      turn: { x: 0.3 * wave(seconds, 0.09, 4), y: 0.1 * wave(seconds, 0.17, 5) },
      blink: blinkAt([last.blink, now.blink], seconds),
      gaze: { x: towards(last.x, now.x), y: 0.6 * towards(last.y, now.y) },
      breath: 0.5 + 0.5 * wave(seconds, 0.27, 7),
    };
  };
}

/** Sine waves with different phases. */
function createWaves(random: () => number) {
  const phases = Array.from({ length: 8 }, () => 2 * Math.PI * random());
  return (seconds: number, hertz: number, index: number) =>
    Math.sin(2 * Math.PI * hertz * seconds + (phases[index] ?? 0));
}

function createLevelAt(loudness: Loudness | undefined) {
  if (!loudness || loudness.levels.length === 0) return () => 0.6;
  const { levels, perSecond } = loudness;
  return (seconds: number) => {
    const place = clamp(seconds * perSecond, 0, levels.length - 1);
    const [from, to] = [levels[Math.floor(place)] ?? 0, levels[Math.ceil(place)] ?? 0];
    return from + (to - from) * (place % 1);
  };
}

function emphasisAt(stresses: readonly Event[], phrases: readonly Utterance[], seconds: number) {
  let nod = 0;
  let brow = 0;
  for (const { at, weight, raisesBrows } of stresses) {
    nod += weight * bump(seconds - at, 0.14, 0.3);
    if (raisesBrows) brow += 0.55 * weight * bump(seconds - at + 0.06, 0.16, 0.5);
  }
  for (const { end, mark, isLast } of phrases) {
    if (mark === "？") brow += easeInOut((seconds - end + 0.8) / 0.3) * easeInOut((end + 0.45 - seconds) / 0.35);
    if (isLast) nod += 0.7 * bump(seconds - end + 0.05, 0.2, 0.45);
  }
  return { nod, brow };
}

interface SpokenSound {
  start: number;
  end: number;
  viseme: Viseme;
}

/** Phonemes in seconds, without rests shorter than a mouth can make; the neighbours meet in the middle. */
function readSounds(phonemes: SpokenTimeline["phonemes"]): SpokenSound[] {
  const sounds: SpokenSound[] = [];
  for (const { start, end, viseme: name } of phonemes) {
    const viseme = visemes.find((known) => known === name) ?? "sil";
    const last = sounds.at(-1);
    if (last?.viseme === viseme && viseme !== "PP") last.end = end / 1000;
    else sounds.push({ start: start / 1000, end: end / 1000, viseme });
  }
  const kept = sounds.filter(({ start, end, viseme }) => viseme !== "sil" || end - start >= shortestRestSeconds);
  for (const [index, sound] of kept.entries()) {
    const previous = kept[index - 1];
    if (!previous || sound.start - previous.end >= shortestRestSeconds) continue;
    const middle = (previous.end + sound.start) / 2;
    previous.end = middle;
    sound.start = middle;
  }
  return kept;
}

function mouthAt(sounds: readonly SpokenSound[], levelAt: (seconds: number) => number, seconds: number): Pose["mouth"] {
  const weights: Partial<Record<MouthShape, number>> = {};
  let closure = 0;
  for (let index = firstAfter(sounds, seconds - 0.2); index < sounds.length; index++) {
    const sound = sounds[index];
    if (!sound || sound.start > seconds + 0.2) break;
    const { start, end, viseme } = sound;
    const weight =
      hannStep((seconds - start) / coarticulationSeconds) - hannStep((seconds - end) / coarticulationSeconds);
    const shape = mouthShapes[viseme];
    if (weight > 0) weights[shape] = (weights[shape] ?? 0) + weight;
    if (viseme === "PP") {
      const half = Math.max(closureSeconds, end - start - 0.02) / 2;
      closure = Math.max(closure, easeInOut((half + 0.05 - Math.abs(seconds - (start + end) / 2)) / 0.05));
    }
  }
  const level = (levelAt(seconds - 0.02) + levelAt(seconds) + levelAt(seconds + 0.02)) / 3;
  return { weights, closure, size: 0.5 + 0.65 * level };
}

/** Index of the first sound that ends after the time. */
function firstAfter(sounds: readonly SpokenSound[], seconds: number): number {
  let low = 0;
  let high = sounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sounds[middle]?.end ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

const blinkAt = (blinks: readonly number[], seconds: number) =>
  blinks.reduce((most, at) => {
    const isNear = seconds > at - 0.1 && seconds < at + 0.25;
    return isNear
      ? Math.max(most, easeInOut((seconds - at + 0.08) / 0.08) * easeInOut((at + 0.2 - seconds) / 0.14))
      : most;
  }, 0);

/** Integral of a Hann window from −1 to 1: 0 before it, 1 after it. */
function hannStep(x: number): number {
  if (x <= -1) return 0;
  return x >= 1 ? 1 : (1 + x + Math.sin(Math.PI * x) / Math.PI) / 2;
}
