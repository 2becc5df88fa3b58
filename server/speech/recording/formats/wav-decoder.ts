import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingError } from "../format";
import { type DecodeBounds, MonoCollector, maxSamples } from "../mono";
import { readWavHeader, type WavHeader } from "./wav";

type ReadSample = (view: DataView, at: number) => number;

const blockFrames = 65_536;
/**
 * Decodes WAV: integers of 8–32 bits, floats of 32 or 64, the extensible header, other chunks before the data, odd chunk
 * sizes with and without padding, missing data sizes, RF64, and truncated files, which return `complete: false`.
 */
export function decodeWav(bytes: Uint8Array, bounds: DecodeBounds): MonoRecording & { complete: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = readWavHeader(view);
  if (format === null) throw recordingError("damaged");
  const { dataAt, dataBytes } = format;
  const read = sampleReader(format);
  const present = Math.min(dataBytes, bytes.length - dataAt);
  const frames = Math.floor(present / format.frameBytes);
  if (frames > maxSamples(format.sampleRate, bounds)) throw recordingError("too-long");
  const mono = new MonoCollector(bounds);
  const step = format.bits / 8;
  for (let first = 0; first < frames; first += blockFrames) {
    const length = Math.min(blockFrames, frames - first);
    const channels = Array.from({ length: format.channels }, (_, channel) => {
      const start = dataAt + first * format.frameBytes + channel * step;
      return Float32Array.from({ length }, (_unused, i) => read(view, start + i * format.frameBytes));
    });
    mono.add(channels, format.sampleRate);
  }
  return { ...mono.finish(), complete: dataBytes === Number.POSITIVE_INFINITY || present === dataBytes };
}

function sampleReader({ code, bits }: WavHeader): ReadSample {
  const reader = code === 1 ? integerReaders[bits] : code === 3 ? floatReaders[bits] : undefined;
  // Compressed WAV (ADPCM, A-law, MP3) may be decodable in the browser.
  if (reader === undefined) throw recordingError("unsupported");
  return reader;
}

const integerReaders: Record<number, ReadSample> = {
  8: (view, at) => (view.getUint8(at) - 128) / 128,
  16: (view, at) => view.getInt16(at, true) / 32768,
  24: (view, at) => (view.getUint16(at, true) + view.getInt8(at + 2) * 65536) / 8388608,
  32: (view, at) => view.getInt32(at, true) / 2147483648,
};

const floatReaders: Record<number, ReadSample> = {
  32: (view, at) => view.getFloat32(at, true),
  64: (view, at) => view.getFloat64(at, true),
};
