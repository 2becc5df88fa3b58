/** The header of a WAV file: RIFF, or RF64 (EBU Tech 3306) for files beyond 4 GB. */
export interface WavHeader {
  /** 1 integer, 3 float; resolved from the extensible header. */
  code: number;
  channels: number;
  sampleRate: number;
  bits: number;
  /** Bytes of one sample of all channels. */
  frameBytes: number;
  dataAt: number;
  /** Infinity if the writer did not know it. */
  dataBytes: number;
}

const maxChannels = 8;
/** Streaming writers store 0 or a value just below 2³¹ or 2³² as the data size. */
const unknownSize = 0x7fff0000;

const nameAt = (view: DataView, at: number) =>
  at + 4 <= view.byteLength ? String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4)) : "";

export const isWav = (view: DataView): boolean =>
  ["RIFF", "RF64"].includes(nameAt(view, 0)) && nameAt(view, 8) === "WAVE";

/** Reads up to the samples. Null if the bytes end before them; throws Error for a damaged header. */
export function readWavHeader(view: DataView): WavHeader | null {
  let format: Omit<WavHeader, "dataAt" | "dataBytes"> | undefined;
  let longDataBytes: number | undefined;
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const name = nameAt(view, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (name === "data" && format) {
      const isKnown = size > 0 && size < unknownSize;
      return { ...format, dataAt: body, dataBytes: isKnown ? size : (longDataBytes ?? Number.POSITIVE_INFINITY) };
    }
    if (name === "ds64" && body + 16 <= view.byteLength) longDataBytes = Number(view.getBigUint64(body + 8, true));
    if (name === "fmt " && !format) {
      if (body + Math.min(size, 40) > view.byteLength) return null;
      format = parseFormat(view, body, size);
    }
    at = nextChunk(view, body + size);
  }
  return null;
}

/** Chunks start at even offsets, but some writers omit the padding byte; detects it by the chunk name. */
function nextChunk(view: DataView, end: number): number {
  if (end % 2 === 0 || end + 4 > view.byteLength) return end;
  return /^[ -~]{4}$/.test(nameAt(view, end)) ? end : end + 1;
}

function parseFormat(view: DataView, at: number, size: number): Omit<WavHeader, "dataAt" | "dataBytes"> {
  if (size < 16) throw new Error("The format chunk is too short");
  const tag = view.getUint16(at, true);
  const channels = view.getUint16(at + 2, true);
  const bits = view.getUint16(at + 14, true);
  // The stated size of a frame is wrong in the answers of some servers.
  const frameBytes = (channels * bits) / 8;
  if (channels < 1 || channels > maxChannels || !Number.isInteger(frameBytes))
    throw new Error(`${channels} channels of ${bits} bits`);
  const code = tag === 0xfffe && size >= 40 ? view.getUint16(at + 24, true) : tag;
  return { code, channels, bits, frameBytes, sampleRate: view.getUint32(at + 4, true) };
}

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
