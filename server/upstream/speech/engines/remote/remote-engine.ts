import pLimit from "p-limit";
import { rejectOnAbort } from "../../abort";
import { stretch, transpose } from "../../dsp/stretch";
import type { Align } from "../../engine";
import { type SpeechChunk, type SpeechEngine, SpeechError, type SpeechRequest } from "../../engine";
import { cutReference, type ReferenceLimits, type RemoteVoice } from "./reference";
import { type Run, toRuns } from "./runs";
import type { Sound } from "./samples";
import { withoutSlack } from "./samples";

/** What a server is asked to say. */
export interface RemoteSpeech {
  text: string;
  voice: RemoteVoice;
  /** Within what the server knows; the rest is done here. */
  speed: number;
  emotion: SpeechRequest["emotion"];
}

/** Whatever makes sound of text and a shown voice, somewhere else than here. */
export interface Backend {
  id: string;
  /** Of the way it is spoken to, and of the model where it has a name. */
  version: string;
  maxChars: number;
  languages: readonly string[];
  /** What it takes of a recording; null where it has voices of its own and learns none. */
  reference: ReferenceLimits | null;
  /** The speeds it knows; null where it has one. */
  speeds: readonly [number, number] | null;
  /** Ends soon after the signal. */
  say(speech: RemoteSpeech, signal: AbortSignal): AsyncIterable<Sound>;
  probe(): Promise<boolean>;
  close?(): void;
}

export interface RemoteLimits {
  concurrency: number;
  maxQueue: number;
  timeoutMs: number;
}

/**
 * A speech server behind the port. It reads the text as written (a character whose reading was asked for is written as
 * another that has no other), and makes punctuation's pauses itself; exact pauses are made here, as are speeds it does not
 * know and pitch. The tone of another voice is left to engines that know it. Its chunks have no timeline.
 */
export function createRemoteEngine(
  server: Backend,
  { align, ...limits }: RemoteLimits & { align: Align },
): SpeechEngine {
  const acquire = createLimiter(limits);

  async function* speak(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const voice = requireRemoteVoice(server, request);
    const runs = requireRuns(server, request);
    const release = await acquire(signal);
    try {
      for (const run of runs) yield* speakRun(server, { run, voice, request, signal });
    } finally {
      release();
    }
  }

  return {
    id: server.id,
    version: server.version,
    capabilities: {
      clone: server.reference !== null,
      stream: true,
      timeline: false,
      languages: server.languages,
      maxChars: server.maxChars,
    },
    async enroll({ samples, sampleRate }, { transcript, signal } = {}) {
      const recording = { samples, sampleRate, transcript };
      const parameters = server.reference
        ? await cutReference(recording, server.reference, { align, signal })
        : { wav: "", text: "" };
      return { engine: server.id, version: server.version, parameters };
    },
    async *synthesize(request, signal) {
      const timer = AbortSignal.timeout(limits.timeoutMs);
      const leaving = new AbortController();
      try {
        yield* speak(request, AbortSignal.any([signal, timer, leaving.signal]));
      } catch (error) {
        if (signal.aborted) throw new SpeechError("cancelled", "The caller cancelled", { cause: error });
        if (timer.aborted) throw new SpeechError("timeout", `${server.id} took too long`, { cause: error });
        throw toSpeechError(server.id, error);
      } finally {
        leaving.abort();
      }
    },
    probe: server.probe,
    close: async () => server.close?.(),
  };
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

function requireRemoteVoice({ id, version }: Backend, { voice }: SpeechRequest): RemoteVoice {
  const parameters = voice.parameters as RemoteVoice | null;
  if (voice.engine !== id || voice.version !== version || typeof parameters?.wav !== "string") {
    throw new SpeechError("voice", `A voice of ${voice.engine} ${voice.version} is not one of ${id} ${version}`);
  }
  return parameters;
}

function requireRuns({ maxChars }: Backend, { text, speed }: SpeechRequest): Run[] {
  const runs = toRuns(text.units, speed);
  if (runs.length === 0) throw new SpeechError("text", "There is nothing to say");
  const longest = Math.max(...runs.map((run) => run.text.length));
  if (longest > maxChars) throw new SpeechError("text", `${longest} characters are too many`);
  if (!(speed >= 0.5 && speed <= 2)) throw new SpeechError("text", `Speed ${speed} is outside 0.5–2`);
  return runs;
}

function toSpeechError(id: string, error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SpeechError("engine", `${id}: ${message}`, { cause: error });
}

interface RunWork {
  run: Run;
  voice: RemoteVoice;
  request: SpeechRequest;
  signal: AbortSignal;
}

async function* speakRun(server: Backend, { run, voice, request, signal }: RunWork): AsyncGenerator<SpeechChunk> {
  const { speed, emotion, pitch = 0 } = request;
  const [slowest, fastest] = server.speeds ?? [1, 1];
  const known = Math.min(fastest, Math.max(slowest, speed));
  const heard = withoutSlack(server.say({ text: run.text, voice, speed: known, emotion }, signal));
  const sounds = speed === known && pitch === 0 ? heard : reshaped(heard, { speed: speed / known, pitch });
  let last: Sound | null = null;
  let beforeMs = run.pauseBeforeMs;
  for await (const sound of sounds) {
    if (last) {
      yield toChunk(last, { beforeMs, afterMs: 0 });
      beforeMs = 0;
    }
    last = sound;
  }
  if (!last) throw new SpeechError("engine", `${server.id} said nothing`);
  yield toChunk(last, { beforeMs, afterMs: Math.round(run.pauseAfterMs) });
}

function toChunk({ pcm, sampleRate }: Sound, silence: { beforeMs: number; afterMs: number }): SpeechChunk {
  const samplesOf = (ms: number) => Math.round((ms / 1000) * sampleRate);
  const whole = new Int16Array(samplesOf(silence.beforeMs) + pcm.length + samplesOf(silence.afterMs));
  whole.set(pcm, samplesOf(silence.beforeMs));
  return { pcm: whole, sampleRate, silence };
}

/** What the server does not know: waits for all of the run. */
async function* reshaped(
  sounds: AsyncIterable<Sound>,
  { speed, pitch }: { speed: number; pitch: number },
): AsyncGenerator<Sound> {
  const pieces: Int16Array[] = [];
  let sampleRate = 0;
  for await (const sound of sounds) {
    pieces.push(sound.pcm);
    sampleRate = sound.sampleRate;
  }
  if (pieces.length === 0) return;
  const samples = Float32Array.from(pieces.flatMap((piece) => Array.from(piece, (value) => value / 32_768)));
  const shaped = transpose(stretch(samples, sampleRate, speed), sampleRate, pitch);
  const pcm = Int16Array.from(shaped, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
  yield { pcm, sampleRate };
}
