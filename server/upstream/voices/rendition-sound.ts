import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { SoundFormat } from "~server/contract/calls/tasks";
import type { Mastered, MixedSound, SpeechParts } from "./ports";

export type RenditionSpeech = Pick<SpeechParts, "encode" | "encodeFile" | "print" | "printFile">;

const samplesOf = ({ pcm, sampleRate }: Mastered) => ({ pcm, sampleRate });
const placeOf = ({ path, samples, sampleRate }: MixedSound) => ({ path, samples, sampleRate });

export const durationOf = (sound: Mastered | MixedSound) =>
  (("pcm" in sound ? sound.pcm.length : sound.samples) / sound.sampleRate) * 1000;

/** A failure leaves the print to the sweep. */
export async function printOf(speech: RenditionSpeech, sound: Mastered | MixedSound, signal: AbortSignal) {
  const print = "pcm" in sound ? speech.print(samplesOf(sound), signal) : speech.printFile(placeOf(sound), signal);
  return print.catch(() => null);
}

/** Encodes, and calls `store` with the file's bytes or its path. */
export async function encode<Stored>(
  speech: RenditionSpeech,
  sound: Mastered | MixedSound,
  { format, explicitMark, signal }: { format: SoundFormat; explicitMark: boolean; signal: AbortSignal },
  store: (body: Uint8Array | { path: string }, size: number) => Promise<Stored>,
): Promise<Stored> {
  if ("pcm" in sound) {
    const bytes = await speech.encode({ ...samplesOf(sound), format, explicitMark }, signal);
    return store(bytes, bytes.length);
  }
  const to = `${sound.path}.${randomUUID()}`;
  try {
    return await store(
      { path: to },
      await speech.encodeFile({ source: placeOf(sound), format, explicitMark, to }, signal),
    );
  } finally {
    await rm(to, { force: true });
  }
}

/** The timeline as JSON, in pieces for a mixed sound. */
export function timelineOf(sound: Mastered | MixedSound): { body: Uint8Array | Readable; size: number } | null {
  if (!sound.timeline) return null;
  const texts = "pcm" in sound ? [JSON.stringify(sound.timeline)] : sound.timeline;
  const pieces = texts.map((text) => Buffer.from(text));
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  return { body: "pcm" in sound ? Buffer.concat(pieces) : Readable.from(pieces, { objectMode: false }), size };
}
