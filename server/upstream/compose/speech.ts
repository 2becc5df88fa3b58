import { availableParallelism } from "node:os";
import type { EngineSettings, SpeechSettings } from "../../settings/speech";
import type { SpeechEngine } from "../speech/engine";
import { createEmbeddedEngine, type EmbeddedEngine } from "../speech/engines/embedded/engine";
import { createFallback, type FallbackEngine } from "../speech/engines/fallback";
import { createCosyVoiceBackend } from "../speech/engines/remote/cosyvoice";
import { createFishSpeechBackend } from "../speech/engines/remote/fish-speech";
import { createGptSoVitsBackend } from "../speech/engines/remote/gpt-sovits";
import { createOpenAiBackend } from "../speech/engines/remote/openai";
import { type Backend, createRemoteEngine } from "../speech/engines/remote/remote-engine";
import { createSherpaBackend } from "../speech/engines/sherpa/engine";
import { withTimeline } from "../speech/engines/timeline";
import { createSpeechThreads } from "../speech/threads/threads";
import type { SpeechParts } from "../voices/ports";
import type { Measure } from "./metrics";

interface Watching {
  listenTo(engine: SpeechEngine): SpeechEngine;
  /** An engine is given up for a while, or asked again. */
  onChange(engine: string, state: "closed" | "open"): void;
}

export interface Speech extends SpeechParts {
  /** Which engines are asked at present; nothing where there is only the embedded one. */
  measure(): Measure[];
  close(): Promise<void>;
}

/** Where several engines speak, all of it is brought to one rate, so that their lines stand in one dub. */
const commonRate = 24_000;
const embeddedAlone: SpeechSettings = { engines: [{ name: "embedded" }], styles: {} };

/**
 * Everything of speech, put together by the settings. Files are decoded in the embedded engine's processes whatever speaks;
 * text, mastering, encoding and fingerprints have threads. Both start when they are first needed.
 */
export function createSpeech(settings: SpeechSettings = embeddedAlone, { listenTo, onChange }: Watching): Speech {
  const hasOne = settings.engines.every(({ name }) => name === "embedded");
  const threads = createSpeechThreads();
  let pool: Promise<EmbeddedEngine> | undefined;
  let heard: Promise<SpeechEngine> | undefined;
  let several: FallbackEngine | undefined;
  const embedded = () => {
    pool ??= createEmbeddedEngine();
    return pool;
  };
  const together = (own: EmbeddedEngine) => {
    const designer = listenTo(own);
    const engines = settings.engines.map((engine) =>
      engine.name === "embedded" ? designer : listenTo(withTimeline(createRemote(engine, own), own.align)),
    );
    several = createFallback({ engines, designer, styles: settings.styles, onChange });
    return several;
  };

  return {
    engine: () => {
      heard ??= embedded().then(hasOne ? listenTo : together);
      return heard;
    },
    inspect: async (bytes, signal) => (await embedded()).inspect(bytes, signal),
    encode: threads.encode,
    encodeFile: threads.encodeFile,
    printFile: threads.printFile,
    print: async (sound, signal) =>
      sound instanceof Uint8Array ? (await embedded()).print(sound, signal) : threads.print(sound, signal),
    hear: async (bytes, signal) => (await embedded()).hear(bytes, signal),
    hearAltered: async (bytes, signal) => (await embedded()).hearAltered(bytes, signal),
    prepareText: threads.prepareText,
    examineTexts: threads.examineTexts,
    splitSegments: threads.splitSegments,
    findPolyphones: threads.findPolyphones,
    master: (chunks, options) => threads.master(chunks, hasOne ? options : { ...options, sampleRate: commonRate }),
    measure: () => (several ? [toMeasure(several)] : []),
    async close() {
      await threads.close();
      await several?.close();
      await (await pool)?.close();
    },
  };
}

const maxQueuePerCore = 16;

function createRemote(engine: Exclude<EngineSettings, { name: "embedded" }>, { align }: EmbeddedEngine): SpeechEngine {
  const { concurrency, timeoutMs } = engine;
  const maxQueue = maxQueuePerCore * availableParallelism();
  return createRemoteEngine(backendOf(engine), { concurrency, maxQueue, timeoutMs, align });
}

function backendOf(engine: Exclude<EngineSettings, { name: "embedded" }>): Backend {
  if (engine.name === "sherpa") return createSherpaBackend(engine);
  if (engine.name === "openai") return createOpenAiBackend(engine);
  if (engine.name === "cosyvoice") return createCosyVoiceBackend(engine);
  return engine.name === "gpt-sovits" ? createGptSoVitsBackend(engine) : createFishSpeechBackend(engine);
}

const toMeasure = (engine: FallbackEngine): Measure => ({
  name: "speech_engine_up",
  help: "1 while an engine is asked, 0 while it rests after failures",
  type: "gauge",
  values: engine
    .states()
    .map(({ engine: name, state }) => ({ labels: { engine: name }, value: state === "open" ? 0 : 1 })),
});
