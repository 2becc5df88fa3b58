const maxDepth = 64;

/** Parses text from a stranger: throws on nesting that would overflow a recursive reader, and drops `__proto__` keys. */
export function parseUntrustedJson(text: string): unknown {
  const isPlain = !text.includes("__proto__") && !text.includes("\\u");
  // A reviver goes down into what it is given, so that is measured before.
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw new SyntaxError("JSON is nested too deeply");
  return isPlain ? value : JSON.parse(text, (key, part) => (key === "__proto__" ? undefined : part));
}

/** Whether something nests deeper than any call takes: writing it as JSON could overflow the stack. */
export const isTooDeep = (value: unknown): boolean => isDeeper(value, maxDepth);

/** The text a browser sent; "" where it sent something else. */
export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? `${value}` : "";

/** Goes no deeper than it asks. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  for (const part of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(part, depth - 1)) return true;
  return false;
}
