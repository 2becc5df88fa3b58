/** `a=1&b=2`, sorted by name, as version 2 of the protocol signs it; values are not encoded. */
export const signedText = (fields: ReadonlyMap<string, string>): string =>
  [...fields]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
