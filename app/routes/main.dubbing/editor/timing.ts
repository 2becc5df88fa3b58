import { countCharacters } from "~server/contract/marks";
import { isBlank, type ScriptLine } from "./script";

/** The subtitle's place of a line, and what to do where its speech is longer. */
export type LineTiming = Pick<ScriptLine, "startMs" | "endMs" | "speedUpMax" | "mayOverrun">;

/** A line without it follows the line before it. */
export const untimed: LineTiming = {
  startMs: undefined,
  endMs: undefined,
  speedUpMax: undefined,
  mayOverrun: undefined,
};

const toTiming = ({ startMs, endMs, speedUpMax, mayOverrun }: LineTiming): LineTiming => ({
  startMs,
  endMs,
  speedUpMax,
  mayOverrun,
});

/** Key of a line's overrun: the length of its place and its allowed speed; null without subtitle times. */
export const timingKeyOf = ({ startMs, endMs, speedUpMax }: LineTiming) =>
  startMs === undefined || endMs === undefined ? null : `${endMs - startMs} ${speedUpMax ?? ""}`;

/** Divides the place by the characters before and after `offset`; a part without text has none. */
export function splitTiming(line: ScriptLine, offset: number): [LineTiming, LineTiming] {
  const whole = toTiming(line);
  const [before, after] = [line.content.slice(0, offset), line.content.slice(offset)];
  if (isBlank({ content: before })) return [untimed, whole];
  if (isBlank({ content: after })) return [whole, untimed];
  const { startMs, endMs } = line;
  if (startMs === undefined || endMs === undefined) return [whole, untimed];
  const [first, second] = [countCharacters(before), countCharacters(after)];
  const middleMs = Math.round(startMs + (endMs - startMs) * (first / Math.max(1, first + second)));
  return [
    { ...whole, endMs: middleMs },
    { ...whole, startMs: middleMs },
  ];
}

/** The place of two joined lines: from the begin of the first to the end of the second. */
export function joinTiming(first: ScriptLine, second: ScriptLine): LineTiming {
  if (isBlank(first)) return toTiming(second);
  if (isBlank(second) || second.endMs === undefined || first.startMs === undefined) return toTiming(first);
  return { ...toTiming(first), endMs: Math.max(first.endMs ?? first.startMs, second.endMs) };
}

const startsOf = (lines: readonly ScriptLine[]) => lines.flatMap(({ startMs }) => startMs ?? []);

/** The line for a place between others; without its time if that is not between theirs. */
export function withTimeBetween(line: ScriptLine, before: readonly ScriptLine[], after: readonly ScriptLine[]) {
  const { startMs } = line;
  if (startMs === undefined) return line;
  const isLater = startsOf(before).every((start) => start <= startMs);
  return isLater && startsOf(after).every((start) => start >= startMs) ? line : { ...line, ...untimed };
}

/**
 * Lines with times of their own for a place between others: after the last of a script they begin when it ends, if
 * their times are earlier; amid its times they lose theirs, if they do not fit.
 */
export function placeBetween(
  added: readonly ScriptLine[],
  before: readonly ScriptLine[],
  after: readonly ScriptLine[],
): readonly ScriptLine[] {
  const [firstMs] = startsOf(added);
  if (firstMs === undefined) return added;
  const endMs = Math.max(0, ...before.flatMap((line) => line.endMs ?? line.startMs ?? []));
  if (startsOf(after).length > 0) {
    const untilMs = Math.min(...startsOf(after));
    const fits = firstMs >= endMs && added.every((line) => (line.endMs ?? line.startMs ?? 0) <= untilMs);
    return fits ? added : added.map((line) => ({ ...line, ...untimed }));
  }
  if (firstMs >= endMs) return added;
  const later = (ms: number | undefined) => (ms === undefined ? undefined : ms + endMs);
  return added.map((line) => ({ ...line, startMs: later(line.startMs), endMs: later(line.endMs) }));
}
