import type { Context } from "./context";
import written from "./patterns.json" with { type: "json" };

const reach = 6;
const patterns: Record<string, Record<string, readonly string[]> | undefined> = written;

/**
 * Returns the reading of the first pattern that matches around the character, or null. A pattern sees a bar before each
 * word and the character in angle brackets: |慢慢|<地>|走.
 */
export function findByPattern({ characters, words, at }: Context): string | null {
  const byReading = patterns[characters[at] ?? ""];
  if (!byReading) return null;
  const from = Math.max(0, at - reach);
  const marked = characters.slice(from, at + reach + 1).map((character, index) => {
    const bar = words.starts[from + index] === from + index ? "|" : "";
    return bar + (from + index === at ? `<${character}>` : character);
  });
  const isMatch = (pattern: string) => new RegExp(pattern, "u").test(marked.join(""));
  return Object.keys(byReading).find((reading) => byReading[reading]?.some(isMatch)) ?? null;
}
