import { setTimeout as sleep } from "node:timers/promises";
import { soundMaxMinutes } from "~server/contract/limits";
import { AppError } from "../errors";
import type { SpeechChunk, SpeechEngine, SpeechRequest } from "../speech/engine";
import { fingerprintOf } from "./fingerprint";
import type { DictionaryEntry, Mastered, SpeechParts, Voice } from "./ports";
import { speechFaultOf } from "./reference-refusal";
import { faultOfSegment } from "./segment-check";
import type { SegmentCache } from "./segments";

interface SpeakRequest extends Omit<SpeechRequest, "text" | "voice" | "tone"> {
  voice: Voice;
  /** Another voice to take the tone from. */
  tone?: Voice;
  /** As the person wrote it, marks included. */
  content: string;
  /** The account's words. */
  dictionary?: readonly DictionaryEntry[];
}

interface SpeakOptions {
  signal: AbortSignal;
  /** Called before the first segment and after each. */
  onProgress(done: number, total: number): Promise<void>;
}

/** Speaks a text segment by segment. Throws AppError `synthesis-failed` naming the segment, `sound-too-long`, or what another attempt may mend. */
export type Speak = (request: SpeakRequest, options: SpeakOptions) => Promise<Mastered>;

interface SpeakerParts {
  speech: Pick<SpeechParts, "engine" | "prepareText" | "splitSegments" | "master">;
  segments: SegmentCache;
}

const triesPerSegment = 3;
const retryPauseMs = 100;
const segmentTimeoutMs = 60_000;
/** Another try would meet these again. */
const finalFaults = new Set(["text", "voice", "reference"]);

export function createSpeaker({ speech, segments }: SpeakerParts): Speak {
  return async ({ content, dictionary = [], volume = 0, voice, tone, ...rest }, { signal, onProgress }) => {
    const heard = { voice: voice.profile, ...(tone && { tone: tone.profile }) };
    const engine = await speech.engine();
    const pieces = await speech.splitSegments(content);
    if (pieces.length === 0) throw new AppError("text-empty", "nothing to speak");
    const chunks: SpeechChunk[] = [];
    let soundMs = 0;
    await onProgress(0, pieces.length);
    for (const [index, piece] of pieces.entries()) {
      signal.throwIfAborted();
      const request = { ...rest, ...heard, text: await speech.prepareText(piece.text, { dictionary }) };
      const spoken = await speakSegment({ engine, segments, request, voices: { voice, tone }, signal }, index);
      chunks.push(...spoken.map((chunk) => shifted(chunk, piece.offset)));
      soundMs += spoken.reduce((sum, { pcm, sampleRate }) => sum + (pcm.length / sampleRate) * 1000, 0);
      if (soundMs > soundMaxMinutes * 60_000) throw new AppError("sound-too-long", "more sound than was expected");
      await onProgress(index + 1, pieces.length);
    }
    // Loudness is set here, last of all: a segment would lose its own.
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
  const kept = await segments.find(fingerprint);
  if (kept) return kept;
  for (let tried = 1; ; tried++) {
    try {
      const chunks = await synthesize(engine, request, signal);
      // Next time the engine that should have spoken may be well again.
      if (!chunks.some(({ isFallback }) => isFallback)) await segments.keep(fingerprint, chunks, voices);
      return chunks;
    } catch (cause) {
      signal.throwIfAborted();
      // Nothing is wrong with the segment: the whole task comes again later.
      if (speechFaultOf(cause) === "overloaded") throw cause;
      if (tried >= triesPerSegment || finalFaults.has(speechFaultOf(cause) ?? "")) {
        throw new AppError("synthesis-failed", `segment ${index + 1} failed`, { cause, data: { segment: index } });
      }
      await sleep(retryPauseMs * tried, undefined, { signal });
    }
  }
}

async function synthesize(engine: SpeechEngine, request: SpeechRequest, signal: AbortSignal) {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(segmentTimeoutMs)]);
  const chunks: SpeechChunk[] = [];
  const spokenBy = `${engine.id}@${engine.version}`;
  for await (const chunk of engine.synthesize(request, bounded)) chunks.push({ spokenBy, ...chunk });
  const fault = faultOfSegment(chunks, request);
  if (fault) throw new Error(`implausible segment: ${fault}`);
  return chunks;
}

/** Timelines of segments count from the segment's text; people's selections count from the whole. */
function shifted(chunk: SpeechChunk, offset: number): SpeechChunk {
  if (!chunk.timeline || offset === 0) return chunk;
  const units = chunk.timeline.units.map((unit) => ({ ...unit, offset: unit.offset + offset }));
  return { ...chunk, timeline: { ...chunk.timeline, units } };
}
