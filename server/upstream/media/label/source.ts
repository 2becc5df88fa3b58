/** Bytes that can be read in any place: memory, or a stored file of which only the ends are needed. */
export interface ByteSource {
  size: number;
  /** Both ends inclusive; at the end of the file it answers with fewer bytes. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A labelled file: `before`, then the file from byte `from` to its end, then `after`. */
export interface LabelPieces {
  before: Uint8Array;
  from: number;
  after: Uint8Array;
}

export function sourceOf(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end + 1) };
}

export const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
