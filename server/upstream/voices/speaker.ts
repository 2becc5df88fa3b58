import { setTimeout as sleep } from "node:timers/promises";
import { soundMaxMinutes } from "~server/contract/limits";
import type { SpeechChunk, SpeechEngine, SpeechRequest, SpokenDoubt } from "../../speech/engine";
import { AppError } from "../errors";
import type { DictionaryEntry, Mastered, SpeechParts, Voice } from "./ports";
import { speechFaultOf } from "./reference-refusal";
import { findSegmentFault } from "./segment-check";
import { fingerprintOf, type SegmentCache } from "./segments";

interface SpeakRequest extends Omit<SpeechRequest, "text" | "voice" | "tone"> {
  voice: Voice;
  /** The voice that lends its tone. */
  tone?: Voice;
  /** Content as written, marks included. */
  content: string;
  /** Dictionary of the account. */
  dictionary?: readonly DictionaryEntry[];
}

interface SpeakOptions {
  signal: AbortSignal;
  /** Called before the first segment and after each. */
  onProgress(done: number, total: number): Promise<void>;
  /** Called with each segment before its progress. */
  onSegment?(index: number, chunks: SpeechChunk[], voices: { voice: Voice; tone?: Voice | undefined }): Promise<void>;
}

/** Speaks a text segment by segment. Throws AppError `synthesis-failed` with the `segment`, `sound-too-long`, and errors worth another attempt. */
export type Speak = (request: SpeakRequest, options: SpeakOptions) => Promise<Mastered>;

interface SpeakerParts {
  speech: Pick<SpeechParts, "engine" | "prepareText" | "splitSegments" | "master" | "checkSpeech">;
  segments: SegmentCache;
}

const attemptsPerSegment = 3;
const retryPauseMs = 100;
/** A text that repeats a segment more often than this hears the first rendition again; the cache stays small. */
const variedRepetitions = 4;
const segmentTimeoutMs = 60_000;
/** Another attempt would fail again. */
const finalFaults = new Set(["text", "voice", "reference"]);

export function createSpeaker({ speech, segments }: SpeakerParts): Speak {
  return async (
    { content, dictionary = [], volume = 0, voice, tone, repetition: earlier = 0, ...rest },
    { signal, onProgress, onSegment },
  ) => {
    const engine = await speech.engine(signal);
    // Starts while the text is read.
    engine.warmUp?.();
    const pieces = await speech.splitSegments(content);
    if (pieces.length === 0) throw new AppError("text-empty", "nothing to speak");
    const chunks: SpeechChunk[] = [];
    const doubts: SpokenDoubt[] = [];
    const repetitions = new Map<string, number>();
    let speaking = voice;
    let soundMs = 0;
    await onProgress(0, pieces.length);
    for (const [index, piece] of pieces.entries()) {
      signal.throwIfAborted();
      const within = repetitions.get(piece.text) ?? 0;
      repetitions.set(piece.text, (within + 1) % variedRepetitions);
      const repetition = earlier * variedRepetitions + (engine.capabilities.variesRepetitions ? within : 0);
      const request = {
        ...rest,
        ...(repetition > 0 && { repetition }),
        ...(tone && { tone: tone.profile }),
        text: await speech.prepareText(piece.text, { dictionary }),
      };
      const work = { engine, segments, speech, signal };
      const { spoken, usedVoice } = await speakOrLearnAgain(
        (now, stopsWhenLost) =>
          speakSegment(
            { ...work, request: { ...request, ...toRequest(now), stopsWhenLost }, voices: { voice: now, tone } },
            index,
          ),
        { voice: speaking, signal },
      );
      speaking = usedVoice;
      await onSegment?.(index, spoken, { voice: usedVoice, tone });
      doubts.push(...(spoken[0]?.doubts ?? []).map((doubt) => ({ ...doubt, offset: doubt.offset + piece.offset })));
      chunks.push(...spoken.map((chunk) => shifted(chunk, piece.offset)));
      soundMs += spoken.reduce((sum, { pcm, sampleRate }) => sum + (pcm.length / sampleRate) * 1000, 0);
      if (soundMs > soundMaxMinutes * 60_000) throw new AppError("sound-too-long", "more sound than allowed");
      await onProgress(index + 1, pieces.length);
    }
    // Loudness is set for the whole text, not per segment.
    const mastered = await speech.master(chunks, { volumeDb: volume });
    const isFallback = chunks.some((chunk) => chunk.isFallback);
    return { ...mastered, ...(doubts.length > 0 && { doubts }), ...(isFallback && { isFallback }) };
  };
}

const toRequest = ({ profile, isFeeAccepted = false }: Voice) => ({ voice: profile, isFeeAccepted });

/**
 * A voice that its vendor lost is learned again from its recording, once; where that fails, the next engine speaks.
 * The learned voice stays for the segments that follow.
 */
async function speakOrLearnAgain(
  speakWith: (voice: Voice, stopsWhenLost: boolean) => Promise<SpeechChunk[]>,
  { voice, signal }: { voice: Voice; signal: AbortSignal },
): Promise<{ spoken: SpeechChunk[]; usedVoice: Voice }> {
  const { learnAgain, ...last } = voice;
  try {
    return { spoken: await speakWith(voice, learnAgain !== undefined), usedVoice: voice };
  } catch (error) {
    if (!learnAgain || !(error instanceof AppError && error.code === "voice-lost")) throw error;
    const again = await learnAgain(signal).catch(() => last);
    signal.throwIfAborted();
    const usedVoice = { ...again, learnAgain: undefined };
    return { spoken: await speakWith(usedVoice, false), usedVoice };
  }
}

interface SegmentWork {
  engine: SpeechEngine;
  segments: SegmentCache;
  speech: Pick<SpeechParts, "checkSpeech">;
  request: SpeechRequest;
  voices: { voice: Voice; tone: Voice | undefined };
  signal: AbortSignal;
}

async function speakSegment(work: SegmentWork, index: number) {
  const { engine, segments, request, voices, signal } = work;
  const fingerprint = fingerprintOf(engine, request);
  const cached = await segments.find(fingerprint);
  if (cached) return cached;
  for (let attempt = 1; ; attempt++) {
    try {
      const chunks = await synthesizeChecked(work);
      // A fallback engine's segment is not cached: the voice's own engine may be available again next time.
      if (!chunks.some(({ isFallback }) => isFallback)) await segments.store(fingerprint, chunks, voices);
      return chunks;
    } catch (cause) {
      signal.throwIfAborted();
      // The whole task is attempted again later.
      if (speechFaultOf(cause) === "overloaded") throw cause;
      if (speechFaultOf(cause) === "lost") {
        throw new AppError("voice-lost", "the vendor no longer has the voice", { cause, data: { segment: index } });
      }
      if (attempt >= attemptsPerSegment || finalFaults.has(speechFaultOf(cause) ?? "")) {
        throw new AppError("synthesis-failed", `segment ${index + 1} failed`, { cause, data: { segment: index } });
      }
      await sleep(retryPauseMs * attempt, undefined, { signal });
    }
  }
}

/** Repetitions of a segment that the self-check heard wrong; they cost the person nothing. */
const maxRepetitions = 2;

/** Speaks a segment again while the self-check hears it wrong, and keeps the best. Without a recogniser it is spoken once. */
async function synthesizeChecked({ engine, speech, request, signal }: SegmentWork): Promise<SpeechChunk[]> {
  let best: { chunks: SpeechChunk[]; doubts: SpokenDoubt[] } | undefined;
  for (let repetition = 0; repetition <= maxRepetitions; repetition++) {
    const chunks = await synthesize(engine, request, signal).catch((error: unknown) => {
      if (!best || signal.aborted) throw error;
      return null;
    });
    if (!chunks) break;
    // The embedded engine speaks what it is given.
    if (!speech.checkSpeech || chunks.some(({ spokenBy }) => spokenBy?.startsWith("embedded@"))) return chunks;
    const doubts = await speech.checkSpeech(chunks, request.text, signal).catch(() => null);
    signal.throwIfAborted();
    if (!doubts || doubts.length === 0) return chunks;
    if (!best || doubts.length < best.doubts.length) best = { chunks, doubts };
  }
  const { chunks = [], doubts = [] } = best ?? {};
  return chunks.map((chunk, i) => (i === 0 ? { ...chunk, doubts } : chunk));
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
