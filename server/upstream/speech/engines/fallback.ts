import { rejectOnAbort } from "../abort";
import {
  type SpeechChunk,
  type SpeechEngine,
  SpeechError,
  type SpeechFault,
  type SpeechRequest,
  type VoiceProfile,
} from "../engine";
import { type BreakerOptions, createBreaker } from "./circuit-breaker";

export interface FallbackOptions extends Pick<BreakerOptions, "failures" | "coolMs" | "now"> {
  /** In the order they are asked. */
  engines: readonly SpeechEngine[];
  /** Measures every voice, and makes those that are designed; may be one of the engines. */
  designer: SpeechEngine;
  /** What a request's style means, by name; an engine's own id always means itself. */
  styles?: Readonly<Record<string, string>>;
  onChange?(engine: string, state: "closed" | "open", error?: unknown): void;
}

export interface FallbackEngine extends SpeechEngine {
  design: NonNullable<SpeechEngine["design"]>;
  /** Whether each is asked at present. */
  states(): Array<{ engine: string; state: "closed" | "open" | "half-open" }>;
}

/** What became of a voice with each engine. */
type Voices = Partial<Record<string, VoiceProfile>>;

/** Another engine would fail in the same way, or nobody listens. */
const final = new Set<SpeechFault>(["cancelled"]);
/** Tell of the request and nothing of the engine's health. */
const harmless = new Set<SpeechFault>(["text", "voice", "reference", "cancelled"]);

/**
 * Several engines as one: the first that is well and knows the voice speaks. A voice is learned with all of them at once,
 * because the recording is at hand then. What another than the first choice spoke is marked as a stand-in's.
 */
export function createFallback({ engines, designer, styles = {}, ...options }: FallbackOptions): FallbackEngine {
  const all = [...new Set([...engines, designer])];
  const breakers = new Map(
    all.map((engine) => {
      const { onChange, ...rest } = options;
      return [engine, createBreaker({ ...rest, onChange: (state) => onChange?.(engine.id, state) })] as const;
    }),
  );
  const breakerOf = (engine: SpeechEngine) => breakers.get(engine) as ReturnType<typeof createBreaker>;
  const id = engines.map((engine) => engine.id).join("+");
  const version = all.map((engine) => `${engine.id}@${engine.version}`).join("+");

  /** Engines that know the voice, the style's first. */
  function orderOf({ voice, style }: SpeechRequest): SpeechEngine[] {
    if (voice.engine !== id || voice.version !== version) {
      throw new SpeechError("voice", `A voice of ${voice.engine} ${voice.version} is not one of ${id} ${version}`);
    }
    const voices = voice.parameters as Voices;
    const wanted = style === undefined ? undefined : (styles[style] ?? style);
    // Who speaks in nobody's voice but its own speaks when it is asked to.
    const able = all.filter(({ id, capabilities }) => voices[id] && (capabilities.clone || id === wanted));
    return able.sort((a, b) => Number(b.id === wanted) - Number(a.id === wanted));
  }

  async function* synthesize(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const order = orderOf(request);
    let failure: unknown;
    for (const engine of order) {
      if (!(await isOpenTo(engine, signal))) continue;
      const breaker = breakerOf(engine);
      let hasSpoken = false;
      let isSettled = false;
      try {
        for await (const chunk of engine.synthesize(ownRequest(engine, request), signal)) {
          hasSpoken = true;
          yield signed(chunk, engine, engine === order[0]);
        }
        isSettled = true;
        breaker.succeed();
        return;
      } catch (error) {
        isSettled = true;
        const fault = faultOf(error);
        if (harmless.has(fault)) breaker.leave();
        else breaker.fail();
        if (hasSpoken || final.has(fault)) throw error;
        failure ??= error;
      } finally {
        if (!isSettled) breaker.leave();
      }
    }
    throw failure ?? new SpeechError("overloaded", "No engine is well enough to be asked");
  }

  /** Before somebody's request is risked on an engine that was away, it is asked whether it is back. */
  async function isOpenTo(engine: SpeechEngine, signal: AbortSignal): Promise<boolean> {
    const breaker = breakerOf(engine);
    const wasAway = breaker.state() === "half-open";
    if (!breaker.allow()) return false;
    if (!wasAway || !engine.probe) return true;
    const isBack = await rejectOnAbort(engine.probe(), signal).catch((error) => {
      breaker.leave();
      throw error;
    });
    if (!isBack) breaker.fail();
    return isBack;
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
    async enroll(reference, settings = {}) {
      const voices: Voices = {};
      let refusal: unknown;
      // First of all: it hears whether anybody speaks at all, and measures who.
      const own = await designer.enroll(reference, settings);
      for (const engine of engines) {
        if (engine === designer) {
          voices[engine.id] = own;
          continue;
        }
        try {
          voices[engine.id] = await engine.enroll(reference, settings);
        } catch (error) {
          // One may want longer recordings than the others.
          if (faultOf(error) !== "reference") throw error;
          refusal ??= error;
        }
      }
      if (Object.keys(voices).length === 0) throw refusal;
      return { engine: id, version, parameters: voices, ...(own.measured && { measured: own.measured }) };
    },
    design(design) {
      if (!designer.design) throw new SpeechError("voice", `${designer.id} designs no voices`);
      return { engine: id, version, parameters: { [designer.id]: designer.design(design) } };
    },
    synthesize,
    states: () => all.map((engine) => ({ engine: engine.id, state: breakerOf(engine).state() })),
    probe: async () => (await Promise.all(engines.map((engine) => engine.probe?.() ?? true))).every(Boolean),
    async close() {
      for (const engine of all) await engine.close();
    },
  };
}

/** As this engine knows the voices; a tone it does not know is left out. */
function ownRequest(engine: SpeechEngine, { voice, tone, style: _, ...rest }: SpeechRequest): SpeechRequest {
  const own = (voice.parameters as Voices)[engine.id] as VoiceProfile;
  const ownTone = tone && (tone.parameters as Voices)[engine.id];
  return { ...rest, voice: own, ...(ownTone && { tone: ownTone }) };
}

const signed = (chunk: SpeechChunk, { id, version }: SpeechEngine, isFirst: boolean): SpeechChunk => ({
  ...chunk,
  spokenBy: `${id}@${version}`,
  ...(isFirst ? {} : { isStandIn: true }),
});

const faultOf = (error: unknown): SpeechFault => (error instanceof SpeechError ? error.fault : "engine");
