import type { TimelineUnit } from "../../../../speech/engine";
import { displayText, splitDisplayText } from "./display-text";

/** In whole milliseconds of the dub; cues never overlap. */
export interface Cue {
  start: number;
  end: number;
  text: string;
  /** Name of the speaker. */
  name: string;
}

/** A finished line with its place in the dub. */
export interface SpokenLine {
  content: string;
  name: string;
  beginsMs: number;
  durationMs: number;
  /** Interval of the imported subtitle: such a line stays one cue with its interval. */
  startMs: number | null;
  endMs: number | null;
  overrunMs: number;
}

type UnitPlace = Pick<TimelineUnit, "offset" | "start" | "end">;

/** The cues of all lines. `units` is empty for engines without a timeline. */
export function toCues(lines: SpokenLine[], units: TimelineUnit[]): Cue[] {
  const cues: Cue[] = [];
  const imported = new Set<number>();
  for (const [number, line] of lines.entries()) {
    const spoken = units.filter((unit) => unit.line === number);
    const nextMs = lines[number + 1]?.beginsMs ?? Number.POSITIVE_INFINITY;
    for (const cue of cuesOf(line, spoken)) {
      const start = Math.max(Math.round(cue.start), cues.at(-1)?.end ?? 0);
      const end = Math.max(start + 1, Math.round(Math.min(cue.end, nextMs)));
      cues.push({ start, end, text: cue.text, name: line.name });
      if (isSubtitle(line)) imported.add(cues.length - 1);
    }
  }
  return cues.map((cue, index) => (imported.has(index) ? cue : { ...cue, end: endOf(cue, cues[index + 1]) }));
}

/** The minimum time to read a cue. */
const readableMs = 1000;
const endOf = ({ start, end }: Cue, next: Cue | undefined) =>
  Math.max(end, Math.min(start + readableMs, next?.start ?? Number.POSITIVE_INFINITY));

const isSubtitle = ({ startMs, endMs }: SpokenLine) => startMs !== null || endMs !== null;

function cuesOf(line: SpokenLine, units: UnitPlace[]): Array<Omit<Cue, "name">> {
  const { content, beginsMs, durationMs, endMs, overrunMs } = line;
  const audibleUntil = units.reduce((last, { end }) => Math.max(last, end), 0) || beginsMs + durationMs;
  if (isSubtitle(line)) {
    const end = endMs === null ? audibleUntil : endMs + overrunMs;
    return [{ start: beginsMs, end, text: displayText(content) }];
  }
  const pieces = splitDisplayText(content);
  const share = (offset: number) => beginsMs + ((audibleUntil - beginsMs) * offset) / Math.max(1, content.length);
  return pieces.map(({ text, from, to }, index) => {
    const within = units.filter(({ offset }) => offset >= from && offset < to);
    const start = index === 0 ? beginsMs : Math.min(...within.map((unit) => unit.start));
    const end = Math.max(...within.map((unit) => unit.end));
    return within.length > 0 ? { start, end, text } : { start: share(from), end: share(to), text };
  });
}
