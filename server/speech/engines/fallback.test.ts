import { describe, expect, it, test } from "vitest";
import { prepareText } from "../chinese/prepare";
import { type SpeechChunk, type SpeechEngine, SpeechError, type SpeechFault, type SpeechRequest } from "../engine";
import { createCircuitBreaker } from "./circuit-breaker";
import { createFallback } from "./fallback";
import { withTimeline } from "./timeline";

const never = new AbortController().signal;
const text = prepareText("你好。");
const noAlignment = async () => {
  throw new SpeechError("engine", "alignment is not available");
};
const reference = { samples: new Float32Array(1600), sampleRate: 16_000 };

/** An engine that fails synthesis with `fault` and enrolment with `refuses`. */
function fake(id: string) {
  const recorded = { calls: 0, probes: 0, voices: [] as unknown[] };
  const state: { fault?: SpeechFault; refuses?: SpeechFault; isWell: boolean } = { isWell: true };
  const engine: SpeechEngine = {
    id,
    version: "1",
    capabilities: { clone: true, stream: false, timeline: true, languages: ["zh"], maxChars: 1500 },
    async enroll() {
      if (state.refuses) throw new SpeechError(state.refuses, "refused");
      return { engine: id, version: "1", parameters: `${id}'s` };
    },
    async *synthesize({ voice }: SpeechRequest) {
      recorded.calls++;
      recorded.voices.push(voice.parameters);
      if (state.fault) throw new SpeechError(state.fault, `${id} fails`);
      yield { pcm: new Int16Array(1600), sampleRate: 16_000 };
    },
    probe: async () => {
      recorded.probes++;
      return state.isWell;
    },
    close: async () => {},
  };
  return { engine, recorded, state };
}

function set() {
  const [first, second, own] = [fake("first"), fake("second"), fake("own")];
  own.engine.design = () => ({ engine: "own", version: "1", parameters: "designed" });
  const clock = { now: 0 };
  const changes: string[] = [];
  const engine = createFallback({
    engines: [first.engine, second.engine],
    designer: own.engine,
    styles: { story: "second" },
    failures: 2,
    coolMs: 1000,
    now: () => clock.now,
    onChange: (id, state) => changes.push(`${id} ${state}`),
  });
  const speak = async (change: Partial<SpeechRequest> = {}): Promise<SpeechChunk[]> => {
    const voice = change.voice ?? (await engine.enroll(reference));
    const chunks: SpeechChunk[] = [];
    for await (const chunk of engine.synthesize({ text, speed: 1, ...change, voice }, never)) chunks.push(chunk);
    return chunks;
  };
  return { engine, first, second, own, clock, changes, speak };
}

const faultOf = (work: Promise<unknown>) => work.then(() => "none").catch((error: SpeechError) => error.fault);

describe("a combination of several engines", () => {
  it("uses the first engine and names it in spokenBy", async () => {
    const { first, second, speak } = set();
    expect(await speak()).toMatchObject([{ spokenBy: "first@1" }]);
    expect((await speak())[0]).not.toHaveProperty("isFallback");
    expect(first.recorded.voices[0]).toBe("first's");
    expect(second.recorded.calls).toBe(0);
  });

  it("forwards a warm-up to every engine that has one, also through wrappers", () => {
    const { engine, first, own } = set();
    const warmed: string[] = [];
    for (const { engine: one } of [first, own]) one.warmUp = () => warmed.push(one.id);
    engine.warmUp?.();
    expect(warmed).toEqual(["first", "own"]);
    withTimeline(first.engine, noAlignment).warmUp?.();
    expect(warmed).toEqual(["first", "own", "first"]);
  });

  it("fails for a voice that its vendor lost if that is asked for, and uses another engine otherwise", async () => {
    const { first, speak } = set();
    first.state.fault = "lost";
    expect(await faultOf(speak({ stopsWhenLost: true }))).toBe("lost");
    expect(await speak()).toMatchObject([{ spokenBy: "second@1", isFallback: true }]);
  });

  it("uses the next engine after a failure and marks its chunks as fallback", async () => {
    const { first, second, speak } = set();
    first.state.fault = "engine";
    expect(await speak()).toMatchObject([{ spokenBy: "second@1", isFallback: true }]);
    second.state.fault = "timeout";
    first.state.fault = "overloaded";
    expect(await faultOf(speak())).toBe("overloaded");
  });

  it("stops using a failing engine and probes it before the next attempt", async () => {
    const { first, clock, changes, speak } = set();
    first.state.fault = "engine";
    for (let i = 0; i < 5; i++) await speak();
    expect(first.recorded.calls).toBe(2);
    clock.now = 1000;
    first.state.isWell = false;
    await speak();
    expect([first.recorded.calls, first.recorded.probes]).toEqual([2, 1]);
    clock.now = 2000;
    [first.state.isWell, first.state.fault] = [true, undefined as never];
    delete first.state.fault;
    expect(await speak()).toMatchObject([{ spokenBy: "first@1" }]);
    expect(changes).toEqual(["first open", "first closed"]);
  });

  it("abandons a probe when the caller cancels and probes again for the next request", async () => {
    const { engine, first, clock, speak } = set();
    first.state.fault = "engine";
    for (let i = 0; i < 2; i++) await speak();
    clock.now = 1000;
    first.engine.probe = () => new Promise(() => {});
    const voice = await engine.enroll(reference);
    const caller = new AbortController();
    const cancelled = engine.synthesize({ text, speed: 1, voice }, caller.signal)[Symbol.asyncIterator]().next();
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort();
    expect(await faultOf(cancelled)).toBe("cancelled");
    first.engine.probe = async () => true;
    delete first.state.fault;
    expect(await speak()).toMatchObject([{ spokenBy: "first@1" }]);
  });

  it("does not count text faults as engine failures", async () => {
    const { first, speak } = set();
    first.state.fault = "text";
    for (let i = 0; i < 5; i++) await speak();
    expect(first.recorded.calls).toBe(5);
  });

  it("is overloaded when all breakers are open", async () => {
    const { first, second, speak } = set();
    first.state.fault = "engine";
    second.state.fault = "engine";
    expect(await faultOf(speak())).toBe("engine");
    expect(await faultOf(speak())).toBe("engine");
    expect(await faultOf(speak())).toBe("overloaded");
  });

  it("tries no other engine after a cancellation", async () => {
    const { first, second, speak } = set();
    first.state.fault = "cancelled";
    expect(await faultOf(speak())).toBe("cancelled");
    expect(second.recorded.calls).toBe(0);
  });

  it("selects the engine of a style and ignores unknown styles", async () => {
    const { speak } = set();
    expect(await speak({ style: "story" })).toMatchObject([{ spokenBy: "second@1" }]);
    expect(await speak({ style: "second" })).toMatchObject([{ spokenBy: "second@1" }]);
    expect(await speak({ style: "whatever" })).toMatchObject([{ spokenBy: "first@1" }]);
  });

  it("uses the designer for designed voices", async () => {
    const { engine, speak, own } = set();
    const design = { pitchHz: 120, pitchSpreadSt: 2, tract: 1, breath: 0, tilt: 0, rate: 1 };
    const voice = engine.design(design);
    const [chunk] = await speak({ voice });
    expect(chunk).toMatchObject({ spokenBy: "own@1" });
    expect(chunk).not.toHaveProperty("isFallback");
    expect(own.recorded.voices).toEqual(["designed"]);
  });

  it("skips engines that reject a recording or are not available, and fails if all do", async () => {
    const { engine, first, second, own, speak } = set();
    first.state.refuses = "reference";
    expect(await speak()).toMatchObject([{ spokenBy: "second@1" }]);
    second.state.refuses = "reference";
    expect(await faultOf(speak())).toBe("reference");
    first.state.refuses = "timeout";
    expect(await faultOf(speak())).toBe("timeout");
    delete second.state.refuses;
    expect(await engine.enroll(reference)).toMatchObject({ isPartial: true });
    expect(await speak()).toMatchObject([{ spokenBy: "second@1" }]);
    first.state.refuses = "cancelled";
    expect(await faultOf(speak())).toBe("cancelled");
    own.state.refuses = "reference";
    expect(await faultOf(speak())).toBe("reference");
  });

  it("rejects voices of another combination of engines", async () => {
    const { speak } = set();
    expect(await faultOf(speak({ voice: { engine: "first", version: "1", parameters: "first's" } }))).toBe("voice");
  });
});

test("a circuit breaker allows one attempt after the cool-down", () => {
  let now = 0;
  const breaker = createCircuitBreaker({ failures: 1, coolMs: 100, now: () => now });
  expect(breaker.allow()).toBe(true);
  breaker.fail();
  expect([breaker.state(), breaker.allow()]).toEqual(["open", false]);
  now = 100;
  expect([breaker.state(), breaker.allow(), breaker.allow()]).toEqual(["half-open", true, false]);
  breaker.release();
  expect(breaker.allow()).toBe(true);
  breaker.fail();
  expect(breaker.allow()).toBe(false);
  now = 200;
  expect(breaker.allow()).toBe(true);
  breaker.succeed();
  expect(breaker.state()).toBe("closed");
});

describe("designed voices", () => {
  function withPresets() {
    const [presets, own] = [fake("presets"), fake("own")];
    own.engine.design = () => ({ engine: "own", version: "1", parameters: "designed" });
    const preset: SpeechEngine = {
      ...presets.engine,
      capabilities: { ...presets.engine.capabilities, clone: false },
      design: () => ({ engine: "presets", version: "1", parameters: "voice 47" }),
    };
    const engine = createFallback({ engines: [preset, own.engine], designer: own.engine });
    const spokenBy = async (voice: SpeechRequest["voice"]) => {
      const chunks: SpeechChunk[] = [];
      for await (const chunk of engine.synthesize({ text, speed: 1, voice }, never)) chunks.push(chunk);
      return chunks[0];
    };
    return { engine, presets, own, spokenBy };
  }
  const design = { pitchHz: 200, pitchSpreadSt: 3, tract: 1, breath: 0.1, tilt: 0, rate: 1 };

  it("are spoken by an engine with preset voices, which no recording selects", async () => {
    const { engine, presets, spokenBy } = withPresets();
    expect(await spokenBy(engine.design(design))).toMatchObject({ spokenBy: "presets@1" });
    expect(presets.recorded.voices).toEqual(["voice 47"]);
    expect(await spokenBy(await engine.enroll(reference))).toMatchObject({ spokenBy: "own@1" });
  });

  it("are spoken by the designer, as a stand-in, while that engine fails", async () => {
    const { engine, presets, spokenBy } = withPresets();
    presets.state.fault = "engine";
    expect(await spokenBy(engine.design(design))).toMatchObject({ spokenBy: "own@1", isFallback: true });
  });
});
