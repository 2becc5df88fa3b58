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
  const read = (bits: number) => {
    let value = 0;
    let left = bits;
    while (left > 0) {
      const free = 8 - (bit & 7);
      const taken = Math.min(left, free);
      const byte = bytes[bit >>> 3] ?? 0;
      value = value * (1 << taken) + ((byte >> (free - taken)) & ((1 << taken) - 1));
      bit += taken;
      left -= taken;
    }
    return value;
  };
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
