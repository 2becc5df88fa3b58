import { availableParallelism } from "node:os";
import type { Align, HeardFile, HeardPrint, MeasureProof, SoundPrint } from "../../analysis";
import { AsyncQueue } from "../../async-queue";
import type { SpeechChunk, SpeechEngine, SpeechRequest } from "../../engine";
import type { MonoSound } from "../../recogniser";
import type { InspectedRecording } from "../../recording/decode";
import type { ReadMusic } from "../../recording/music";
import type { RecordedPhrase } from "../../recording/phrases";
import { requireSpeech } from "../delivery";
import type { TaskKind, Tasks } from "./child";
import { Pool } from "./pool";
import { designVoice } from "./voice/design";
import { engineId, engineVersion, requireEmbeddedVoice } from "./voice/voice";

export interface EmbeddedOptions {
  /** Speech processes; default one per core. */
  processes?: number;
  /** Maximum number of waiting tasks. */
  maxQueue?: number;
  timeoutMs?: number;
  idleMs?: number;
}

/**
 * Decodes uploads in the speech processes, bounded in time and memory: a malicious file ends only its own request.
 * Throws SpeechError; fault 'reference' for files that hold no usable recording.
 */
interface RecordingInspection {
  inspect(bytes: Uint8Array, signal?: AbortSignal): Promise<InspectedRecording>;
  /** The recording without its noise, as WAV. */
  denoise(bytes: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** An uploaded file of music as mono MP3. */
  readMusic(bytes: Uint8Array, signal?: AbortSignal): Promise<ReadMusic>;
  print(bytes: Uint8Array, signal?: AbortSignal): Promise<SoundPrint>;
  /** Lookup query for a file of up to 15 minutes. */
  hear(bytes: Uint8Array, signal?: AbortSignal): Promise<HeardFile>;
  /** Lookup queries for its excerpt, one per supported change of tempo or pitch. */
  hearAltered(excerpt: MonoSound, signal?: AbortSignal): Promise<HeardPrint[]>;
  /** The speech in a file of up to 5 minutes, cut at its pauses. */
  findPhrases(bytes: Uint8Array, signal?: AbortSignal): Promise<RecordedPhrase[]>;
}

export interface EmbeddedEngine extends SpeechEngine, RecordingInspection {
  design: NonNullable<SpeechEngine["design"]>;
  /** Aligns text with the speech of another engine. */
  align: Align;
  measureProof: MeasureProof;
  /** A voiceprint of a recording; null for less than two seconds of speech. */
  describeVoice(sound: MonoSound, signal?: AbortSignal): Promise<number[] | null>;
  /** IDs of the running speech processes. */
  processIds(): number[];
}

const maxChars = 1500;
const defaults = {
  maxQueue: 64,
  timeoutMs: 120_000,
  idleMs: 60_000,
  residentMb: 300,
  graceMs: 150,
} as const;

/**
 * The built-in engine: eSpeak NG speech converted to a voice's pitch, spectrum and aperiodicity by a vocoder, in a pool of
 * processes. Needs no model downloads.
 */
export async function createEmbeddedEngine(options: EmbeddedOptions = {}): Promise<EmbeddedEngine> {
  const { processes = availableParallelism(), ...limits } = options;
  const pool = new Pool({ ...defaults, ...limits, size: processes });
  const task =
    <Kind extends TaskKind>(kind: Kind) =>
    (input: Tasks[Kind]["input"], signal?: AbortSignal) =>
      pool.run(kind, input, { signal });

  return {
    id: engineId,
    version: engineVersion,
    capabilities: {
      clone: true,
      stream: true,
      timeline: true,
      languages: ["zh", "en"],
      maxChars,
      variesRepetitions: true,
    },
    synthesize: (request, signal) => synthesize(pool, request, signal),
    warmUp: () => pool.warmUp(),
    async enroll({ samples, sampleRate }, { transcript, signal } = {}) {
      const syllables = transcript?.units.filter(({ kind }) => kind === "syllable").length;
      const input = { samples, sampleRate, ...(syllables !== undefined && { syllables }) };
      const { voice, measured } = await pool.run("enrol", input, { signal });
      return { engine: engineId, version: engineVersion, parameters: voice, measured };
    },
    design: designVoice,
    inspect: task("inspect"),
    denoise: task("denoise"),
    readMusic: task("music"),
    describeVoice: task("describeVoice"),
    print: task("print"),
    hear: task("hear"),
    hearAltered: task("hearAltered"),
    findPhrases: task("phrases"),
    align: task("align"),
    measureProof: task("prove"),
    processIds: () => pool.processIds(),
    close: async () => pool.close(),
  };
}

async function* synthesize(pool: Pool, request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
  requireEmbeddedVoice(request.voice);
  if (request.tone) requireEmbeddedVoice(request.tone);
  requireSpeech(request, maxChars);
  const stopped = new AbortController();
  const chunks = new AsyncQueue<SpeechChunk>();
  const work = pool.run("speak", request, {
    signal: AbortSignal.any([signal, stopped.signal]),
    onPart: (chunk) => chunks.push(chunk),
  });
  const end = () => chunks.end();
  work.then(end, end);
  try {
    for await (const chunk of chunks) {
      if (signal.aborted) break;
      yield chunk;
    }
  } finally {
    stopped.abort();
  }
  await work;
}
