import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PreparedText, SpeechChunk, SpeechEngine, SpeechRequest, VoiceProfile } from "../../server/speech/engine";
import { SpeechError } from "../../server/speech/engine";

export interface EngineLimits {
  /** Concurrent tasks. */
  concurrency: number;
  maxQueue: number;
  timeoutMs: number;
}

export interface EngineSubject {
  create(limits: EngineLimits): Promise<SpeechEngine>;
  voice(engine: SpeechEngine): Promise<VoiceProfile>;
  /** A few words, and several sentences of about ten seconds. */
  short: PreparedText;
  long: PreparedText;
  /** Ends the process or connection that serves the current request. */
  crash?(engine: SpeechEngine): void;
}

const generous: EngineLimits = { concurrency: 2, maxQueue: 64, timeoutMs: 60_000 };
/** The port's promise, measured by a timer of the same process, so that load delays both. */
const cancelledWithinMs = 200;
const never = new AbortController().signal;

/** All chunks of a synthesis. */
export async function collect(chunks: AsyncIterable<SpeechChunk>): Promise<SpeechChunk[]> {
  const all: SpeechChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

/** The fault that a speech call ends with; `none` if it succeeds. */
export const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof SpeechError ? error.fault : `untyped: ${error}`),
  );

/** For remote engines without an aligner. */
export const alignNothing = async (): Promise<never> => {
  throw new SpeechError("engine", "alignment is not available");
};

/** Conformance tests of the speech port; called by the test of every engine. */
export function describeEngine(name: string, subject: EngineSubject): void {
  describe(`${name} conforms to the speech port`, { timeout: 300_000 }, () => {
    let engine: SpeechEngine;
    let voice: VoiceProfile;
    const request = (text: PreparedText): SpeechRequest => ({ text, voice, speed: 1 });
    const withLimits = async <Result>(
      limits: Partial<EngineLimits>,
      use: (limited: SpeechEngine) => Promise<Result>,
    ) => {
      const limited = await subject.create({ ...generous, ...limits });
      try {
        return await use(limited);
      } finally {
        await limited.close();
      }
    };

    beforeAll(async () => {
      engine = await subject.create(generous);
      voice = await subject.voice(engine);
      await collect(engine.synthesize(request(subject.short), never));
    });
    afterAll(() => engine.close());

    it("synthesises audible speech of plausible length", async () => {
      const chunks = await collect(engine.synthesize(request(subject.short), never));
      const seconds = chunks.reduce((sum, { pcm, sampleRate }) => sum + pcm.length / sampleRate, 0);
      expect(seconds).toBeGreaterThan(0.3);
      expect(seconds).toBeLessThan(10);
      expect(Math.max(...chunks.flatMap(({ pcm }) => Array.from(pcm)))).toBeGreaterThan(1000);
    });

    it("streams the first chunk before the last is synthesised", async () => {
      let firstAt = 0;
      let count = 0;
      const start = performance.now();
      for await (const _ of engine.synthesize(request(subject.long), never)) {
        if (count++ === 0) firstAt = performance.now() - start;
      }
      expect(count).toBeGreaterThan(1);
      expect(firstAt).toBeLessThan((performance.now() - start) / 2);
    });

    it("stops soon after an abort at any stage", async () => {
      const cancelAfter = async (delayMs: number) => {
        const controller = new AbortController();
        const fault = faultOf(collect(engine.synthesize(request(subject.long), controller.signal)));
        // A fast engine may have finished already.
        const isThrough = await Promise.race([fault, sleep(delayMs).then(() => null)]);
        const late = sleep(cancelledWithinMs).then(() => "late");
        controller.abort();
        return isThrough === "none" ? "cancelled" : Promise.race([fault, late]);
      };
      expect(await cancelAfter(5)).not.toBe("none");
      // Repeats if the machine was too busy.
      for (const delayMs of [5, 60, 250]) await expect.poll(() => cancelAfter(delayMs)).toBe("cancelled");
      expect(await faultOf(collect(engine.synthesize(request(subject.short), never)))).toBe("none");
    });

    it("rejects an aborted signal", async () => {
      expect(await faultOf(collect(engine.synthesize(request(subject.short), AbortSignal.abort())))).toBe("cancelled");
    });

    it("is available again after a caller stops reading", async () => {
      for await (const _ of engine.synthesize(request(subject.long), never)) break;
      expect(await faultOf(collect(engine.synthesize(request(subject.short), never)))).toBe("none");
    });

    it("throws typed errors for a foreign voice and for empty text", async () => {
      const stranger = { ...request(subject.short), voice: { engine: "unknown", version: "0", parameters: null } };
      expect(await faultOf(collect(engine.synthesize(stranger, never)))).toBe("voice");
      expect(await faultOf(collect(engine.synthesize(request({ units: [] }), never)))).toBe("text");
    });

    it("limits concurrency and rejects requests beyond the queue", async () => {
      await withLimits({ concurrency: 1, maxQueue: 1 }, async (limited) => {
        const faults = await Promise.all(
          [1, 2, 3].map(() => faultOf(collect(limited.synthesize(request(subject.short), never)))),
        );
        expect(faults.sort()).toEqual(["none", "none", "overloaded"]);
      });
    });

    it("times out", async () => {
      await withLimits({ concurrency: 1, timeoutMs: 400 }, async (limited) => {
        const many = Array.from({ length: 10 }, () => subject.long.units).flat();
        expect(await faultOf(collect(limited.synthesize(request({ units: many }), never)))).toBe("timeout");
      });
    });

    it.runIf(subject.crash)("recovers from a crash; only the current request fails", async () => {
      const chunks = engine.synthesize(request(subject.long), never)[Symbol.asyncIterator]();
      await chunks.next();
      subject.crash?.(engine);
      const rest = collect({ [Symbol.asyncIterator]: () => chunks });
      expect(await faultOf(rest)).toBe("engine");
      expect(await faultOf(collect(engine.synthesize(request(subject.short), never)))).toBe("none");
    });
  });
}
