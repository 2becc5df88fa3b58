import { rejectOnAbort } from "../abort";
import {
  type SpeechChunk,
  type SpeechEngine,
  SpeechError,
  type SpeechFault,
  type SpeechRequest,
  type VoiceProfile,
} from "../engine";
import { type CircuitBreaker, type CircuitBreakerOptions, createCircuitBreaker } from "./circuit-breaker";

export interface FallbackOptions extends Pick<CircuitBreakerOptions, "failures" | "coolMs" | "now"> {
  /** In order of preference. */
  engines: readonly SpeechEngine[];
  /** Measures every voice and creates designed voices; may be one of the engines. */
  designer: SpeechEngine;
  /** Engine ID by style; an engine ID is also a style. */
  styles?: Readonly<Record<string, string>>;
  onChange?(engine: string, state: "closed" | "open", error?: unknown): void;
}

export interface FallbackEngine extends SpeechEngine {
  design: NonNullable<SpeechEngine["design"]>;
  /** Circuit breaker state of every engine. */
  states(): Array<{ engine: string; state: "closed" | "open" | "half-open" }>;
}

/** Voice profile by engine ID. */
type VoicesByEngine = Partial<Record<string, VoiceProfile>>;

/** Faults after which no other engine is tried. */
const finalFaults = new Set<SpeechFault>(["cancelled"]);
/** Faults of the request, not of the engine. */
const requestFaults = new Set<SpeechFault>(["text", "voice", "lost", "reference", "cancelled"]);

/**
 * Combines engines: the first available one that knows the voice synthesises. Enrols voices with all engines at once, while
 * the recording is available. Chunks of other than the preferred engine are marked `isFallback`.
 */
export function createFallback({ engines, designer, styles = {}, ...options }: FallbackOptions): FallbackEngine {
  const all = [...new Set([...engines, designer])];
  const breakers = new Map(
    all.map((engine) => {
      const { onChange, ...rest } = options;
      return [engine, createCircuitBreaker({ ...rest, onChange: (state) => onChange?.(engine.id, state) })] as const;
    }),
  );
  const breakerOf = (engine: SpeechEngine) => breakers.get(engine) as CircuitBreaker;
  const id = engines.map((engine) => engine.id).join("+");
  const version = all.map((engine) => `${engine.id}@${engine.version}`).join("+");

  const idOfStyle = (style: string | undefined) => (style === undefined ? undefined : (styles[style] ?? style));

  async function* synthesize(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const selectedId = idOfStyle(request.style);
    if (request.voice.engine !== id || request.voice.version !== version) {
      const { engine: other, version: otherVersion } = request.voice;
      throw new SpeechError("voice", `The voice belongs to ${other} ${otherVersion}, not to ${id} ${version}`);
    }
    yield* speakWithFirst(capableEngines(all, request.voice, selectedId), { request, selectedId, breakerOf, signal });
  }

  return {
    id,
    version,
    capabilities: {
      clone: true,
      stream: engines.every(({ capabilities }) => capabilities.stream),
      timeline: engines.every(({ capabilities }) => capabilities.timeline),
      languages: engines[0]?.capabilities.languages ?? [],
      maxChars: Math.min(...engines.map(({ capabilities }) => capabilities.maxChars)),
    },
    enroll: async (reference, settings = {}) => ({
      engine: id,
      version,
      ...(await learn({ engines, designer }, reference, settings)),
    }),
    async forgetVoice(engineId, name) {
      const engine = all.find(({ id, forgetVoice }) => id === engineId && forgetVoice);
      if (!engine?.forgetVoice) throw new SpeechError("engine", `${engineId} is not configured`);
      await engine.forgetVoice(engineId, name);
    },
    design(design) {
      if (!designer.design) throw new SpeechError("voice", `${designer.id} cannot design voices`);
      const voices = all.flatMap((engine) => (engine.design ? [[engine.id, engine.design(design)] as const] : []));
      return { engine: id, version, parameters: Object.fromEntries(voices), isDesigned: true };
    },
    synthesize,
    // Engines without an own timeline need the designer's alignment.
    warmUp: () => all.map((engine) => engine.warmUp?.()),
    states: () => all.map((engine) => ({ engine: engine.id, state: breakerOf(engine).state() })),
    probe: async () => (await Promise.all(engines.map((engine) => engine.probe?.() ?? true))).every(Boolean),
    async close() {
      for (const engine of all) await engine.close();
    },
  };
}

/** Engines that know the voice, the selected one first. */
function capableEngines(all: readonly SpeechEngine[], voice: VoiceProfile, selectedId: string | undefined) {
  const voices = voice.parameters as VoicesByEngine;
  // Engines that cannot clone are used only when a style selects them.
  const isSuitable = ({ id, capabilities }: SpeechEngine) =>
    capabilities.clone || voice.isDesigned || id === selectedId;
  return all
    .filter((engine) => voices[engine.id] && isSuitable(engine))
    .sort((a, b) => Number(b.id === selectedId) - Number(a.id === selectedId));
}

/** Probes an engine in half-open state before a request is sent to it. */
async function isAvailable(engine: SpeechEngine, breaker: CircuitBreaker, signal: AbortSignal): Promise<boolean> {
  const isHalfOpen = breaker.state() === "half-open";
  if (!breaker.allow()) return false;
  if (!isHalfOpen || !engine.probe) return true;
  const isReachable = await rejectOnAbort(engine.probe(), signal).catch((error) => {
    breaker.release();
    throw error;
  });
  if (!isReachable) breaker.fail();
  return isReachable;
}

/** The profiles of a recording. Throws what the first engine threw if none learned it, and 'cancelled'. */
async function learn(
  { engines, designer }: Pick<FallbackOptions, "engines" | "designer">,
  ...[reference, settings]: Parameters<SpeechEngine["enroll"]>
): Promise<Omit<VoiceProfile, "engine" | "version">> {
  const voices: VoicesByEngine = {};
  let refusal: unknown;
  let isPartial = false;
  // First, because it detects recordings without speech and measures the voice.
  const own = await designer.enroll(reference, settings);
  for (const engine of engines) {
    if (engine === designer) {
      voices[engine.id] = own;
      continue;
    }
    try {
      voices[engine.id] = await engine.enroll(reference, settings);
    } catch (error) {
      const fault = faultOf(error);
      if (finalFaults.has(fault)) throw error;
      // Engines require different recording lengths; an engine that is not available learns the voice later.
      if (fault !== "reference") isPartial = true;
      refusal ??= error;
    }
  }
  if (Object.keys(voices).length === 0) throw refusal;
  return { parameters: voices, ...(own.measured && { measured: own.measured }), ...(isPartial && { isPartial }) };
}

/** The request with the profiles of this engine; an unknown tone is omitted. */
function ownRequest(
  engine: SpeechEngine,
  { voice, tone, style: _, ...rest }: SpeechRequest,
  selectedId: string | undefined,
): SpeechRequest {
  const own = (voice.parameters as VoicesByEngine)[engine.id] as VoiceProfile;
  const ownTone = tone && (tone.parameters as VoicesByEngine)[engine.id];
  return { ...rest, voice: own, isSelected: engine.id === selectedId, ...(ownTone && { tone: ownTone }) };
}

const isFinal = (fault: SpeechFault, { stopsWhenLost = false }: SpeechRequest) =>
  finalFaults.has(fault) || (fault === "lost" && stopsWhenLost);

const withOrigin = (chunk: SpeechChunk, { id, version }: SpeechEngine, isFirst: boolean): SpeechChunk => ({
  ...chunk,
  spokenBy: `${id}@${version}`,
  ...(isFirst ? {} : { isFallback: true }),
});

const faultOf = (error: unknown): SpeechFault => (error instanceof SpeechError ? error.fault : "engine");

interface Attempt {
  request: SpeechRequest;
  selectedId: string | undefined;
  breakerOf(engine: SpeechEngine): CircuitBreaker;
  signal: AbortSignal;
}

/** The sound of the first engine that is available and starts to speak. */
async function* speakWithFirst(
  order: SpeechEngine[],
  { request, selectedId, breakerOf, signal }: Attempt,
): AsyncGenerator<SpeechChunk> {
  let failure: unknown;
  for (const engine of order) {
    const breaker = breakerOf(engine);
    if (!(await isAvailable(engine, breaker, signal))) continue;
    let hasOutput = false;
    let isSettled = false;
    try {
      for await (const chunk of engine.synthesize(ownRequest(engine, request, selectedId), signal)) {
        hasOutput = true;
        yield withOrigin(chunk, engine, engine === order[0]);
      }
      isSettled = true;
      breaker.succeed();
      return;
    } catch (error) {
      isSettled = true;
      const fault = faultOf(error);
      if (requestFaults.has(fault)) breaker.release();
      else breaker.fail();
      if (hasOutput || isFinal(fault, request)) throw error;
      failure ??= error;
    } finally {
      if (!isSettled) breaker.release();
    }
  }
  throw failure ?? new SpeechError("overloaded", "No engine is available");
}
