import { availableParallelism } from "node:os";
import type { Metric } from "../../embedded-upstream";
import type { SpeechSettings } from "../../settings/speech";
import type { EngineSettings } from "../../settings/speech-engines";
import type { SpeechEngine } from "../speech/engine";
import { createEmbeddedEngine, type EmbeddedEngine } from "../speech/engines/embedded/engine";
import { createFallback, type FallbackEngine } from "../speech/engines/fallback";
import { examineDashScope, examineMiniMax, type VendorAccount } from "../speech/engines/hosted/accounts";
import { createDashScopeBackend } from "../speech/engines/hosted/dashscope";
import { createMiniMaxBackend } from "../speech/engines/hosted/minimax";
import { createQwenBackend, isQwenModel } from "../speech/engines/hosted/qwen";
import type { Backend } from "../speech/engines/remote/backend";
import { createCosyVoiceBackend } from "../speech/engines/remote/cosyvoice";
import { createFishSpeechBackend } from "../speech/engines/remote/fish-speech";
import { createGptSoVitsBackend } from "../speech/engines/remote/gpt-sovits";
import { createOpenAiBackend } from "../speech/engines/remote/openai";
import { createRemoteEngine, type RemoteParts } from "../speech/engines/remote/remote-engine";
import { createSherpaBackend } from "../speech/engines/sherpa/engine";
import { createListener } from "../speech/engines/sherpa/listener";
import { findModel } from "../speech/engines/sherpa/models";
import { withTimeline } from "../speech/engines/timeline";
import { measureLikeness } from "../speech/likeness";
import { createVoiceprints } from "../speech/proof/speaker";
import { checkSpeech } from "../speech/speech-check";
import { createSpeechThreads } from "../speech/threads/threads";
import { transcribePhrases } from "../speech/transcription";
import type { SpeechParts } from "../voices/ports";

interface SpeechHooks {
  withMetrics(engine: SpeechEngine): SpeechEngine;
  /** An engine was suspended after failures, or resumed. */
  onChange(engine: string, state: "closed" | "open"): void;
}

export interface Speech extends SpeechParts {
  /** Availability of each engine; empty if only the embedded one is configured. */
  measure(): Metric[];
  close(): Promise<void>;
}

/** Hz. Several engines share one rate so that their lines can be mixed. */
const commonRate = 24_000;
const embeddedOnly: SpeechSettings = { engines: [{ name: "embedded" }], styles: {} };

/**
 * Builds the engines of the settings. The embedded engine's processes decode files for every engine; text, mastering,
 * encoding and fingerprints run in threads. Both start at their first use.
 */
export function createSpeech(settings: SpeechSettings = embeddedOnly, { withMetrics, onChange }: SpeechHooks): Speech {
  const isEmbeddedOnly = settings.engines.every(({ name }) => name === "embedded");
  const threads = createSpeechThreads();
  const listener = createListener(settings.listening ?? {});
  const { recogniser, speakerVerifier } = listener;
  let pool: Promise<EmbeddedEngine> | undefined;
  let engine: Promise<SpeechEngine> | undefined;
  let several: FallbackEngine | undefined;
  const embedded = () => {
    pool ??= createEmbeddedEngine();
    return pool;
  };
  const combine = (own: EmbeddedEngine) => {
    const designer = withMetrics(own);
    const engines = settings.engines.map((engine) =>
      engine.name === "embedded"
        ? designer
        : withMetrics(
            withTimeline(
              createRemote(engine, { align: own.align, prepareText: threads.prepareText, recogniser }),
              own.align,
            ),
          ),
    );
    several = createFallback({ engines, designer, styles: settings.styles, onChange });
    return several;
  };

  return {
    engine: () => {
      engine ??= embedded().then(isEmbeddedOnly ? withMetrics : combine);
      return engine;
    },
    inspect: async (bytes, signal) => (await embedded()).inspect(bytes, signal),
    voiceprints: createVoiceprints(async (sound, signal) => (await embedded()).describeVoice(sound, signal)),
    encode: threads.encode,
    encodeFile: threads.encodeFile,
    mixMusic: threads.mixMusic,
    readMusic: async (bytes, signal) => (await embedded()).readMusic(bytes, signal),
    printFile: threads.printFile,
    print: async (sound, signal) =>
      sound instanceof Uint8Array ? (await embedded()).print(sound, signal) : threads.print(sound, signal),
    hear: async (bytes, signal) => (await embedded()).hear(bytes, signal),
    hearAltered: async (bytes, signal) => (await embedded()).hearAltered(bytes, signal),
    measureProof: async (request, signal) => (await embedded()).measureProof(request, signal),
    ...(recogniser && {
      recogniser,
      transcribe: async (bytes, signal) =>
        transcribePhrases(recogniser, await (await embedded()).findPhrases(bytes, signal), signal),
      ...(settings.isChecked !== false && {
        checkSpeech: (chunks, text, signal) =>
          checkSpeech({ recogniser, prepareText: threads.prepareText }, { chunks, text, signal }),
      }),
    }),
    ...(speakerVerifier && {
      speakerVerifier,
      measureLikeness: (request) => measureLikeness(speakerVerifier, request),
    }),
    prepareText: threads.prepareText,
    examineTexts: threads.examineTexts,
    splitSegments: threads.splitSegments,
    findPolyphones: threads.findPolyphones,
    master: (chunks, options) =>
      threads.master(chunks, isEmbeddedOnly ? options : { ...options, sampleRate: commonRate }),
    measure: () => (several ? [toMetric(several)] : []),
    async close() {
      listener.close();
      await threads.close();
      await several?.close();
      await (await pool)?.close();
    },
  };
}

const maxQueuePerCore = 16;

function createRemote(engine: Exclude<EngineSettings, { name: "embedded" }>, parts: RemoteParts): SpeechEngine {
  const { concurrency, timeoutMs } = engine;
  const maxQueue = maxQueuePerCore * availableParallelism();
  return createRemoteEngine(backendOf(engine), { concurrency, maxQueue, timeoutMs, ...parts });
}

function backendOf(engine: Exclude<EngineSettings, { name: "embedded" }>): Backend {
  if (engine.name === "dashscope") {
    return isQwenModel(engine.model) ? createQwenBackend(engine) : createDashScopeBackend(engine);
  }
  if (engine.name === "minimax") return createMiniMaxBackend(engine);
  if (engine.name === "sherpa") return createSherpaBackend(engine);
  if (engine.name === "openai") return createOpenAiBackend(engine);
  if (engine.name === "cosyvoice") return createCosyVoiceBackend(engine);
  return engine.name === "gpt-sovits" ? createGptSoVitsBackend(engine) : createFishSpeechBackend(engine);
}

const toMetric = (engine: FallbackEngine): Metric => ({
  name: "speech_engine_up",
  help: "1 while an engine is used, 0 while it is suspended after failures",
  type: "gauge",
  values: engine
    .states()
    .map(({ engine: name, state }) => ({ labels: { engine: name }, value: state === "open" ? 0 : 1 })),
});

const abroad = /-intl\b|\.ap-southeast|minimax\.io/;

/** The companies that recordings are sent to, and whether abroad: "dashscope", "minimax-abroad". */
export const vendorsOf = (engines: readonly EngineSettings[]): string[] =>
  engines.flatMap((engine) =>
    engine.name === "dashscope" || engine.name === "minimax"
      ? [abroad.test(engine.url) ? `${engine.name}-abroad` : engine.name]
      : [],
  );

/** Why the folders of models do not speak. */
export const faultsOfModels = (engines: readonly EngineSettings[]): string[] =>
  engines.flatMap((engine) => {
    const found = engine.name === "sherpa" ? findModel(engine.folder) : null;
    return found && "fault" in found ? [found.fault] : [];
  });

/** The vendors' accounts of the configured keys. */
export const examineVendors = (engines: readonly EngineSettings[], signal: AbortSignal): Promise<VendorAccount[]> =>
  Promise.all(
    engines.flatMap((engine) => {
      if (engine.name === "dashscope") return [examineDashScope(engine, signal)];
      return engine.name === "minimax" ? [examineMiniMax(engine, signal)] : [];
    }),
  );
