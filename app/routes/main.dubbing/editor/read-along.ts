import { useEffect, useRef, useState } from "react";
import { createStore, type Store, useStore } from "~/ui/store";

/** The part of a line that is audible now. */
interface SpokenRange {
  lineId: string;
  /** UTF-16 offset in the line's content; -1 before the first character. */
  offset: number;
  length: number;
}

interface ReadAlongState {
  range: SpokenRange | null;
  /** Lines played before this one. */
  finishedIds: readonly string[];
}

/** Outside of React: it changes several times a second and renders one line only. */
export type ReadAlong = Store<ReadAlongState>;

const idle: ReadAlongState = { range: null, finishedIds: [] };
const finishedRange: SpokenRange = { lineId: "", offset: Number.MAX_SAFE_INTEGER, length: 0 };

export const createReadAlong = (): ReadAlong => createStore(idle);

/** The spoken range of one line, past its end once it has been played; null before. */
export const useSpokenRange = (readAlong: ReadAlong, lineId: string): SpokenRange | null =>
  useStore(readAlong, ({ range, finishedIds }) => {
    if (range?.lineId === lineId) return range;
    return finishedIds.includes(lineId) ? finishedRange : null;
  });

/** A unit of a timeline: a range of a line's content and its time in the audio. */
interface TimedUnit {
  /** Milliseconds. */
  start: number;
  end: number;
  /** UTF-16 offset in the line's content. */
  offset: number;
  length: number;
  /** Index of the line in a whole dub. */
  line: number;
}

/** Reads a timeline's units, sorted by time; skips invalid ones. */
export function parseUnits(timeline: unknown): TimedUnit[] {
  const units = typeof timeline === "object" && timeline !== null ? Reflect.get(timeline, "units") : null;
  if (!Array.isArray(units)) return [];
  return units.flatMap(parseUnit).sort((a, b) => a.start - b.start);
}

function parseUnit(unit: unknown): TimedUnit[] {
  const { start, end, offset, text, line = 0 } = (unit ?? {}) as Record<string, unknown>;
  if (typeof start !== "number" || typeof end !== "number" || typeof offset !== "number") return [];
  const length = typeof text === "string" && text.length > 0 ? text.length : 1;
  return [{ start, end, offset, length, line: typeof line === "number" ? line : 0 }];
}

/** The latest unit that starts at or before a time, or null. */
export function findUnitAt(units: readonly TimedUnit[], atMs: number): TimedUnit | null {
  let low = 0;
  let high = units.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((units[middle]?.start ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return units[low - 1] ?? null;
}

interface ReadAlongOptions {
  media: HTMLAudioElement | null;
  isPlaying: boolean;
  timelineUrl: string | undefined;
  /** Script line ids by line of the audio, null for an edited line; empty if the audio is not the script's. */
  lineIds: readonly (string | null)[];
  /** Lines played before this audio. */
  finishedIds: readonly string[];
}

/** Writes the audible range to `readAlong` in every frame of playback; returns the line that is audible. */
export function useReadAlong(readAlong: ReadAlong, options: ReadAlongOptions): string | null {
  const { media, isPlaying, timelineUrl, lineIds } = options;
  const units = useTimeline(timelineUrl);
  const [lineId, setLineId] = useState<string | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const isActive = lineIds.length > 0;

  useEffect(() => {
    if (!media || !isActive || !isPlaying) return;
    let frame = 0;
    const follow = () => {
      const unit = units ? findUnitAt(units, media.currentTime * 1000) : null;
      const { lineIds, finishedIds } = latest.current;
      const index = unit?.line ?? 0;
      const id = lineIds[index] ?? null;
      const offset = unit?.offset ?? -1;
      const finished = [...finishedIds, ...lineIds.slice(0, index).flatMap((one) => one ?? [])];
      const { range, finishedIds: known } = readAlong.get();
      const isSame = id === (range?.lineId ?? null) && (id === null || offset === range?.offset);
      if (!isSame || finished.length !== known.length) {
        const next = id === null ? null : { lineId: id, offset, length: unit?.length ?? 0 };
        readAlong.set({ range: next, finishedIds: finished });
      }
      setLineId(id);
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [media, readAlong, units, isPlaying, isActive]);

  useEffect(() => {
    if (isActive) return;
    readAlong.set(idle);
    setLineId(null);
  }, [readAlong, isActive]);

  return lineId;
}

/** The units of a timeline; null while they load, and if they cannot be loaded. */
function useTimeline(url: string | undefined): TimedUnit[] | null {
  const [loaded, setLoaded] = useState<{ url: string; units: TimedUnit[] } | null>(null);
  useEffect(() => {
    if (!url) return;
    const controller = new AbortController();
    fetch(url, { signal: controller.signal })
      .then((response) => (response.ok ? response.json() : null))
      .then((timeline: unknown) => setLoaded({ url, units: parseUnits(timeline) }))
      .catch(() => {});
    return () => controller.abort();
  }, [url]);
  return loaded?.url === url ? (loaded?.units ?? null) : null;
}
