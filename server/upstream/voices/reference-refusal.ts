import type { ErrorCode } from "~server/contract/codes";
import { isProvable, referenceLeastSeconds } from "~server/contract/limits";
import type { RecordingFault, RecordingQuality, RecordingTip } from "~server/contract/recording/quality";
import { AppError } from "../errors";

const codes: Record<RecordingFault | RecordingTip, ErrorCode> = {
  "not-audio": "reference-not-audio",
  unsupported: "reference-format",
  aac: "reference-format",
  damaged: "reference-truncated",
  truncated: "reference-truncated",
  "too-short": "reference-too-short",
  short: "reference-too-short",
  "too-long": "reference-too-long",
  silent: "reference-silent",
  quiet: "reference-silent",
  clipped: "reference-clipped",
  noisy: "reference-noisy",
  room: "reference-noisy",
  "phone-band": "reference-noisy",
  music: "reference-music",
  singing: "reference-singing",
  whisper: "reference-whisper",
  "no-speech": "reference-no-speech",
};

const isKnown = (reason: string): reason is keyof typeof codes => Object.hasOwn(codes, reason);

/** The error of an unusable recording: `data.tip` is the fault or tip, `data.quality` the measurement. */
export function referenceRefused(reason: string, quality?: RecordingQuality, cause?: unknown): AppError {
  const tip = isKnown(reason) ? reason : "damaged";
  const data = quality ? { tip, quality } : { tip };
  return new AppError(codes[tip], `recording refused: ${tip}`, { data, cause });
}

/** Throws proof-reference-short `{need}` for a recording with too little speech to compare. */
export function requireProvable(quality: RecordingQuality): void {
  if (isProvable(quality)) return;
  const data = { need: referenceLeastSeconds, seconds: Math.floor(quality.speechSeconds) };
  throw new AppError("proof-reference-short", "too little speech in the reference", { data });
}

/** The fault of a SpeechError, recognised by its shape: domains may import only the port's types. */
export function speechFaultOf(error: unknown): string | null {
  return error instanceof Error && error.name === "SpeechError" && "fault" in error ? String(error.fault) : null;
}
