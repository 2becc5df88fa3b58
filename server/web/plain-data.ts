/**
 * Encodes plain data as the line that turbo-stream 2.4's `encode` would send for it; null if it holds a value that JSON
 * does not have, other than undefined. turbo-stream sends even one line through a web stream, which took more than half of
 * the encoding's time and 7 % of a rendered terms page.
 */
export function encodePlain(data: object): string | null {
  const indices = new Map<unknown, number>();
  const texts: string[] = [];
  let isPlain = true;

  /** Each value is written once; every other place names its index. -7 and -5 are the format's undefined and null. */
  function add(value: unknown): number {
    const existing = indices.get(value);
    if (existing !== undefined) return existing;
    if (value === undefined) return -7;
    if (value === null) return -5;
    const index = texts.push("") - 1;
    indices.set(value, index);
    texts[index] = write(value);
    return index;
  }

  function write(value: unknown): string {
    if (Array.isArray(value)) return `[${Array.from(value, add).join(",")}]`;
    if (isPlainObject(value)) {
      const fields = Object.entries(value).map(([key, field]) => `"_${add(key)}":${add(field)}`);
      return `{${fields.join(",")}}`;
    }
    isPlain &&= ["string", "boolean"].includes(typeof value) || (Number.isFinite(value) && !Object.is(value, -0));
    return isPlain ? JSON.stringify(value) : "";
  }

  add(data);
  return isPlain ? `[${texts.join(",")}]\n` : null;
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
