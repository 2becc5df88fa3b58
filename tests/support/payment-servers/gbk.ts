let codes: Map<string, number> | undefined;

/** Encodes GBK, which Alipay uses in bills, by inverting the platform's decoder. */
export function encodeGbk(text: string): Buffer {
  codes ??= table();
  const known = codes;
  return Buffer.from(
    Array.from(text).flatMap((char) => {
      const code = char.charCodeAt(0) < 0x80 ? char.charCodeAt(0) : known.get(char);
      if (code === undefined) throw new Error(`GBK has no ${char}`);
      return code < 0x80 ? [code] : [code >> 8, code & 0xff];
    }),
  );
}

function table(): Map<string, number> {
  const decoder = new TextDecoder("gbk");
  const made = new Map<string, number>();
  for (let high = 0x81; high <= 0xfe; high++) {
    for (let low = 0x40; low <= 0xfe; low++) {
      const char = decoder.decode(Uint8Array.of(high, low));
      if (low !== 0x7f && char.length === 1 && char !== "\uFFFD") made.set(char, (high << 8) | low);
    }
  }
  return made;
}
