import { availableParallelism } from "node:os";
import type { Align, SpeechChunk, SpeechEngine, SpeechRequest } from "../../engine";
import { SpeechError } from "../../engine";
import type { InspectedRecording } from "../../recording/decode";
import type { HeardPrint, SoundPrint } from "../../recording/fingerprint/fingerprint";
import { createPool } from "./pool";
import { designVoice, engineId, engineVersion, requireEmbeddedVoice } from "./voice/voice";

export interface EmbeddedOptions {
  /** Speech processes; one a core unless said otherwise. */
  processes?: number;
  /** Tasks that may wait for a process. */
  maxQueue?: number;
  timeoutMs?: number;
  /** Start a process at once, in the background. */
  warm?: boolean;
}

/**
 * Decodes uploads in the speech processes, bounded in time and memory: a malicious file ends only its own request.
 * Throws SpeechError; fault 'reference' for files that hold no usable recording.
 */
interface RecordingInspection {
  inspect(bytes: Uint8Array, signal?: AbortSignal): Promise<InspectedRecording>;
  print(bytes: Uint8Array, signal?: AbortSignal): Promise<SoundPrint>;
  /** Lookup query for a file of up to 15 minutes. */
  hear(bytes: Uint8Array, signal?: AbortSignal): Promise<HeardPrint>;
  /** Lookup queries for the same file, one per supported change of tempo or pitch. */
  hearAltered(bytes: Uint8Array, signal?: AbortSignal): Promise<HeardPrint[]>;
}

export interface EmbeddedEngine extends SpeechEngine, RecordingInspection {
  design: NonNullable<SpeechEngine["design"]>;
  /** When what another engine spoke sounds. */
  align: Align;
  /** The speech processes that run now. */
  processIds(): number[];
}

const maxChars = 1500;
const graceMs = 150;
const residentMb = 300;

/**
 * Speech without downloads: eSpeak NG's reading, given a person's pitch, spectrum and breath by our own vocoder, in a
 * pool of processes. Usable at once; the first call waits for a process to start.
 */
export async function createEmbeddedEngine(options: EmbeddedOptions = {}): Promise<EmbeddedEngine> {
  const { processes = availableParallelism(), maxQueue = 64, timeoutMs = 120_000, warm = true } = options;
  const pool = createPool({ size: processes, maxQueue, timeoutMs, residentMb, graceMs });
  // A cold start is only slower: whoever calls first meets the real error.
  if (warm) pool.run("warm", null).catch(() => {});

  async function* synthesize(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    requireEmbeddedVoice(request.voice);
    if (request.tone) requireEmbeddedVoice(request.tone);
    requireText(request);
    const leaving = new AbortController();
    const ready: SpeechChunk[] = [];
    let wake = () => {};
    let ended = false;
    const work = pool.run("speak", request, {
      signal: AbortSignal.any([signal, leaving.signal]),
      onPart: (chunk) => {
        ready.push(chunk);
        wake();
      },
    });
    const end = work
      .then(
        () => null,
        (error: unknown) => error,
      )
      .then((error) => {
        ended = true;
        wake();
        return error;
      });
    try {
      while (true) {
        if (signal.aborted) break;
        const chunk = ready.shift();
        if (chunk) yield chunk;
        else if (ended) break;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      leaving.abort();
    }
    const error = await end;
    if (error) throw error;
  }

  return {
    id: engineId,
    version: engineVersion,
    capabilities: { clone: true, stream: true, timeline: true, languages: ["zh", "en"], maxChars },
    synthesize,
    async enroll({ samples, sampleRate }, { transcript, signal } = {}) {
      const ask = { samples, sampleRate, ...(transcript ? { transcript } : {}) };
      const { voice, measured } = await pool.run("enrol", ask, { ...(signal ? { signal } : {}) });
      return { engine: engineId, version: engineVersion, parameters: voice, measured };
    },
    design: designVoice,
    inspect: (bytes, signal) => pool.run("inspect", bytes, { ...(signal ? { signal } : {}) }),
    print: (bytes, signal) => pool.run("print", bytes, { ...(signal ? { signal } : {}) }),
    hear: (bytes, signal) => pool.run("hear", bytes, { ...(signal ? { signal } : {}) }),
    hearAltered: (bytes, signal) => pool.run("hearAltered", bytes, { ...(signal ? { signal } : {}) }),
    align: (ask, signal) => pool.run("align", ask, { ...(signal ? { signal } : {}) }),
    processIds: pool.processIds,
    close: async () => pool.close(),
  };
}

function requireText({ text, speed }: SpeechRequest) {
  const spoken = text.units.filter(({ kind }) => kind !== "pause");
  if (spoken.length === 0) throw new SpeechError("text", "There is nothing to say");
  if (spoken.length > 2 * maxChars) throw new SpeechError("text", `${spoken.length} units are too many`);
  if (!(speed >= 0.5 && speed <= 2)) throw new SpeechError("text", `Speed ${speed} is outside 0.5–2`);
}
