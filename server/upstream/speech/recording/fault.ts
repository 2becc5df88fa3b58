import type { RecordingFault } from "~server/contract/recording";
import { SpeechError } from "../engine";

/** Bytes that cannot become a recording; the message is the short code the page has a sentence for. */
export function recordingError(fault: RecordingFault, cause?: unknown): SpeechError {
  return new SpeechError("reference", fault, { cause });
}
