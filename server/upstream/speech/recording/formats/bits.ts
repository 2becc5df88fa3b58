/** Reads bits from the highest down, as FLAC packs them. Past the end it reads zeros and `isPastEnd` turns true. */
export interface BitReader {
  seek(byte: number): void;
  /** 0–32 bits, unsigned. */
  read(bits: number): number;
  /** 1–32 bits, two's complement. */
  readSigned(bits: number): number;
  /** How many zeros stand before the next one; −1 past the end. */
  readUnary(): number;
  alignToByte(): void;
  bytePosition(): number;
  isPastEnd(): boolean;
}

export function createBitReader(bytes: Uint8Array): BitReader {
  const endBit = bytes.length * 8;
  let bit = 0;
  /** Up to 25 bits lie within four bytes wherever they start. */
  const readFew = (bits: number) => {
    if (bits === 0) return 0;
    const at = bit >>> 3;
    const word =
      ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    const value = (word << (bit & 7)) >>> (32 - bits);
    bit += bits;
    return value;
  };
  const read = (bits: number) => (bits <= 25 ? readFew(bits) : readFew(bits - 16) * 65_536 + readFew(16));
  return {
    seek(byte) {
      bit = byte * 8;
    },
    read,
    readSigned(bits) {
      const value = read(bits);
      return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
    },
    readUnary() {
      const start = bit;
      while (bit < endBit) {
        const rest = (bytes[bit >>> 3] as number) & (0xff >> (bit & 7));
        if (rest !== 0) {
          bit = (bit & ~7) + Math.clz32(rest) - 24 + 1;
          return bit - 1 - start;
        }
        bit = (bit & ~7) + 8;
      }
      return -1;
    },
    alignToByte() {
      bit = (bit + 7) & ~7;
    },
    bytePosition: () => bit >>> 3,
    isPastEnd: () => bit > endBit,
  };
}
