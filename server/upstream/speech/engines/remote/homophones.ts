import homophones from "./homophones.json" with { type: "json" };

/**
 * A common character that is read in this way and in no other ("hang2" → 航), for servers that read characters for
 * themselves and cannot be told how; null where there is none. Of GB 2312, by how often people write them.
 */
export function homophoneOf(reading: string): string | null {
  const plain = reading.replace(/^(?!er)(.+)r([1-5])$/, "$1$2");
  return table.get(plain) ?? null;
}

const table = new Map(Object.entries(homophones));
