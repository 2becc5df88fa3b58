import { concatArrays } from "../../dsp/pcm";
import { SpeechError } from "../../engine";
import { isWav, readWavHeader, type WavHeader } from "../../recording/formats/wav";

/** The body of a reply that should hold audio. */
export interface AudioBody {
  contentType: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface PcmSound {
  pcm: Int16Array;
  sampleRate: number;
}

const headerLimit = 64 * 1024;
const sampleRates = [8000, 96_000] as const;
const textTypes = /^(application\/(problem\+)?json|text\/)/;

/**
 * Streams mono 16-bit samples of a reply: WAV by its header, otherwise raw little-endian samples at `rawRate`. Throws
 * SpeechError 'engine' for text, other formats and truncated audio.
 */
export async function* readSamples({ bytes, contentType }: AudioBody, rawRate: number): AsyncGenerator<PcmSound> {
  if (textTypes.test(contentType)) throw await toTextError(bytes, contentType);
  let pending: Uint8Array = new Uint8Array(0);
  let format: WavHeader | null = null;
  let missing = Number.POSITIVE_INFINITY;
  for await (const part of bytes) {
    pending = pending.length === 0 ? part : Buffer.concat([pending, part]);
    if (!format) {
      format = findHeader(pending, rawRate);
      if (!format) continue;
      missing = format.dataBytes;
      pending = pending.subarray(format.dataAt);
    }
    const { frameBytes } = format;
    const whole = Math.floor(Math.min(pending.length, missing) / frameBytes) * frameBytes;
    if (whole > 0) yield { pcm: toMono(pending.subarray(0, whole), format), sampleRate: format.sampleRate };
    missing -= whole;
    pending = missing < frameBytes ? new Uint8Array(0) : pending.subarray(whole);
  }
  if (!format) throw new SpeechError("engine", `The reply held ${pending.length} bytes without audio`);
  if (Number.isFinite(missing) && missing >= format.frameBytes) {
    throw new SpeechError("engine", `The reply ended ${missing} bytes early`);
  }
}

async function toTextError(bytes: AsyncIterable<Uint8Array>, contentType: string): Promise<SpeechError> {
  let words = "";
  for await (const part of bytes) {
    words += Buffer.from(part).toString();
    if (words.length > 500) break;
  }
  return new SpeechError("engine", `${contentType} instead of audio: ${words.slice(0, 500)}`);
}

/** Null if more bytes are needed. */
function findHeader(bytes: Uint8Array, rawRate: number): WavHeader | null {
  if (bytes.length < 12) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isWav(view)) {
    rejectOtherFormats(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const raw = { code: 1, channels: 1, bits: 16, frameBytes: 2, sampleRate: rawRate };
    return { ...raw, dataAt: 0, dataBytes: Number.POSITIVE_INFINITY };
  }
  const header = parseHeader(view);
  if (header === null && bytes.length > headerLimit) throw new SpeechError("engine", "WAV header too long");
  return header;
}

function parseHeader(view: DataView): WavHeader | null {
  let header: WavHeader | null;
  try {
    header = readWavHeader(view);
  } catch (cause) {
    throw new SpeechError("engine", `Damaged WAV header: ${(cause as Error).message}`, { cause });
  }
  if (header === null) return null;
  const { code, channels, sampleRate, bits } = header;
  const isReadable = (bits === 16 && code === 1) || (bits === 32 && code === 3);
  const isPlausible = channels <= 2 && sampleRate >= sampleRates[0] && sampleRate <= sampleRates[1];
  if (!isReadable || !isPlausible) throw new SpeechError("engine", `Unsupported WAV format: ${JSON.stringify(header)}`);
  return header;
}

const otherFormats: Array<[string, RegExp]> = [
  ["MP3", /^(ID3|\xff[\xe2-\xff])/],
  ["Ogg", /^OggS/],
  ["FLAC", /^fLaC/],
  ["JSON", /^\s*[{[]\s*"/],
  ["HTML", /^\s*<(!doctype|html)/i],
];

/** Raw samples have no magic bytes, so known other formats are rejected. */
function rejectOtherFormats(buffer: Buffer) {
  const start = buffer.toString("latin1", 0, 16);
  const found = otherFormats.find(([, shape]) => shape.test(start) && !/^\xff[\xff\xfe]/.test(start));
  if (found) throw new SpeechError("engine", `${found[0]} instead of WAV or raw samples`);
}

function toMono(bytes: Uint8Array, { code, channels, bits }: WavHeader): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pcm = new Int16Array(bytes.length / (bits / 8) / channels);
  const valueAt = (i: number) => (code === 3 ? view.getFloat32(i * 4, true) * 32_767 : view.getInt16(i * 2, true));
  for (let i = 0; i < pcm.length; i++) {
    let sum = 0;
    for (let c = 0; c < channels; c++) sum += valueAt(i * channels + c);
    pcm[i] = Math.max(-32_768, Math.min(32_767, Math.round(sum / channels)));
  }
  return pcm;
}

/** −48 dBFS. */
const silenceLevel = 130;
const padSeconds = 0.025;
/** Minimum length of emitted pieces. */
const minSeconds = 0.2;

const isLoud = (value: number) => Math.abs(value) > silenceLevel;

/** Removes silence at both ends of a stream; emits pieces of at least 0.2 s. */
export async function* trimSilence(pieces: AsyncIterable<PcmSound>): AsyncGenerator<PcmSound> {
  let held = new Int16Array(0);
  let sampleRate = 0;
  let hasBegun = false;
  for await (const piece of pieces) {
    sampleRate = piece.sampleRate;
    const pad = Math.round(padSeconds * sampleRate);
    held = concatArrays(Int16Array, [held, piece.pcm]);
    if (!hasBegun) {
      const first = held.findIndex(isLoud);
      hasBegun = first >= 0;
      // Keeps only the padding of leading silence.
      held = held.slice(hasBegun ? Math.max(0, first - pad) : -pad);
    }
    // Trailing silence is held back, because it may be the end.
    const sounding = hasBegun ? held.findLastIndex(isLoud) + 1 : 0;
    if (sounding < minSeconds * sampleRate) continue;
    yield { pcm: held.slice(0, sounding), sampleRate };
    held = held.slice(sounding);
  }
  if (!hasBegun) return;
  const end = Math.min(held.length, held.findLastIndex(isLoud) + 1 + Math.round(padSeconds * sampleRate));
  if (end > 0) yield { pcm: held.slice(0, end), sampleRate };
}
