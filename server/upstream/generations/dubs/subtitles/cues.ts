import type { TimelineUnit } from "../../../speech/engine";
import { shownText, splitShown } from "./pieces";

/** Whole milliseconds in the dub; cues never overlap. */
export interface Cue {
  start: number;
  end: number;
  text: string;
  /** Who speaks. */
  name: string;
}

/** A finished line where it stands in the dub. */
export interface SpokenLine {
  content: string;
  name: string;
  beginsMs: number;
  durationMs: number;
  /** The subtitle it came from; such a line stays one cue, and stands as long as it stood. */
  startMs: number | null;
  endMs: number | null;
  overrunMs: number;
}

type Place = Pick<TimelineUnit, "offset" | "start" | "end">;

/** What is to be read while each line is heard. `units` may be missing for engines that give no timeline. */
export function toCues(lines: SpokenLine[], units: TimelineUnit[]): Cue[] {
  const cues: Cue[] = [];
  const asGiven = new Set<number>();
  for (const [number, line] of lines.entries()) {
    const spoken = units.filter((unit) => unit.line === number);
    const nextMs = lines[number + 1]?.beginsMs ?? Number.POSITIVE_INFINITY;
    for (const cue of cuesOf(line, spoken)) {
      const start = Math.max(Math.round(cue.start), cues.at(-1)?.end ?? 0);
      const end = Math.max(start + 1, Math.round(Math.min(cue.end, nextMs)));
      cues.push({ start, end, text: cue.text, name: line.name });
      if (isSubtitle(line)) asGiven.add(cues.length - 1);
    }
  }
  return cues.map((cue, index) => (asGiven.has(index) ? cue : { ...cue, end: longEnough(cue, cues[index + 1]) }));
}

/** Nobody reads a word in the time it takes to say it. */
const readableMs = 1000;
const longEnough = ({ start, end }: Cue, next: Cue | undefined) =>
  Math.max(end, Math.min(start + readableMs, next?.start ?? Number.POSITIVE_INFINITY));

const isSubtitle = ({ startMs, endMs }: SpokenLine) => startMs !== null || endMs !== null;

function cuesOf(line: SpokenLine, units: Place[]): Array<Omit<Cue, "name">> {
  const { content, beginsMs, durationMs, endMs, overrunMs } = line;
  const heardUntil = units.reduce((last, { end }) => Math.max(last, end), 0) || beginsMs + durationMs;
  if (isSubtitle(line)) {
    const end = endMs === null ? heardUntil : endMs + overrunMs;
    return [{ start: beginsMs, end, text: shownText(content) }];
  }
  const pieces = splitShown(content);
  const share = (offset: number) => beginsMs + ((heardUntil - beginsMs) * offset) / Math.max(1, content.length);
  return pieces.map(({ text, from, to }, index) => {
    const within = units.filter(({ offset }) => offset >= from && offset < to);
    const start = index === 0 ? beginsMs : Math.min(...within.map((unit) => unit.start));
    const end = Math.max(...within.map((unit) => unit.end));
    return within.length > 0 ? { start, end, text } : { start: share(from), end: share(to), text };
  });
}
