import { decodeRecording } from "../recording/decode";
import type { DecodeBounds } from "../recording/mono";
import { type HeardPrint, heardPrintOf } from "./fingerprint";

/** The longest text there is, spoken slowly; prints look no higher than half this rate. */
const bounds: DecodeBounds = { maxSeconds: 15 * 60, maxRate: 16_000 };

/** What an uploaded file sounds like. Throws as `decodeRecording`. */
export async function hear(bytes: Uint8Array): Promise<HeardPrint> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  return heardPrintOf(samples, sampleRate);
}
