import type { BitReader } from "./bits";
import { decodeSubframe } from "./flac-subframe";

export interface FlacStream {
  sampleRate: number;
  channels: number;
  bits: number;
}

/** Channel layouts 8–10 store one channel as the difference of two. */
const leftSide = 8;
const sideRight = 9;
const midSide = 10;
const depths = [0, 8, 12, 0, 16, 20, 24, 32];

/** One frame as channels in −1…1, or null where there is no valid one here (RFC 9639, section 9). */
export function decodeFrame(reader: BitReader, stream: FlacStream): Float32Array[] | null {
  const header = readHeader(reader, stream);
  if (header === null) return null;
  const { layout, blockSize, bits } = header;
  const channels = layout < leftSide ? layout + 1 : 2;
  const decoded: Int32Array[] = [];
  for (let channel = 0; channel < channels; channel++) {
    const isSide = layout >= leftSide && channel === (layout === sideRight ? 0 : 1);
    const samples = decodeSubframe(reader, { blockSize, bits: bits + (isSide ? 1 : 0) });
    if (samples === null) return null;
    decoded.push(samples);
  }
  reader.alignToByte();
  // The checksum; whoever knows where the frame began compares it.
  reader.read(16);
  if (reader.isPastEnd()) return null;
  undoDifference(decoded, layout);
  return decoded.map((samples) => scaled(samples, 2 ** (bits - 1)));
}

/** A plain loop: `Float32Array.from` with a function takes ten times as long, more than all the rest. */
function scaled(samples: Int32Array, fullScale: number): Float32Array {
  const floats = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) floats[i] = (samples[i] as number) / fullScale;
  return floats;
}

function readHeader(reader: BitReader, stream: FlacStream) {
  reader.read(16);
  const blockCode = reader.read(4);
  const rateCode = reader.read(4);
  const layout = reader.read(4);
  const depthCode = reader.read(3);
  const reserved = reader.read(1);
  if (blockCode === 0 || rateCode === 15 || layout > midSide || depthCode === 3 || reserved !== 0) return null;
  skipNumber(reader);
  const blockSize = readBlockSize(reader, blockCode);
  if (rateCode === 12) reader.read(8);
  if (rateCode > 12) reader.read(16);
  reader.read(8);
  const bits = depthCode === 0 ? stream.bits : (depths[depthCode] ?? 0);
  const isFitting = bits === stream.bits && (layout < leftSide ? layout + 1 : 2) === stream.channels;
  return isFitting && !reader.isPastEnd() ? { layout, blockSize, bits } : null;
}

/** The frame's number is coded like UTF-8; its length is in the first byte. */
function skipNumber(reader: BitReader): void {
  const first = reader.read(8);
  const extra = first < 0x80 ? 0 : Math.clz32(~(first << 24)) - 1;
  for (let i = 0; i < extra; i++) reader.read(8);
}

function readBlockSize(reader: BitReader, code: number): number {
  if (code === 1) return 192;
  if (code <= 5) return 576 << (code - 2);
  if (code === 6) return reader.read(8) + 1;
  if (code === 7) return reader.read(16) + 1;
  return 256 << (code - 8);
}

function undoDifference([one, other]: Int32Array[], layout: number): void {
  if (layout < leftSide || one === undefined || other === undefined) return;
  for (let i = 0; i < one.length; i++) {
    const a = one[i] as number;
    const b = other[i] as number;
    if (layout === leftSide) other[i] = a - b;
    if (layout === sideRight) one[i] = a + b;
    if (layout !== midSide) continue;
    const mid = a * 2 + (b & 1);
    one[i] = (mid + b) >> 1;
    other[i] = (mid - b) >> 1;
  }
}
