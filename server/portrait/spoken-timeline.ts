import { visemes } from "./pose";

/** The part of a sound's timeline that moves a face; times in milliseconds. */
export interface SpokenTimeline {
  durationMs: number;
  units: readonly { text: string; offset: number; tone?: number; start: number; end: number }[];
  phonemes: readonly { start: number; end: number; viseme: string }[];
}

/** A sound that plays, as a face needs it. */
export interface Speech {
  /** The sound's address: the same sound moves the same way. */
  id: string;
  timeline: SpokenTimeline | null;
  loudness?: Loudness | undefined;
  /** Place in the sound; null while it is not known. */
  seconds(): number | null;
}

/** Loudness from 0 to 1 at equal steps. */
export interface Loudness {
  perSecond: number;
  levels: readonly number[];
}

type TimelineUnit = SpokenTimeline["units"][number];

type Phoneme = SpokenTimeline["phonemes"][number];

/** Reads a timeline as engines send it, in the order of time; null without mouth shapes. */
export function parseSpokenTimeline(value: unknown): SpokenTimeline | null {
  const phonemes = listOf(value, "phonemes").flatMap(toPhoneme).sort(byStart);
  if (phonemes.length === 0) return null;
  const durationMs = fieldOf(value, "durationMs");
  return {
    durationMs: typeof durationMs === "number" ? durationMs : (phonemes.at(-1)?.end ?? 0),
    units: listOf(value, "units").flatMap(toUnit).sort(byStart),
    phonemes,
  };
}

const byStart = (a: { start: number }, b: { start: number }) => a.start - b.start;

function toPhoneme(value: unknown): Phoneme[] {
  const span = spanOf(value);
  const viseme = visemes.find((name) => name === fieldOf(value, "viseme"));
  return span && viseme ? [{ ...span, viseme }] : [];
}

function toUnit(value: unknown): TimelineUnit[] {
  const span = spanOf(value);
  const [text, offset, tone] = ["text", "offset", "tone"].map((key) => fieldOf(value, key));
  if (!span || typeof text !== "string" || typeof offset !== "number") return [];
  return [{ ...span, text, offset, ...(typeof tone === "number" && { tone }) }];
}

function spanOf(value: unknown): { start: number; end: number } | null {
  const [start, end] = [fieldOf(value, "start"), fieldOf(value, "end")];
  return typeof start === "number" && typeof end === "number" && end > start ? { start, end } : null;
}

function listOf(value: unknown, key: string): unknown[] {
  const list = fieldOf(value, key);
  return Array.isArray(list) ? list : [];
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
