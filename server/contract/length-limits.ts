import {
  pauseMaxSeconds,
  scriptCharactersMax,
  scriptPauseMaxMinutes,
  scriptSoundMaxHours,
  soundMaxMinutes,
  speedMin,
} from "./limits";
import { parseMarks } from "./marks";

/** Excess of characters in a script; `line` counted from 0, null if the whole script is too long. */
export interface ScriptExcess {
  line: number | null;
  need: number;
  limit: number;
}

interface Allowed {
  tier: "vip" | "svip" | null;
  /** Characters per generation. */
  limit: number;
}

/**
 * Members' scripts are bounded line by line, because a line is a generation, and as a whole by `scriptCharactersMax`. Without
 * a tier one trial makes one generation, so the whole script has room for one. `lines` are the characters of each line.
 */
export function findScriptExcess(lines: readonly number[], { tier, limit }: Allowed): ScriptExcess | null {
  const total = lines.reduce((sum, characters) => sum + characters, 0);
  if (tier === null) return total > limit ? { line: null, need: total, limit } : null;
  const line = lines.findIndex((characters) => characters > limit);
  if (line >= 0) return { line, need: lines[line] as number, limit };
  return total > scriptCharactersMax ? { line: null, need: total, limit: scriptCharactersMax } : null;
}

/** Settings that decide how long one generation sounds. */
export interface Timed {
  content: string;
  /** Missing, or outside what a request may carry, it reads as 1. */
  speed?: number | undefined;
  /** Seconds of silence after it. */
  pauseAfter?: number | undefined;
  /** The subtitle's place in a script, milliseconds. */
  startMs?: number | undefined;
  endMs?: number | undefined;
}

export type LengthCode = "pauses-too-long" | "sound-too-long";

/** Excess of length; `need` and `limit` in seconds, `line` counted from 0 and null for the whole script. */
export interface LengthFault {
  code: LengthCode;
  need: number;
  limit: number;
  line: number | null;
}

/** Slow estimates at speed 1. Digits and symbols are read as several syllables. */
const hanMs = 400;
const otherMs = 600;

/** Milliseconds of all pause marks and of `pauseAfter`. */
export function pausesOf({ content, pauseAfter = 0 }: Timed): number {
  const marks = parseMarks(content).reduce((sum, mark) => sum + (mark.kind === "pause" ? mark.pauseMs : 0), 0);
  return marks + Math.max(0, pauseAfter) * 1000;
}

/** Milliseconds that a generation sounds at the most, its pauses included. Grows with the text, never with the speed. */
export function estimateSoundMs(timed: Timed): number {
  let spokenMs = 0;
  for (const mark of parseMarks(timed.content)) {
    if (mark.kind === "reading") spokenMs += hanMs;
    if (mark.kind === "text") for (const point of mark.text) spokenMs += msOf(point);
  }
  const { speed = 1 } = timed;
  return spokenMs / (speed >= speedMin ? speed : 1) + pausesOf(timed);
}

const isHan = /\p{Script=Han}/u;
const isSilent = /[\s\p{P}]/u;

function msOf(point: string): number {
  if (isHan.test(point)) return hanMs;
  return isSilent.test(point) && !/[%‰#&@/]/.test(point) ? hanMs / 2 : otherMs;
}

/** The first limit that one generation exceeds; null if it keeps all. */
export function findLengthFault(timed: Timed): LengthFault | null {
  return (
    faultOf("pauses-too-long", pausesOf(timed), pauseMaxSeconds) ??
    faultOf("sound-too-long", estimateSoundMs(timed), soundMaxMinutes * 60)
  );
}

/**
 * The same for a script: each line is a separate generation, and the silence and the sound of all are bounded as well.
 * Silence is what marks and `pauseAfter` add what is left before a subtitle's
 * place and behind the last one.
 */
export function findScriptLengthFault(lines: readonly Timed[]): LengthFault | null {
  let silenceMs = 0;
  let endsMs = 0;
  for (const [line, timed] of lines.entries()) {
    const fault = findLengthFault(timed);
    if (fault) return { ...fault, line };
    const gapMs = Math.max(0, (timed.startMs ?? 0) - endsMs);
    const spokenMs = estimateSoundMs(timed);
    // The sound lasts until the last subtitle ends.
    const isLast = line === lines.length - 1;
    const tailMs = isLast ? Math.max(0, (timed.endMs ?? 0) - endsMs - gapMs - spokenMs) : 0;
    silenceMs += pausesOf(timed) + gapMs + tailMs;
    endsMs += spokenMs + gapMs + tailMs;
    const whole =
      faultOf("pauses-too-long", silenceMs, scriptPauseMaxMinutes * 60) ??
      faultOf("sound-too-long", endsMs, scriptSoundMaxHours * 3600);
    if (whole) return whole;
  }
  return null;
}

function faultOf(code: LengthCode, ms: number, limit: number): LengthFault | null {
  return ms > limit * 1000 ? { code, need: Math.ceil(ms / 1000), limit, line: null } : null;
}
