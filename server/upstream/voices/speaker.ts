import { setTimeout as sleep } from "node:timers/promises";
import { soundMaxMinutes } from "~server/contract/limits";
import { AppError } from "../errors";
import type { SpeechChunk, SpeechEngine, SpeechRequest } from "../speech/engine";
import { fingerprintOf } from "./fingerprint";
import type { DictionaryEntry, Mastered, SpeechParts, Voice } from "./ports";
import { speechFaultOf } from "./reference-refusal";
import { findSegmentFault } from "./segment-check";
import type { SegmentCache } from "./segments";

interface SpeakRequest extends Omit<SpeechRequest, "text" | "voice" | "tone"> {
  voice: Voice;
  /** The voice that lends its tone. */
  tone?: Voice;
  /** As written, marks included. */
  content: string;
  /** Of the account. */
  dictionary?: readonly DictionaryEntry[];
}

interface SpeakOptions {
  signal: AbortSignal;
  /** Called before the first segment and after each. */
  onProgress(done: number, total: number): Promise<void>;
}

/** Speaks a text segment by segment. Throws AppError `synthesis-failed` with the `segment`, `sound-too-long`, and errors worth another attempt. */
export type Speak = (request: SpeakRequest, options: SpeakOptions) => Promise<Mastered>;

interface SpeakerParts {
  speech: Pick<SpeechParts, "engine" | "prepareText" | "splitSegments" | "master">;
  segments: SegmentCache;
}

const attemptsPerSegment = 3;
const retryPauseMs = 100;
const segmentTimeoutMs = 60_000;
/** Another attempt would fail again. */
const finalFaults = new Set(["text", "voice", "reference"]);

export function createSpeaker({ speech, segments }: SpeakerParts): Speak {
  return async ({ content, dictionary = [], volume = 0, voice, tone, ...rest }, { signal, onProgress }) => {
    const profiles = { voice: voice.profile, ...(tone && { tone: tone.profile }) };
    const engine = await speech.engine();
    const pieces = await speech.splitSegments(content);
    if (pieces.length === 0) throw new AppError("text-empty", "nothing to speak");
    const chunks: SpeechChunk[] = [];
    let soundMs = 0;
    await onProgress(0, pieces.length);
    for (const [index, piece] of pieces.entries()) {
      signal.throwIfAborted();
      const request = { ...rest, ...profiles, text: await speech.prepareText(piece.text, { dictionary }) };
      const spoken = await speakSegment({ engine, segments, request, voices: { voice, tone }, signal }, index);
      chunks.push(...spoken.map((chunk) => shifted(chunk, piece.offset)));
      soundMs += spoken.reduce((sum, { pcm, sampleRate }) => sum + (pcm.length / sampleRate) * 1000, 0);
      if (soundMs > soundMaxMinutes * 60_000) throw new AppError("sound-too-long", "more sound than allowed");
      await onProgress(index + 1, pieces.length);
    }
    // Loudness is set for the whole text, not per segment.
    return speech.master(chunks, { volumeDb: volume });
  };
}

interface SegmentWork {
  engine: SpeechEngine;
  segments: SegmentCache;
  request: SpeechRequest;
  voices: { voice: Voice; tone: Voice | undefined };
  signal: AbortSignal;
}

async function speakSegment({ engine, segments, request, voices, signal }: SegmentWork, index: number) {
  const fingerprint = fingerprintOf(engine, request);
  const cached = await segments.find(fingerprint);
  if (cached) return cached;
  for (let attempt = 1; ; attempt++) {
    try {
      const chunks = await synthesize(engine, request, signal);
      // A fallback engine's segment is not cached: the voice's own engine may be available again next time.
      if (!chunks.some(({ isFallback }) => isFallback)) await segments.store(fingerprint, chunks, voices);
      return chunks;
    } catch (cause) {
      signal.throwIfAborted();
      // The whole task is attempted again later.
      if (speechFaultOf(cause) === "overloaded") throw cause;
      if (attempt >= attemptsPerSegment || finalFaults.has(speechFaultOf(cause) ?? "")) {
        throw new AppError("synthesis-failed", `segment ${index + 1} failed`, { cause, data: { segment: index } });
      }
      await sleep(retryPauseMs * attempt, undefined, { signal });
    }
  }
}

async function synthesize(engine: SpeechEngine, request: SpeechRequest, signal: AbortSignal) {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(segmentTimeoutMs)]);
  const chunks: SpeechChunk[] = [];
  const spokenBy = `${engine.id}@${engine.version}`;
  for await (const chunk of engine.synthesize(request, bounded)) chunks.push({ spokenBy, ...chunk });
  const fault = findSegmentFault(chunks, request);
  if (fault) throw new Error(`implausible segment: ${fault}`);
  return chunks;
}

/** Moves the timeline's offsets from the segment's text to the whole text. */
function shifted(chunk: SpeechChunk, offset: number): SpeechChunk {
  if (!chunk.timeline || offset === 0) return chunk;
  const units = chunk.timeline.units.map((unit) => ({ ...unit, offset: unit.offset + offset }));
  return { ...chunk, timeline: { ...chunk.timeline, units } };
}
