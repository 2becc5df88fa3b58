import { availableParallelism } from "node:os";
import type { Metric } from "../../embedded-upstream";
import { kokoroFolder, usableEngines } from "../../settings/installed";
import type { SpeechSettings } from "../../settings/speech";
import type { EngineSettings } from "../../settings/speech-engines";
import type { SpeechEngine } from "../../speech/engine";
import {
  type Backend,
  createCosyVoiceBackend,
  createDashScopeBackend,
  createFallback,
  createFishSpeechBackend,
  createGptSoVitsBackend,
  createKokoroEngine,
  createMiniMaxBackend,
  createOpenAiBackend,
  createQwenBackend,
  createRemoteEngine,
  createSherpaBackend,
  type EmbeddedEngine,
  type FallbackEngine,
  isQwenModel,
  type RemoteParts,
  withTimeline,
} from "../../speech/index";

export interface SpeechHooks {
  withMetrics(engine: SpeechEngine): SpeechEngine;
  /** An engine was suspended after failures, or resumed. */
  onChange(engine: string, state: "closed" | "open"): void;
}

interface SpeakerParts extends SpeechHooks, Pick<RemoteParts, "prepareText" | "recogniser"> {
  embedded(): Promise<EmbeddedEngine>;
}

/**
 * The engines of the settings that can speak now, as one. When a model comes or goes, the next job gets another
 * combination; engines are made once and closed at the end, because running jobs use them.
 */
export function createSpeakers(settings: SpeechSettings, { embedded, withMetrics, onChange, ...parts }: SpeakerParts) {
  const made = new Map<string, SpeechEngine>();
  const ofJobs = new WeakMap<AbortSignal, Promise<SpeechEngine>>();
  let several: FallbackEngine | undefined;
  let current: { speakers: string; engine: Promise<SpeechEngine> } | undefined;

  const keyOf = (engine: EngineSettings) =>
    engine.name === "kokoro" ? `kokoro at ${kokoroFolder(engine.folders)}` : engine.name;
  const make = (engine: EngineSettings, own: EmbeddedEngine): SpeechEngine => {
    const known = made.get(keyOf(engine)) ?? withMetrics(createEngine(engine, own, parts));
    made.set(keyOf(engine), known);
    return known;
  };
  const combine = (usable: readonly EngineSettings[], own: EmbeddedEngine): SpeechEngine => {
    const designer = make({ name: "embedded" }, own);
    if (usable.every(({ name }) => name === "embedded")) return designer;
    const engines = usable.map((engine) => make(engine, own));
    several = createFallback({ engines, designer, styles: settings.styles, onChange });
    return several;
  };
  const choose = (): Promise<SpeechEngine> => {
    const usable = usableEngines(settings.engines);
    const speakers = usable.map(keyOf).join();
    if (current?.speakers !== speakers) current = { speakers, engine: embedded().then((own) => combine(usable, own)) };
    return current.engine;
  };
  return {
    speakers: () => usableEngines(settings.engines).map(keyOf).join(),
    engine: (job?: AbortSignal): Promise<SpeechEngine> => {
      const chosen = (job && ofJobs.get(job)) ?? choose();
      if (job) ofJobs.set(job, chosen);
      return chosen;
    },
    measure: () => (several ? [toMetric(several)] : []),
    close: async () => {
      for (const engine of made.values()) await engine.close();
    },
  };
}

function createEngine(
  engine: EngineSettings,
  own: EmbeddedEngine,
  parts: Pick<RemoteParts, "prepareText" | "recogniser">,
): SpeechEngine {
  if (engine.name === "embedded") return own;
  if (engine.name !== "kokoro") return withTimeline(createRemote(engine, { align: own.align, ...parts }), own.align);
  const kokoro = createKokoroEngine({ folder: kokoroFolder(engine.folders) ?? "" });
  return kokoro.capabilities.timeline ? kokoro : withTimeline(kokoro, own.align);
}

const maxQueuePerCore = 16;

type RemoteSettings = Exclude<EngineSettings, { name: "embedded" | "kokoro" }>;

function createRemote(engine: RemoteSettings, parts: RemoteParts): SpeechEngine {
  const { concurrency, timeoutMs } = engine;
  const maxQueue = maxQueuePerCore * availableParallelism();
  return createRemoteEngine(backendOf(engine), { concurrency, maxQueue, timeoutMs, ...parts });
}

function backendOf(engine: RemoteSettings): Backend {
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
