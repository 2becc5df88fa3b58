const maxDepth = 64;

/** Parses text from a stranger: throws on nesting that would overflow a recursive reader, and drops `__proto__` keys. */
export function parseUntrustedJson(text: string): unknown {
  if (depthOf(text) > maxDepth) throw new SyntaxError("JSON is nested too deeply");
  if (!text.includes("__proto__") && !text.includes("\\u")) return JSON.parse(text);
  return JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value));
}

/** The deepest nesting of brackets outside strings. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) isString = false;
    } else if (code === 0x22) isString = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return deepest;
}
