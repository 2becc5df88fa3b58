import type { RecordingQuality } from "~server/contract/recording";
import { assessRecording, usedPart } from "~server/contract/recording/judge";
import type { RecordingFormat } from "./container";
import { decodeRecording } from "./decode";

interface InspectedRecording {
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
