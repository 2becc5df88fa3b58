import { assessRecording, type MonoRecording, usedPart } from "~server/contract/recording/judge";
import type { RecordingQuality } from "~server/contract/recording/quality";
import { SpeechError } from "../engine";
import { detectFormat, type RecordingFormat, recordingError } from "./format";
import { decodeFlac } from "./formats/flac";
import { decodeMp3 } from "./formats/mp3";
import { decodeOgg } from "./formats/ogg";
import { decodeWav } from "./formats/wav";
import { decodeWebm } from "./formats/webm";
import { type DecodeBounds, recordingBounds } from "./mono";

export interface DecodedRecording extends MonoRecording {
  durationMs: number;
  format: RecordingFormat;
  /** False where the file ends before its container said it would. */
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
 * Turns an uploaded file into mono samples in −1…1 at its own rate, halved until it fits. The kind is read from the bytes,
 * never from a name. Throws SpeechError 'reference' and nothing else; its message is a RecordingFault. Memory is bounded
 * by `bounds`; time is bounded by whoever runs the process this runs in.
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
  /** Mono, −1…1, at most the first minute: the part that was judged and a voice is learned from. */
  samples: Float32Array;
  sampleRate: number;
  format: RecordingFormat;
  quality: RecordingQuality;
}

/** Decodes an upload, judges it with what the container told, and keeps the part to learn from. Throws as `decodeRecording`. */
export async function inspectRecording(bytes: Uint8Array): Promise<InspectedRecording> {
  const recording = await decodeRecording(bytes);
  const { samples, sampleRate } = usedPart(recording);
  // A copy: what goes to another process must not drag the rest along.
  return { samples: samples.slice(), sampleRate, format: recording.format, quality: assessRecording(recording) };
}
