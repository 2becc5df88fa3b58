import type { Mastered } from "../../voices/ports";

/** A line's sound with what decides where it stands. */
export interface Placeable {
  roleId: string;
  /** Seconds; 0 leaves it to us. */
  pauseAfter: number;
  /** The subtitle's place. */
  startMs: number | null;
  endMs: number | null;
}

/** A line as it stands in the whole. */
export interface PlacedLine extends Placeable {
  sound: Mastered;
  beginsMs: number;
}

/** The breath between two sentences of one speaker, and the longer one before somebody else speaks. */
const breathMs = 350;
const turnMs = 600;
/** Below −50 dBFS nothing is heard; a little more is left for the sound to fade in. */
const silentLevel = 104;
const fadeMs = 25;

/** Milliseconds until the last that is heard of it; the silence at its end does not count. */
export function soundingMs({ pcm, sampleRate }: Pick<Mastered, "pcm" | "sampleRate">): number {
  let last = pcm.length - 1;
  while (last >= 0 && Math.abs(pcm[last] as number) <= silentLevel) last--;
  return Math.min(pcm.length, last + 1 + (fadeMs * sampleRate) / 1000) / (sampleRate / 1000);
}

const lengthMs = ({ pcm, sampleRate }: Mastered) => (pcm.length / sampleRate) * 1000;

/**
 * Where a line begins behind the one before it: at its subtitle's place if that is still free, else after a natural pause or
 * the one that was asked for. Sounds never overlap. Whole milliseconds.
 */
export function beginOf(line: Placeable, before: PlacedLine | undefined): number {
  if (!before) return line.startMs ?? 0;
  const heardMs = before.beginsMs + soundingMs(before.sound);
  if (line.startMs !== null) return Math.ceil(Math.max(line.startMs, heardMs));
  const naturalMs = before.roleId === line.roleId ? breathMs : turnMs;
  const pauseMs = before.pauseAfter > 0 ? before.pauseAfter * 1000 : naturalMs;
  return Math.ceil(Math.max(before.beginsMs + lengthMs(before.sound), heardMs + pauseMs));
}

/** How much longer it is heard than its subtitle stands. */
export function overrunOf({ beginsMs, sound, endMs }: PlacedLine): number {
  return endMs === null ? 0 : Math.max(0, Math.round(beginsMs + soundingMs(sound) - endMs));
}
