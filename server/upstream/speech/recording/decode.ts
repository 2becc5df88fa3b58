import type { MonoRecording } from "~server/contract/recording/judge";
import { SpeechError } from "../engine";
import { detectFormat, type RecordingFormat } from "./container";
import { recordingError } from "./fault";
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
