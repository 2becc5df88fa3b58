/** One sound of a timeline: a stretch of a line's content and when it is heard. */
export interface TimedUnit {
  /** Milliseconds. */
  start: number;
  end: number;
  /** UTF-16 place in the line's content. */
  offset: number;
  length: number;
  /** Which line of a whole dub, from 0. */
  line: number;
}

/** Reads a timeline's units in the order of time; what is not one is left out. */
export function parseUnits(timeline: unknown): TimedUnit[] {
  const units = typeof timeline === "object" && timeline !== null ? Reflect.get(timeline, "units") : null;
  if (!Array.isArray(units)) return [];
  return units.flatMap(toUnit).sort((a, b) => a.start - b.start);
}

function toUnit(unit: unknown): TimedUnit[] {
  const { start, end, offset, text, line = 0 } = (unit ?? {}) as Record<string, unknown>;
  if (typeof start !== "number" || typeof end !== "number" || typeof offset !== "number") return [];
  const length = typeof text === "string" && text.length > 0 ? text.length : 1;
  return [{ start, end, offset, length, line: typeof line === "number" ? line : 0 }];
}

/** The latest unit that has begun at a moment; it stays until the next one begins. */
export function unitAt(units: readonly TimedUnit[], atMs: number): TimedUnit | null {
  let low = 0;
  let high = units.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((units[middle]?.start ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return units[low - 1] ?? null;
}
