import type { DubChapter } from "~server/contract/calls/dubs";
import { countCharacters, lineKey } from "~server/contract/marks";
import type { MusicSettings, MusicTrack } from "~server/contract/music";

/** Tone of a line. `genre`: 0 the role's own tone, 1 a reference recording, 2 emotions. */
export interface Delivery {
  speed: number;
  /** Semitones. */
  pitch?: number | undefined;
  /** Decibels. */
  volume?: number | undefined;
  genre: 0 | 1 | 2;
  /** Emotion weights by name, 0 to 1. */
  ext?: Readonly<Record<string, number>> | undefined;
  emotionPath?: string | undefined;
}

export interface ScriptLine extends Delivery {
  id: string;
  roleId: string;
  /** With its marks: `#0.5#` for a pause, `char(xing2)` for a reading. */
  content: string;
  /** Subtitle times, milliseconds. */
  startMs?: number | undefined;
  endMs?: number | undefined;
  /** The factor by which it may be spoken faster to end in time; absent for the usual one. */
  speedUpMax?: number | undefined;
  /** It may last longer than its subtitle. */
  mayOverrun?: boolean | undefined;
  /** The page of a lesson's file that the line speaks for, from 1. */
  page?: number | undefined;
  /** The text of a page that is left out for now; its content is "" meanwhile. */
  hiddenText?: string | undefined;
  /** The speaker was guessed at the import. */
  isUnsure?: boolean | undefined;
  /** Seconds of silence after the line; costs nothing and changes no sound of the line. */
  pauseAfter?: number | undefined;
}

/** Music under the speech. */
export interface ScriptMusic extends MusicSettings {
  track: MusicTrack;
  /** Address of an uploaded file; then its name, and its loudness in LUFS if known. */
  musicPath?: string | undefined;
  name?: string | undefined;
  loudness?: number | undefined;
}

export interface Script {
  title: string;
  /** Its place in a book that was imported. */
  chapter?: DubChapter | undefined;
  music?: ScriptMusic | undefined;
  lines: readonly ScriptLine[];
}

/** A role as the script displays it. */
export interface Speaker {
  roleId: string;
  name: string;
  avatar: string;
  portrait: unknown;
}

let createdLines = 0;
/** Unique among the lines of every draft in this browser. */
const newLineId = () =>
  `${Date.now().toString(36)}-${(createdLines++).toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

/** Builds a line with the default delivery and a new id where these are not given. */
export const createLine = (line: Partial<ScriptLine> & { roleId: string }): ScriptLine => ({
  speed: 1,
  genre: 0,
  content: "",
  ...line,
  id: line.id ?? newLineId(),
});

export const toGenre = (genre: unknown): Delivery["genre"] => (genre === 1 || genre === 2 ? genre : 0);

export function toDelivery({ speed, pitch, volume, genre, ext, emotionPath }: Delivery): Delivery {
  return { speed, pitch, volume, genre, ext, emotionPath };
}

export const isBlank = ({ content }: Pick<ScriptLine, "content">) => content.trim() === "";

/** Cached because every key press asks for all lines; an edit replaces a line's object. */
const cachedKeys = new WeakMap<ScriptLine, string>();
const cachedCounts = new WeakMap<ScriptLine, number>();

/** Equal for two lines that sound the same. */
export const lineKeyOf = (line: ScriptLine): string => cached(cachedKeys, line, lineKey);

/** Billed characters of a line. */
export const countLineCharacters = (line: ScriptLine): number =>
  cached(cachedCounts, line, ({ content }) => countCharacters(content));

/** Computes a value of a line once; an edit replaces the line. */
export function cached<Value>(
  cache: WeakMap<ScriptLine, Value>,
  line: ScriptLine,
  compute: (line: ScriptLine) => Value,
): Value {
  const found = cache.get(line);
  if (found !== undefined) return found;
  const value = compute(line);
  cache.set(line, value);
  return value;
}

/**
 * The cost of the lines whose key is not in `generated`: their indexes in `changed`, and their characters. Of lines with
 * the same key only the first counts.
 */
export function computeCost(lines: readonly ScriptLine[], generated: { has(key: string): boolean }) {
  const counted = new Set<string>();
  const changed: number[] = [];
  let characters = 0;
  lines.forEach((line, index) => {
    const key = lineKeyOf(line);
    if (isBlank(line) || generated.has(key) || counted.has(key)) return;
    counted.add(key);
    changed.push(index);
    characters += countLineCharacters(line);
  });
  return { changed, characters };
}

/** Consecutive lines that the page lays out together. */
export interface LineGroup {
  key: number;
  lines: readonly ScriptLine[];
}

const groupSize = 8;

/**
 * Divides lines into groups. A line stays in its group of `previous` while its neighbours do, so that its row is not
 * mounted again; an added or moved line joins the group before it. Unchanged groups are the same objects.
 */
export function groupLines(lines: readonly ScriptLine[], previous: readonly LineGroup[]): LineGroup[] {
  const keyOf = new Map(previous.flatMap((group) => group.lines.map(({ id }) => [id, group.key])));
  const sizeOf = (key: number | undefined) => previous.find((group) => group.key === key)?.lines.length ?? 0;
  const used = new Set<number>();
  let nextKey = previous.reduce((next, { key }) => Math.max(next, key + 1), 0);
  const groups: Array<{ key: number; lines: ScriptLine[] }> = [];
  lines.forEach((line, index) => {
    const current = groups.at(-1);
    const known = keyOf.get(line.id);
    const nextKnown = keyOf.get(lines[index + 1]?.id ?? "");
    const isInside = current !== undefined && nextKnown === current.key;
    const isMovedToTop = !current && nextKnown !== undefined && nextKnown !== known && sizeOf(known) > 1;
    const isKnown = known !== undefined && !used.has(known) && !isInside && !isMovedToTop;
    const isFull = known === undefined && !isInside && current && current.lines.length % groupSize === 0;
    if (current && (current.key === known || !(isKnown || isFull))) {
      current.lines.push(line);
      return;
    }
    const key = isKnown ? known : nextKey++;
    used.add(key);
    groups.push({ key, lines: [line] });
  });
  const before = new Map(previous.map((group) => [group.key, group]));
  return groups.map((group) => {
    const old = before.get(group.key);
    const isSame = old?.lines.length === group.lines.length && old.lines.every((line, at) => line === group.lines[at]);
    return isSame ? old : group;
  });
}
