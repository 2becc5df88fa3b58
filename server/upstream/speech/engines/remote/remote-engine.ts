import pLimit from "p-limit";
import { rejectOnAbort } from "../../abort";
import { concatArrays, toFloats, toPcm } from "../../dsp/pcm";
import { stretch, transpose } from "../../dsp/stretch";
import type { Align, PreparedText, ReserveVoice } from "../../engine";
import { type SpeechChunk, type SpeechEngine, SpeechError, type SpeechRequest } from "../../engine";
import { prepareReference, type Recording, type ReferenceLimits, type RemoteVoice } from "./reference";
import { type TextRun, toTextRuns, type WriteUnit } from "./runs";
import type { Sound } from "./samples";
import { trimSilence } from "./samples";

/** Input of a backend. */
export interface RemoteSpeech {
  text: string;
  voice: RemoteVoice;
  /** Within `speeds`; the remainder is applied to the audio. */
  speed: number;
  emotion: SpeechRequest["emotion"];
  /** See `SpeechRequest.isSelected`. */
  isSelected: boolean;
}

/** A synthesiser outside this process. */
export interface Backend {
  id: string;
  /** Version of the protocol, and of the model if serverSpeed. */
  version: string;
  maxChars: number;
  languages: readonly string[];
  /** Limits of reference recordings; null if it cannot clone. */
  reference: ReferenceLimits | null;
  /** Supported speeds; null if fixed. */
  speeds: readonly [number, number] | null;
  /** Notation of readings; absent where the server reads characters. */
  write?: WriteUnit;
  /** The words of a recording without a transcript. */
  transcribe?(recording: Recording, signal?: AbortSignal): Promise<string>;
  /** The number of the preset voice for a recording, where the model clones none. */
  choosePreset?(recording: Recording): number;
  /** Creates a voice at the vendor under this name, where recordings do not travel with requests; returns its id there. */
  createVoice?(reference: RemoteVoice, name: string, signal: AbortSignal): Promise<string>;
  /** Deletes the voice of this name; succeeds if there is none. */
  deleteVoice?(name: string, signal: AbortSignal): Promise<void>;
  /** Ends soon after an abort. */
  say(speech: RemoteSpeech, signal: AbortSignal): AsyncIterable<Sound>;
  probe(): Promise<boolean>;
  close?(): void;
}

export interface RemoteLimits {
  concurrency: number;
  maxQueue: number;
  timeoutMs: number;
}

/** Parts of the product that a remote engine uses. */
export interface RemoteParts {
  align: Align;
  /** Prepares the words that a backend recognised. */
  prepareText?: ((text: string) => PreparedText | Promise<PreparedText>) | undefined;
}

/**
 * Adapts a backend to the speech port. The backend reads plain text and makes punctuation pauses; exact pauses,
 * unsupported speeds and pitch are applied here. Ignores `tone`; chunks have no timeline.
 */
export function createRemoteEngine(
  server: Backend,
  { align, prepareText, ...limits }: RemoteLimits & RemoteParts,
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

  async function transcribe(samples: Float32Array, sampleRate: number, signal?: AbortSignal) {
    if (!server.transcribe || !prepareText) return undefined;
    const text = await server.transcribe({ samples, sampleRate }, signal);
    return text.trim() === "" ? undefined : prepareText(text);
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
    async enroll({ samples, sampleRate }, { transcript, signal, reserveVoice } = {}) {
      const recording = {
        samples,
        sampleRate,
        transcript: transcript ?? (await transcribe(samples, sampleRate, signal)),
      };
      const reference = server.reference
        ? await prepareReference(recording, server.reference, { align, write: server.write, signal })
        : { wav: "", text: "", sid: server.choosePreset?.(recording) ?? 0 };
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

/** Vendors may prepare a voice for minutes. */
const maxCreationMs = 5 * 60 * 1000;

async function createVoice(
  server: Backend,
  reference: RemoteVoice,
  { reserveVoice, signal }: { reserveVoice?: ReserveVoice | undefined; signal?: AbortSignal | undefined },
): Promise<RemoteVoice> {
  if (!reserveVoice || !server.createVoice) throw new SpeechError("voice", `${server.id} needs a recorded name`);
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

interface RunRequest {
  run: TextRun;
  voice: RemoteVoice;
  request: SpeechRequest;
  signal: AbortSignal;
}

async function* speakRun(server: Backend, { run, voice, request, signal }: RunRequest): AsyncGenerator<SpeechChunk> {
  const { speed, emotion, pitch = 0, isSelected = false } = request;
  const [slowest, fastest] = server.speeds ?? [1, 1];
  const serverSpeed = Math.min(fastest, Math.max(slowest, speed));
  const trimmed = trimSilence(server.say({ text: run.text, voice, speed: serverSpeed, emotion, isSelected }, signal));
  const sounds =
    speed === serverSpeed && pitch === 0 ? trimmed : applySpeedAndPitch(trimmed, { speed: speed / serverSpeed, pitch });
  let last: Sound | null = null;
  let beforeMs = run.pauseBeforeMs;
  for await (const sound of sounds) {
    if (last) {
      yield toChunk(last, { beforeMs, afterMs: 0 });
      beforeMs = 0;
    }
    last = sound;
  }
  if (!last) throw new SpeechError("engine", `${server.id} returned no audio`);
  yield toChunk(last, { beforeMs, afterMs: Math.round(run.pauseAfterMs) });
}

function toChunk({ pcm, sampleRate }: Sound, silence: { beforeMs: number; afterMs: number }): SpeechChunk {
  const samplesOf = (ms: number) => Math.round((ms / 1000) * sampleRate);
  const whole = new Int16Array(samplesOf(silence.beforeMs) + pcm.length + samplesOf(silence.afterMs));
  whole.set(pcm, samplesOf(silence.beforeMs));
  return { pcm: whole, sampleRate, silence };
}

/** Applies speed and pitch to a complete run. */
async function* applySpeedAndPitch(
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
  const samples = toFloats(concatArrays(Int16Array, pieces));
  yield { pcm: toPcm(transpose(stretch(samples, sampleRate, speed), sampleRate, pitch)), sampleRate };
}
