import type { Mastered } from "../voices/ports";

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

/**
 * All lines as one sound. Each comes mastered to the house's loudness and keeps the volume that was asked for it, so levels
 * do not jump and nothing is levelled twice. The timeline's units carry their line, counted from 0.
 */
export function assemble(lines: PlacedLine[]): Mastered {
  const sampleRate = lines[0]?.sound.sampleRate ?? 22_050;
  if (lines.some(({ sound }) => sound.sampleRate !== sampleRate)) throw new Error("lines of different rates");
  const toSamples = (ms: number) => Math.round((ms * sampleRate) / 1000);
  const last = lines.at(-1);
  const restMs = last
    ? last.beginsMs + Math.max(lengthMs(last.sound), soundingMs(last.sound) + last.pauseAfter * 1000)
    : 0;
  const pcm = new Int16Array(toSamples(restMs));
  for (const [number, { beginsMs, sound }] of lines.entries()) {
    const from = toSamples(beginsMs);
    const next = lines[number + 1];
    const room = (next ? toSamples(next.beginsMs) : pcm.length) - from;
    pcm.set(sound.pcm.subarray(0, Math.max(0, room)), from);
  }
  const timeline = joinTimelines(lines, (pcm.length / sampleRate) * 1000);
  const spokenBy = [...new Set(lines.flatMap(({ sound }) => sound.spokenBy?.split(",") ?? []))].sort().join(",");
  return { pcm, sampleRate, ...(timeline && { timeline }), ...(spokenBy && { spokenBy }) };
}

function joinTimelines(lines: PlacedLine[], durationMs: number): Mastered["timeline"] {
  const units = [];
  const phonemes = [];
  for (const [line, { beginsMs, sound }] of lines.entries()) {
    if (!sound.timeline) return undefined;
    const later = <T extends { start: number; end: number }>(item: T): T => ({
      ...item,
      start: Math.round(item.start + beginsMs),
      end: Math.round(item.end + beginsMs),
    });
    units.push(...sound.timeline.units.map((unit) => ({ ...later(unit), line })));
    phonemes.push(...sound.timeline.phonemes.map(later));
  }
  const sampleRate = lines[0]?.sound.sampleRate ?? 22_050;
  return { sampleRate, durationMs: Math.round(durationMs), units, phonemes };
}
