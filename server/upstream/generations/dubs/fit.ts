import type { Timeline } from "../../../speech/engine";
import type { Mastered } from "../../voices/ports";

/** −50 dBFS; below is silence. */
export const silentLevel = 104;
export const fadeMs = 25;
/** Kept of the silence before the first word: a soft consonant may lie below the level. */
const leadMs = 20;
/** What a pause inside a line shrinks to. */
const pauseMinMs = 80;

/** A silence inside a sound, in samples. */
interface Silence {
  from: number;
  to: number;
}

type Samples = Pick<Mastered, "pcm" | "sampleRate">;

/** Without the silence at its ends, and the pauses that can shrink. */
function examine({ pcm, sampleRate }: Samples) {
  const toSamples = (ms: number) => Math.round((ms * sampleRate) / 1000);
  const isLoud = (at: number) => Math.abs(pcm[at] as number) > silentLevel;
  let first = 0;
  while (first < pcm.length && !isLoud(first)) first++;
  if (first === pcm.length) return { from: 0, to: 0, pauses: [] };
  const shortest = toSamples(pauseMinMs);
  const pauses: Silence[] = [];
  let last = first;
  for (let at = first; at < pcm.length; at++) {
    if (!isLoud(at)) continue;
    if (at - last - 1 > shortest) pauses.push({ from: last + 1, to: at });
    last = at;
  }
  return {
    from: Math.max(0, first - toSamples(leadMs)),
    to: Math.min(pcm.length, last + 1 + toSamples(fadeMs)),
    pauses,
  };
}

const excessOf = ({ from, to }: Silence, sampleRate: number) => to - from - (pauseMinMs * sampleRate) / 1000;

/** Milliseconds of a line when its pauses are as short as they get. */
export function shortestMs(sound: Samples): number {
  const { from, to, pauses } = examine(sound);
  const excess = pauses.reduce((sum, pause) => sum + excessOf(pause, sound.sampleRate), 0);
  return ((to - from - excess) / sound.sampleRate) * 1000;
}

/**
 * A subtitle's line without the silence at its ends, so that its first word is heard at the subtitle's time. If it lasts
 * longer than `availableMs`, its pauses shrink, each by the same share, as far as needed.
 */
export function fitSound<Sound extends Mastered>(sound: Sound, availableMs: number): Sound {
  const { pcm, sampleRate, timeline } = sound;
  const { from, to, pauses } = examine(sound);
  const excess = pauses.reduce((sum, pause) => sum + excessOf(pause, sampleRate), 0);
  const surplus = to - from - (availableMs * sampleRate) / 1000;
  const share = excess > 0 ? Math.min(1, Math.max(0, surplus / excess)) : 0;
  const cuts: Silence[] = [{ from: 0, to: from }];
  for (const pause of pauses) {
    const length = Math.ceil(excessOf(pause, sampleRate) * share);
    // From its middle: the ends of the words stay.
    const at = pause.from + ((pause.to - pause.from - length) >> 1);
    if (length > 0) cuts.push({ from: at, to: at + length });
  }
  cuts.push({ from: to, to: pcm.length });
  return {
    ...sound,
    pcm: withoutCuts(pcm, cuts),
    ...(timeline && { timeline: cutTimeline(timeline, cuts, sampleRate) }),
  };
}

function withoutCuts(pcm: Int16Array, cuts: readonly Silence[]): Int16Array {
  const kept = new Int16Array(pcm.length - cuts.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const [index, { to }] of cuts.entries()) {
    const part = pcm.subarray(to, cuts[index + 1]?.from ?? to);
    kept.set(part, at);
    at += part.length;
  }
  return kept;
}

function cutTimeline(timeline: Timeline, cuts: readonly Silence[], sampleRate: number): Timeline {
  const moved = (ms: number) => {
    const at = (ms * sampleRate) / 1000;
    const gone = cuts.reduce((sum, { from, to }) => sum + Math.min(Math.max(at - from, 0), to - from), 0);
    return ms - (gone / sampleRate) * 1000;
  };
  const all = <Item extends { start: number; end: number }>(items: Item[]): Item[] =>
    items.map((item) => ({ ...item, start: moved(item.start), end: moved(item.end) }));
  return {
    ...timeline,
    durationMs: moved(timeline.durationMs),
    units: all(timeline.units),
    phonemes: all(timeline.phonemes),
  };
}
