import { emphasisMarks } from "../contract/marks";
import { easeInOut } from "./pose";
import type { SpokenTimeline } from "./spoken-timeline";

type Units = SpokenTimeline["units"];

/** Words between two pauses or marks; times in seconds. */
export interface Utterance {
  start: number;
  end: number;
  /** Indices of its units. */
  units: number[];
  /** The punctuation mark that follows; empty if the text is not known. */
  mark: string;
  /** Ends a sentence. */
  isLast: boolean;
}

/** An emphasised syllable. */
export interface Event {
  at: number;
  weight: number;
  raisesBrows: boolean;
}

/** A pause this long ends a phrase without a mark. */
const phrasePauseMs = 160;

/** Phrases of a timeline, by the text's marks and by pauses. */
export function readPhrases(units: Units, text: string): Utterance[] {
  const phrases: Utterance[] = [];
  let current: Utterance | undefined;
  for (const [index, unit] of units.entries()) {
    const next = units[index + 1];
    if (!current) {
      current = { start: unit.start / 1000, end: 0, units: [], mark: "", isLast: false };
      phrases.push(current);
    }
    current.end = unit.end / 1000;
    current.units.push(index);
    const between = text.slice(unit.offset + unit.text.length, next?.offset ?? text.length);
    const mark = /[。！？；，、：…,.!?;:]/u.exec(between)?.[0]?.replace("?", "？") ?? "";
    if (next && !mark && next.start - unit.end <= phrasePauseMs) continue;
    current.mark = mark;
    current.isLast = !next || /[。！？.!]/u.test(mark);
    current = undefined;
  }
  return phrases;
}

interface StressSource {
  text: string;
  levelAt(seconds: number): number;
}

/** Syllables louder and longer than their phrase, at most one in 0.55 s, and those that the text marks [重读]. */
export function planStresses(units: Units, phrases: readonly Utterance[], { text, levelAt }: StressSource): Event[] {
  const stresses: Event[] = [];
  const isFree = (at: number) => stresses.every((other) => Math.abs(other.at - at) >= 0.55);
  for (const phrase of phrases) {
    const syllables = phrase.units
      .flatMap((index) => units[index] ?? [])
      .map(({ start, end, tone, offset }) => ({
        at: (start + 0.35 * (end - start)) / 1000,
        isMarked: text.slice(0, offset).endsWith(emphasisMarks.start),
        score: peakBetween(levelAt, start, end) + (end - start) / 600 + toneScore(tone),
      }))
      .sort((a, b) => Number(b.isMarked) - Number(a.isMarked) || b.score - a.score);
    const best = syllables[0]?.score ?? 0;
    for (const { at, score, isMarked } of syllables) {
      if (!isMarked && (score < best - 0.3 || !isFree(at))) continue;
      const isStrongest = isMarked || score === best;
      stresses.push({
        at,
        weight: isStrongest ? 1 : 0.55,
        raisesBrows: isMarked || (isStrongest && syllables.length > 3),
      });
    }
  }
  return stresses;
}

/** Falling tones sound stressed, neutral ones never do. */
const toneScore = (tone: number | undefined) => (tone === 4 ? 0.15 : tone === 5 ? -0.4 : 0);

function peakBetween(levelAt: (seconds: number) => number, startMs: number, endMs: number): number {
  let peak = 0;
  for (let ms = startMs; ms < endMs; ms += 20) peak = Math.max(peak, levelAt(ms / 1000));
  return peak;
}

interface BlinkSource {
  endSeconds: number;
  random: () => number;
}

/** Blinks every 2–6 s, moved to a pause nearby, otherwise between two words. */
export function planBlinks(phrases: readonly Utterance[], units: Units, { endSeconds, random }: BlinkSource): number[] {
  const pauses = phrases.map(({ end }) => end + 0.04);
  const borders = units.map(({ end }) => end / 1000);
  const nearest = (times: number[], at: number) =>
    times.reduce((best, time) => (Math.abs(time - at) < Math.abs(best - at) ? time : best), Number.POSITIVE_INFINITY);
  const blinks: number[] = [];
  for (let target = 0.6 + random(); target < endSeconds - 0.3; ) {
    const [pause, border] = [nearest(pauses, target), nearest(borders, target)];
    const at = Math.abs(pause - target) < 1.1 ? pause : Math.abs(border - target) < 0.4 ? border : target;
    if (at - (blinks.at(-1) ?? -9) > 1.2) blinks.push(at);
    target = Math.max(target, at) + 2 + 3.2 * random();
  }
  return blinks;
}

interface Glance {
  at: number;
  x: number;
  y: number;
}

/** Plans the gaze, changed every 0.7–2 s; away for a moment before some phrases. */
export function planGlances(phrases: readonly Utterance[], endSeconds: number, random: () => number): Glance[] {
  const glances: Glance[] = [{ at: -1, x: 0, y: 0 }];
  for (let at = 0.5; at < endSeconds; at += 0.7 + 1.3 * random())
    glances.push({ at, x: 0.5 * (random() - 0.5), y: 0.3 * (random() - 0.5) });
  for (const { start } of phrases) {
    if (random() > 0.35 || start < 1) continue;
    glances.push(
      { at: start - 0.25, x: random() < 0.5 ? -1 : 1, y: -0.5 * random() },
      { at: start + 0.25, x: 0, y: 0 },
    );
  }
  return glances.sort((a, b) => a.at - b.at);
}

interface Posture {
  at: number;
  roll: number;
  yaw: number;
  pitch: number;
}

/** A posture for each phrase; most phrases change sides. */
export function planPostures(phrases: readonly Utterance[], random: () => number): Posture[] {
  let side = random() < 0.5 ? -1 : 1;
  const postures = phrases.map(({ start, mark }) => {
    if (random() < 0.7) side = -side;
    const roll = side * (0.3 + 0.9 * random()) * (mark === "？" ? 1.3 : 1);
    return { at: start - 0.4, roll, yaw: side * (0.2 + 0.6 * random()), pitch: 0.4 * (random() - 0.6) };
  });
  return [{ at: -9, roll: 0, yaw: 0, pitch: 0 }, ...postures];
}

/** Eases from each entry to the next one within `seconds` after its time. */
export function blend<Entry extends { at: number }>(
  entries: readonly Entry[],
  now: number,
  seconds: number,
): Omit<Entry, "at"> {
  let index = entries.length - 1;
  while (index > 0 && (entries[index]?.at ?? 0) > now) index--;
  const to = entries[index] as Entry;
  const from = entries[index - 1] ?? to;
  const share = easeInOut((now - to.at) / seconds);
  const mixed = { ...to };
  for (const key of Object.keys(to) as (keyof Entry)[])
    mixed[key] = ((from[key] as number) + ((to[key] as number) - (from[key] as number)) * share) as Entry[keyof Entry];
  return mixed;
}
