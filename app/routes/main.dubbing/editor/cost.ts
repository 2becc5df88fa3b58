import { countCharacters } from "~server/contract/characters";
import { lineKey } from "~server/contract/lines";
import { isBlank, type ScriptLine } from "./script";

export interface Cost {
  /** Lines that are to be paid, by their place among all; of two that sound the same the first. */
  changed: number[];
  characters: number;
}

/** Keys and counts of lines are asked for at every key press; lines never change, they are replaced. */
const keys = new WeakMap<ScriptLine, string>();
const counts = new WeakMap<ScriptLine, number>();

export const keyOf = (line: ScriptLine): string => remembered(keys, line, lineKey);
export const charactersOf = (line: ScriptLine): number =>
  remembered(counts, line, ({ content }) => countCharacters(content));

function remembered<Value>(
  known: WeakMap<ScriptLine, Value>,
  line: ScriptLine,
  compute: (line: ScriptLine) => Value,
): Value {
  const found = known.get(line);
  if (found !== undefined) return found;
  const value = compute(line);
  known.set(line, value);
  return value;
}

/** What making the script costs where everything with a key in `made` is there already; the same sound twice is made once. */
export function costOf(lines: readonly ScriptLine[], made: { has(key: string): boolean }): Cost {
  const counted = new Set<string>();
  const changed: number[] = [];
  let characters = 0;
  lines.forEach((line, index) => {
    if (isBlank(line)) return;
    const key = keyOf(line);
    if (made.has(key) || counted.has(key)) return;
    counted.add(key);
    changed.push(index);
    characters += charactersOf(line);
  });
  return { changed, characters };
}

export const totalCharacters = (lines: readonly ScriptLine[]) =>
  lines.reduce((total, line) => total + charactersOf(line), 0);
