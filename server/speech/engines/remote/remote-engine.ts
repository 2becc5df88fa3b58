import pLimit from "p-limit";
import { rejectOnAbort } from "../../abort";
import type { Align } from "../../analysis";
import type { PreparedText, ReserveVoice } from "../../engine";
import { type SpeechChunk, type SpeechEngine, SpeechError, type SpeechRequest } from "../../engine";
import type { Recogniser } from "../../recogniser";
import { paceOfRepetition } from "../delivery";
import type { Backend } from "./backend";
import { prepareReference, type RemoteVoice } from "./reference";
import { type TextRun, toTextRuns } from "./runs";
import { speakRun } from "./spoken-run";

export interface RemoteLimits {
  concurrency: number;
  maxQueue: number;
  timeoutMs: number;
}

/** Parts of the product that a remote engine uses. */
export interface RemoteParts {
  align: Align;
  /** Prepares the words of the recogniser. */
  prepareText?: ((text: string) => PreparedText | Promise<PreparedText>) | undefined;
  /** Writes the words of recordings without a transcript. */
  recogniser?: Pick<Recogniser, "transcribe"> | undefined;
}

/**
 * Adapts a backend to the speech port. The backend reads plain text and makes punctuation pauses; exact pauses,
 * unsupported speeds and pitch are applied here. Ignores `tone`; chunks have no timeline.
 */
export function createRemoteEngine(
  server: Backend,
  { align, prepareText, recogniser, ...limits }: RemoteLimits & RemoteParts,
): SpeechEngine {
  const acquire = createLimiter(limits);

  async function* speak(given: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const request = withPaceOf(given);
    const voice = requireRemoteVoice(server, request);
    const runs = requireRuns(server, request);
    const release = await acquire(signal);
    try {
      for (const run of runs) yield* speakRun(server, { run, voice, request, signal });
    } finally {
      release();
    }
  }

  async function transcribe(samples: Float32Array, sampleRate: number, signal?: AbortSignal) {
    if (!recogniser || !prepareText || server.createVoice) return undefined;
    const heard = recogniser.transcribe(
      { samples: samples.slice(0, maxTranscribedSeconds * sampleRate), sampleRate },
      signal,
    );
    const transcript = await heard.catch((error: unknown) => {
      // Most servers clone without words.
      if (signal?.aborted || server.reference.needsText) throw error;
      return null;
    });
    return transcript && transcript.text !== "" ? prepareText(transcript.text) : undefined;
  }

  return {
    id: server.id,
    version: server.version,
    capabilities: {
      clone: true,
      stream: true,
      timeline: false,
      languages: server.languages,
      maxChars: server.maxChars,
    },
    async enroll({ samples, sampleRate }, { transcript, signal, reserveVoice } = {}) {
      const recording = {
        samples,
        sampleRate,
        transcript: transcript ?? (await transcribe(samples, sampleRate, signal)),
      };
      const reference = await prepareReference(recording, server.reference, { align, write: server.write, signal });
      const parameters = server.createVoice
        ? await createVoice(server, reference, { reserveVoice, signal })
        : reference;
      return { engine: server.id, version: server.version, parameters };
    },
    ...(server.deleteVoice && {
      forgetVoice: async (_: string, name: string) => {
        try {
          await server.deleteVoice?.(name, AbortSignal.timeout(limits.timeoutMs));
        } catch (error) {
          throw toSpeechError(server.id, error);
        }
      },
    }),
    async *synthesize(request, signal) {
      const timer = AbortSignal.timeout(limits.timeoutMs);
      const stopped = new AbortController();
      try {
        yield* speak(request, AbortSignal.any([signal, timer, stopped.signal]));
      } catch (error) {
        if (signal.aborted) throw new SpeechError("cancelled", "The caller cancelled", { cause: error });
        if (timer.aborted) throw new SpeechError("timeout", `${server.id} timed out`, { cause: error });
        throw toSpeechError(server.id, error);
      } finally {
        stopped.abort();
      }
    },
    probe: server.probe,
    close: async () => server.close?.(),
  };
}

/** The message of the fault where a recording may not be sent to a vendor. */
const noVendorConsent = "no-vendor-consent";
/** More than a recogniser takes at once. */
const maxTranscribedSeconds = 30;
/** Vendors may prepare a voice for minutes. */
const maxCreationMs = 5 * 60 * 1000;

async function createVoice(
  server: Backend,
  reference: RemoteVoice,
  { reserveVoice, signal }: { reserveVoice?: ReserveVoice | undefined; signal?: AbortSignal | undefined },
): Promise<RemoteVoice> {
  if (!reserveVoice || !server.createVoice) throw new SpeechError("reference", noVendorConsent);
  const timer = AbortSignal.timeout(maxCreationMs);
  const name = await reserveVoice(server.id);
  try {
    const voiceId = await server.createVoice(reference, name, signal ? AbortSignal.any([signal, timer]) : timer);
    return { wav: "", text: "", voiceId };
  } catch (error) {
    if (signal?.aborted) throw new SpeechError("cancelled", "The caller cancelled", { cause: error });
    if (timer.aborted) throw new SpeechError("timeout", `${server.id} timed out`, { cause: error });
    throw toSpeechError(server.id, error);
  }
}

/** Limits concurrent requests, first come first served; resolves with the release. Throws 'overloaded' and 'cancelled'. */
function createLimiter({ concurrency, maxQueue }: Omit<RemoteLimits, "timeoutMs">) {
  const limit = pLimit(concurrency);
  let pending = 0;
  return async (signal: AbortSignal): Promise<() => void> => {
    if (pending >= concurrency + maxQueue) throw new SpeechError("overloaded", "Too many requests are waiting");
    pending++;
    const slot = new Promise<() => void>((resolve) => {
      void limit(() => new Promise<void>((free) => (signal.aborted ? free() : resolve(free))));
    });
    try {
      const free = await rejectOnAbort(slot, signal);
      return () => {
        pending--;
        free();
      };
    } catch (error) {
      pending--;
      throw error;
    }
  };
}

/** Some models speak equal requests alike: a further delivery has another pace. */
function withPaceOf(request: SpeechRequest): SpeechRequest {
  const pace = paceOfRepetition(request.repetition);
  return pace === 1 ? request : { ...request, speed: Math.min(2, Math.max(0.5, request.speed * pace)) };
}

function requireRemoteVoice({ id, version }: Backend, { voice }: SpeechRequest): RemoteVoice {
  const parameters = voice.parameters as RemoteVoice | null;
  if (voice.engine !== id || voice.version !== version || typeof parameters?.wav !== "string") {
    throw new SpeechError("voice", `The voice belongs to ${voice.engine} ${voice.version}, not to ${id} ${version}`);
  }
  return parameters;
}

function requireRuns({ maxChars, write }: Backend, { text, speed }: SpeechRequest): TextRun[] {
  const runs = toTextRuns(text.units, speed, write);
  if (runs.length === 0) throw new SpeechError("text", "The text contains no speech");
  const longest = Math.max(...runs.map((run) => run.text.length));
  if (longest > maxChars) throw new SpeechError("text", `${longest} characters exceed the limit`);
  if (!(speed >= 0.5 && speed <= 2)) throw new SpeechError("text", `Speed ${speed} is outside 0.5–2`);
  return runs;
}

function toSpeechError(id: string, error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SpeechError("engine", `${id}: ${message}`, { cause: error });
}
