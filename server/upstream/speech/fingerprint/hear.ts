import { readFile } from "node:fs/promises";
import type { SampleFile } from "../encoding/encode-file";
import { decodeRecording } from "../recording/decode";
import type { DecodeBounds } from "../recording/mono";
import { alteredPrintsOf } from "./altered";
import { type HeardPrint, heardPrintOf, printOf, type SoundPrint } from "./fingerprint";

/** The longest text there is, spoken slowly; prints look no higher than half this rate. */
const bounds: DecodeBounds = { maxSeconds: 15 * 60, maxRate: 16_000 };

/** What a file of ours is known again by. Throws as `decodeRecording`. */
export async function print(bytes: Uint8Array): Promise<SoundPrint> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  return printOf(samples, sampleRate);
}

/**
 * The same for samples in a file. What lasts longer than any file that is heard is never compared as a whole, and its lines
 * have prints of their own: it gets an empty one.
 */
export async function printFile({ path, samples, sampleRate }: SampleFile): Promise<SoundPrint> {
  if (samples > bounds.maxSeconds * sampleRate) return printOf([], sampleRate);
  const bytes = await readFile(path);
  return printOf(new Int16Array(bytes.buffer, bytes.byteOffset, samples), sampleRate);
}

/** What an uploaded file sounds like. Throws as `decodeRecording`. */
export async function hear(bytes: Uint8Array): Promise<HeardPrint> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  return heardPrintOf(samples, sampleRate);
}

/** The same file as it may have sounded before it was made faster, slower, higher or lower. Throws as `decodeRecording`. */
export async function hearAltered(bytes: Uint8Array): Promise<HeardPrint[]> {
  const { samples, sampleRate } = await decodeRecording(bytes, bounds);
  return alteredPrintsOf(samples, sampleRate);
}
