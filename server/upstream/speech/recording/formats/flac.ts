import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingError, tagBytes } from "../format";
import { createMonoCollector, type DecodeBounds, maxSamples } from "../mono";
import { createBitReader } from "./bits";
import { decodeFrame, type FlacStream } from "./flac-frame";

/** Damaged frames, or places that only look like one, before the rest of the file is given up. */
const maxDamaged = 500;

/** FLAC (RFC 9639). Damaged frames are left out and make the recording incomplete. */
export function decodeFlac(bytes: Uint8Array, bounds: DecodeBounds): MonoRecording & { complete: boolean } {
  const { stream, totalSamples, framesAt } = readMetadata(bytes);
  if (totalSamples > maxSamples(stream.sampleRate, bounds)) throw recordingError("too-long");
  const mono = createMonoCollector(bounds);
  const reader = createBitReader(bytes);
  let at = framesAt;
  let heard = 0;
  let damaged = 0;
  while (at >= 0 && at + 6 < bytes.length && damaged < maxDamaged) {
    if (bytes[at] !== 0xff || ((bytes[at + 1] as number) & 0xfe) !== 0xf8) {
      at = bytes.indexOf(0xff, at + 1);
      continue;
    }
    reader.seek(at);
    const frame = decodeFrame(reader, stream);
    if (frame === null || checksum(bytes, at, reader.bytePosition()) !== 0) {
      damaged++;
      at++;
      continue;
    }
    heard += frame[0]?.length ?? 0;
    mono.add(frame, stream.sampleRate);
    at = reader.bytePosition();
  }
  const complete = damaged === 0 && (totalSamples === 0 || heard === totalSamples);
  return { ...mono.finish(), complete };
}

function readMetadata(bytes: Uint8Array): { stream: FlacStream; totalSamples: number; framesAt: number } {
  const start = tagBytes(bytes) + 4;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (start + 38 > bytes.length || (view.getUint8(start) & 0x7f) !== 0) throw recordingError("damaged");
  const packed = view.getUint32(start + 14);
  const stream = {
    sampleRate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
  };
  const totalSamples = (packed & 15) * 2 ** 32 + view.getUint32(start + 18);
  let at = start;
  for (let isLast = false; !isLast; ) {
    if (at + 4 > bytes.length) throw recordingError("damaged");
    const block = view.getUint32(at);
    isLast = block >>> 31 === 1;
    at += 4 + (block & 0xffffff);
  }
  return { stream, totalSamples, framesAt: at };
}

/** CRC-16 with polynomial 0x8005; 0 over a whole frame with its own checksum at the end. */
function checksum(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0;
  for (let at = from; at < to; at++) {
    crc = ((crc << 8) & 0xffff) ^ (checksums[(crc >> 8) ^ (bytes[at] as number)] as number);
  }
  return crc;
}

const checksums = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0)) & 0xffff;
  return crc;
});
