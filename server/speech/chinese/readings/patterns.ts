import type { ReadingContext } from "./context";
import written from "./patterns.json" with { type: "json" };

const reach = 6;
const lists: Record<string, string | undefined> = written.lists;

/** `{name}` in a pattern means any word of that list. */
function compile(pattern: string): RegExp {
  const withLists = pattern.replace(
    /\{([a-z]\w*)\}/gi,
    (_, name: string) => `(?:${lists[name]?.replaceAll(" ", "|")})`,
  );
  return new RegExp(withLists, "u");
}

const patterns = new Map(
  Object.entries(written.patterns).map(([character, byReading]) => [
    character,
    Object.entries(byReading).map(([reading, list]) => ({ reading, patterns: list.map(compile) })),
  ]),
);

/**
 * Returns the reading of the first pattern that matches around the character, or null. A pattern sees a bar before each
 * word and the character in angle brackets: |慢慢|<地>|走.
 */
export function findByPattern({ characters, words, at }: ReadingContext): string | null {
  const readings = patterns.get(characters[at] ?? "");
  if (!readings) return null;
  const from = Math.max(0, at - reach);
  const marked = characters.slice(from, at + reach + 1).map((character, index) => {
    const bar = words.starts[from + index] === from + index ? "|" : "";
    return bar + (from + index === at ? `<${character}>` : character);
  });
  const text = marked.join("");
  return readings.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)))?.reading ?? null;
}
