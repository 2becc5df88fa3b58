import type { RecordingFault } from "~server/contract/recording/quality";
import { SpeechError } from "../engine";
import { isWav } from "./formats/wav";

export type RecordingFormat = "wav" | "mp3" | "flac" | "ogg" | "webm";

const matchesAt = (bytes: Uint8Array, offset: number, magic: string) =>
  bytes.length >= offset + magic.length && [...magic].every((letter, i) => bytes[offset + i] === letter.charCodeAt(0));

/** Detects the format by magic bytes. Throws a reference error for formats that cannot be decoded. */
export function detectFormat(bytes: Uint8Array): RecordingFormat {
  const start = tagBytes(bytes);
  if (isWav(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))) return "wav";
  if (matchesAt(bytes, start, "fLaC")) return "flac";
  if (matchesAt(bytes, 0, "OggS")) return "ogg";
  if (matchesAt(bytes, 0, "\x1a\x45\xdf\xa3")) return "webm";
  if (matchesAt(bytes, 4, "ftyp") || isAdts(bytes, start)) throw recordingError("aac");
  if (start > 0 || isMpegFrame(bytes, 0)) return "mp3";
  if (unsupported.some(([offset, magic]) => matchesAt(bytes, offset, magic))) throw recordingError("unsupported");
  throw recordingError("not-audio");
}

/** Audio without a decoder here: AIFF, AMR, Core Audio, Windows Media, big-endian WAV, WavPack, Monkey's Audio. */
const unsupported: ReadonlyArray<[offset: number, magic: string]> = [
  [0, "FORM"],
  [0, "#!AMR"],
  [0, "caff"],
  [0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"],
  [0, "RIFX"],
  [0, "wvpk"],
  [0, "MAC "],
];

/** Length of a leading ID3v2 tag, or 0. */
export function tagBytes(bytes: Uint8Array): number {
  if (!matchesAt(bytes, 0, "ID3") || bytes.length < 10) return 0;
  const size = [6, 7, 8, 9].reduce((sum, i) => sum * 128 + ((bytes[i] as number) & 0x7f), 0);
  const hasFooter = ((bytes[5] as number) & 0x10) !== 0;
  return 10 + size + (hasFooter ? 10 : 0);
}

const isMpegFrame = (bytes: Uint8Array, offset: number) => {
  const [sync, second = 0, third = 0] = bytes.subarray(offset, offset + 3);
  const isSync = sync === 0xff && (second & 0xe0) === 0xe0;
  const hasLayer = (second & 0x06) !== 0 && (second & 0x18) !== 0x08;
  return isSync && hasLayer && third >> 4 !== 15 && (third & 0x0c) !== 0x0c;
};

const isAdts = (bytes: Uint8Array, offset: number) =>
  bytes[offset] === 0xff && ((bytes[offset + 1] ?? 0) & 0xf6) === 0xf0;

/** The error for undecodable bytes; its message is the fault code. */
export function recordingError(fault: RecordingFault, cause?: unknown): SpeechError {
  return new SpeechError("reference", fault, { cause });
}
