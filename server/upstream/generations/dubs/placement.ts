import type { Mastered } from "../../voices/ports";
import { fadeMs, silentLevel } from "./fit";

/** A line and the conditions of its place. */
export interface Placeable {
  roleId: string;
  /** Seconds; 0 chooses a natural pause. */
  pauseAfter: number;
  /** The subtitle's interval. */
  startMs: number | null;
  endMs: number | null;
}

/** A line with its place in the dub. */
export interface PlacedLine extends Placeable {
  sound: Mastered;
  beginsMs: number;
}

/** Pauses between sentences of one speaker, and before another speaker. */
const sameSpeakerPauseMs = 350;
const otherSpeakerPauseMs = 600;

/** Length without the silence at the end, in milliseconds. */
export function audibleMs({ pcm, sampleRate }: Pick<Mastered, "pcm" | "sampleRate">): number {
  let last = pcm.length - 1;
  while (last >= 0 && Math.abs(pcm[last] as number) <= silentLevel) last--;
  return Math.min(pcm.length, last + 1 + (fadeMs * sampleRate) / 1000) / (sampleRate / 1000);
}

export const lengthMs = ({ pcm, sampleRate }: Mastered) => (pcm.length / sampleRate) * 1000;

/**
 * Start of a line after the line before it, in whole milliseconds: at its subtitle's place if that is free, else after
 * the requested or a natural pause. Sounds never overlap.
 */
export function beginOf(line: Placeable, before: PlacedLine | undefined): number {
  if (!before) return line.startMs ?? 0;
  const audibleUntilMs = before.beginsMs + audibleMs(before.sound);
  if (line.startMs !== null) return Math.ceil(Math.max(line.startMs, audibleUntilMs));
  const naturalMs = before.roleId === line.roleId ? sameSpeakerPauseMs : otherSpeakerPauseMs;
  const pauseMs = before.pauseAfter > 0 ? before.pauseAfter * 1000 : naturalMs;
  return Math.ceil(Math.max(before.beginsMs + lengthMs(before.sound), audibleUntilMs + pauseMs));
}

/** Milliseconds that a line lasts beyond its subtitle. */
export function overrunOf({ beginsMs, sound, endMs }: PlacedLine): number {
  return endMs === null ? 0 : Math.max(0, Math.round(beginsMs + audibleMs(sound) - endMs));
}
