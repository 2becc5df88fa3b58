import { assessRecording, type MonoRecording, usedPart } from "~server/contract/recording/judge";
import type { RecordingQuality } from "~server/contract/recording/quality";
import { SpeechError } from "../engine";
import { detectFormat, type RecordingFormat, recordingError } from "./format";
import { decodeFlac } from "./formats/flac";
import { decodeMp3 } from "./formats/mp3";
import { decodeOgg } from "./formats/ogg";
import { decodeWav } from "./formats/wav-decoder";
import { decodeWebm } from "./formats/webm";
import { type DecodeBounds, recordingBounds } from "./mono";

export interface DecodedRecording extends MonoRecording {
  durationMs: number;
  format: RecordingFormat;
  /** False if the file ends before its container declares. */
  complete: boolean;
}

type Decode = (
  bytes: Uint8Array,
  bounds: DecodeBounds,
) => (MonoRecording & { complete: boolean }) | Promise<MonoRecording & { complete: boolean }>;

const decoders: Record<RecordingFormat, Decode> = {
  wav: decodeWav,
  mp3: decodeMp3,
  flac: decodeFlac,
  ogg: decodeOgg,
  webm: decodeWebm,
};

/**
 * Decodes a file to mono samples in −1…1 at its own rate, halved until it fits `bounds`. Detects the format from the bytes.
 * Throws only SpeechError 'reference' with a RecordingFault as message. Memory is bounded by `bounds`; the caller bounds
 * the time.
 */
export async function decodeRecording(bytes: Uint8Array, bounds = recordingBounds): Promise<DecodedRecording> {
  const format = detectFormat(bytes);
  try {
    const recording = await decoders[format](bytes, bounds);
    const durationMs = Math.round((recording.samples.length / recording.sampleRate) * 1000);
    return { ...recording, durationMs, format };
  } catch (error) {
    throw error instanceof SpeechError ? error : recordingError("damaged", error);
  }
}

export interface InspectedRecording {
  /** Mono, −1…1: the assessed part, at most the first minute. */
  samples: Float32Array;
  sampleRate: number;
  format: RecordingFormat;
  quality: RecordingQuality;
}

/** Decodes and assesses an upload and keeps the part used for enrolment. Throws like `decodeRecording`. */
export async function inspectRecording(bytes: Uint8Array): Promise<InspectedRecording> {
  const recording = await decodeRecording(bytes);
  const { samples, sampleRate } = usedPart(recording);
  // A copy, so that the rest is not serialised to another process.
  return { samples: samples.slice(), sampleRate, format: recording.format, quality: assessRecording(recording) };
}
