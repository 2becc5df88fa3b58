import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingError } from "../format";
import { createMonoCollector, type DecodeBounds, maxSamples } from "../mono";

interface WavFormat {
  /** 1 integer, 3 float; resolved from the extensible header. */
  code: number;
  channels: number;
  sampleRate: number;
  bits: number;
  frameBytes: number;
}

type ReadSample = (view: DataView, at: number) => number;

const blockFrames = 65_536;
const maxChannels = 8;
/** Streaming writers store 0 or a value just below 2³¹ or 2³² as the data size. */
const unknownSize = 0x7fff0000;

/**
 * Decodes WAV: integers of 8–32 bits, floats of 32 or 64, the extensible header, other chunks before the data, odd chunk
 * sizes with and without padding, missing data sizes, and truncated files, which return `complete: false`.
 */
export function decodeWav(bytes: Uint8Array, bounds: DecodeBounds): MonoRecording & { complete: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { format, dataAt, dataBytes } = findSamples(view);
  const read = sampleReader(format);
  const present = Math.min(dataBytes, bytes.length - dataAt);
  const frames = Math.floor(present / format.frameBytes);
  if (frames > maxSamples(format.sampleRate, bounds)) throw recordingError("too-long");
  const mono = createMonoCollector(bounds);
  const step = format.bits / 8;
  for (let first = 0; first < frames; first += blockFrames) {
    const block = new Float32Array(Math.min(blockFrames, frames - first));
    for (let i = 0; i < block.length; i++) {
      const at = dataAt + (first + i) * format.frameBytes;
      let sum = 0;
      for (let channel = 0; channel < format.channels; channel++) sum += read(view, at + channel * step);
      block[i] = sum / format.channels;
    }
    mono.add([block], format.sampleRate);
  }
  return { ...mono.finish(), complete: dataBytes === Number.POSITIVE_INFINITY || present === dataBytes };
}

function findSamples(view: DataView): { format: WavFormat; dataAt: number; dataBytes: number } {
  let format: WavFormat | undefined;
  let at = 12;
  while (at + 8 <= view.byteLength) {
    const id = view.getUint32(at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (id === 0x666d7420 && format === undefined) format = parseFormat(view, body, size);
    if (id === 0x64617461 && format !== undefined) {
      const isPromise = size > 0 && size < unknownSize;
      return { format, dataAt: body, dataBytes: isPromise ? size : Number.POSITIVE_INFINITY };
    }
    at = nextChunk(view, body + size);
  }
  throw recordingError("damaged");
}

/** Chunks start at even offsets, but some writers omit the padding byte; detects it by the chunk name. */
function nextChunk(view: DataView, end: number): number {
  if (end % 2 === 0 || end + 4 > view.byteLength) return end;
  const isName = [0, 1, 2, 3].every((i) => {
    const letter = view.getUint8(end + i);
    return letter >= 0x20 && letter < 0x7f;
  });
  return isName ? end : end + 1;
}

function parseFormat(view: DataView, at: number, size: number): WavFormat {
  if (size < 16 || at + 16 > view.byteLength) throw recordingError("damaged");
  const tag = view.getUint16(at, true);
  const isExtensible = tag === 0xfffe && size >= 40 && at + 26 <= view.byteLength;
  const format = {
    code: isExtensible ? view.getUint16(at + 24, true) : tag,
    channels: view.getUint16(at + 2, true),
    sampleRate: view.getUint32(at + 4, true),
    bits: view.getUint16(at + 14, true),
    frameBytes: view.getUint16(at + 12, true),
  };
  if (format.channels < 1 || format.channels > maxChannels) throw recordingError("damaged");
  if (format.frameBytes !== (format.channels * format.bits) / 8) throw recordingError("damaged");
  return format;
}

function sampleReader({ code, bits }: WavFormat): ReadSample {
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

const headerBytes = 44;
const bytesPerSample = 2;

/** Encodes 16-bit mono WAV with a 44-byte header. */
export function encodeWav(pcm: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headerBytes + pcm.length * bytesPerSample);
  bytes.set(wavHeader(pcm.length, sampleRate));
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < pcm.length; i++) view.setInt16(headerBytes + i * bytesPerSample, pcm[i] as number, true);
  return bytes;
}

/** The header for a number of samples. */
export function wavHeader(samples: number, sampleRate: number): Uint8Array<ArrayBuffer> {
  const samplesBytes = samples * bytesPerSample;
  const bytes = new Uint8Array(headerBytes);
  const view = new DataView(bytes.buffer);
  const name = (at: number, id: string) => bytes.set(Buffer.from(id, "latin1"), at);
  name(0, "RIFF");
  view.setUint32(4, headerBytes - 8 + samplesBytes, true);
  name(8, "WAVE");
  name(12, "fmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * bytesPerSample, true);
  view.setUint16(32, bytesPerSample, true);
  view.setUint16(34, 16, true);
  name(36, "data");
  view.setUint32(40, samplesBytes, true);
  return bytes;
}
