import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { collect, describeEngine, faultOf } from "../../../../tests/support/engine-conformance";
import { makeKokoro, smallModel } from "../../../../tests/support/kokoro/model";
import { prepareText } from "../../chinese/prepare";
import type { VoiceDesign } from "../../engine";
import { createKokoroEngine, type KokoroEngine } from "./engine";
import { prepareGraph } from "./graph";
import { modelFiles, openModel } from "./model";

const never = new AbortController().signal;
const top = mkdtempSync(join(tmpdir(), "kokoro-"));
const engines: KokoroEngine[] = [];
afterAll(async () => {
  for (const engine of engines) await engine.close();
  rmSync(top, { recursive: true });
});

const design: VoiceDesign = { pitchHz: 200, pitchSpreadSt: 3, tract: 1, breath: 0, tilt: 0, rate: 1 };
const slow = makeKokoro(join(top, "slow"), { products: 6 });
const quick = makeKokoro(join(top, "quick"));

function createEngine(folder: string, options: Partial<Parameters<typeof createKokoroEngine>[0]> = {}): KokoroEngine {
  const engine = createKokoroEngine({ folder, threads: 1, ...options });
  engines.push(engine);
  return engine;
}

describeEngine("Kokoro in a separate process", {
  create: async ({ concurrency, maxQueue, timeoutMs }) =>
    createEngine(slow, { maxRequests: concurrency + maxQueue, timeoutMs }),
  voice: async (engine) => (engine as KokoroEngine).design(design),
  short: prepareText("你好，世界。"),
  long: prepareText("今天的气温是二十三度。非常适合出门散步。小李带着他的相机。准备拍几张照片。".repeat(2)),
  crash: (engine) => {
    const id = (engine as KokoroEngine).processId();
    if (id) process.kill(id, "SIGKILL");
  },
});

describe("Kokoro", { timeout: 60_000 }, () => {
  it("times every syllable by the model's frames, whose sum is the sound", async () => {
    const engine = createEngine(quick);
    const text = prepareText("今天#0.5#天气很好。");
    const chunks = await collect(engine.synthesize({ text, voice: engine.design(design), speed: 1 }, never));
    expect(chunks.map(({ silence }) => silence)).toEqual([
      { beforeMs: 0, afterMs: 500 },
      { beforeMs: 0, afterMs: 400 },
    ]);
    const frameMs = (smallModel.frames * smallModel.frameSamples) / 24;
    for (const { timeline, pcm } of chunks) {
      expect(timeline?.durationMs).toBe(Math.round(pcm.length / 24));
      for (const unit of timeline?.units ?? []) expect((unit.end - unit.start) % frameMs).toBe(0);
      const silences = timeline?.phonemes.filter(({ viseme }) => viseme === "sil") ?? [];
      expect(silences.length).toBeGreaterThanOrEqual(2);
    }
    expect(chunks.flatMap(({ timeline }) => timeline?.units.map(({ text: said }) => said))).toEqual([
      ..."今天天气很好",
    ]);
  });

  it("slows the speech and not the silence before it, which would sound", async () => {
    const said = { tokenIds: [50, 51], styles: {}, scale: 1, range: 1 };
    const model = await openModel(quick, 1);
    expect((await model.run({ ...said, speed: 0.5 })).frames).toEqual([2, 4, 4, 2]);
    expect((await model.run({ ...said, speed: 2 })).frames).toEqual([1, 1, 1, 1]);
  });

  it("speaks Latin words", async () => {
    const engine = createEngine(quick);
    const request = { text: prepareText("我用GitHub。"), voice: engine.design(design), speed: 1 };
    const [chunk] = await collect(engine.synthesize(request, never));
    expect(chunk?.timeline?.units.map(({ text }) => text)).toEqual(["我", "用", "Git", "Hub"]);
    expect(chunk?.timeline?.phonemes.map(({ ph }) => ph).join("")).toMatch(/ɡɪthʌb/);
  });

  it("has no timeline with another export of the model", async () => {
    const engine = createEngine(makeKokoro(join(top, "untimed"), { isTimed: false }));
    expect(engine.capabilities.timeline).toBe(false);
    const request = { text: prepareText("你好。"), voice: engine.design(design), speed: 1, pitch: 3 };
    const [chunk] = await collect(engine.synthesize(request, never));
    expect(chunk?.timeline).toBeUndefined();
    expect(chunk?.pcm.length).toBeGreaterThan(0);
  });

  it("fails with a typed error when the model is corrupt", async () => {
    const folder = makeKokoro(join(top, "corrupt"));
    writeFileSync(join(folder, modelFiles.timed), "no model");
    const engine = createEngine(folder);
    const request = { text: prepareText("你好。"), voice: engine.design(design), speed: 1 };
    expect(await faultOf(collect(engine.synthesize(request, never)))).toBe("engine");
    expect(await engine.probe()).toBe(false);
  });

  it("lets a visitor's first words pass a book", async () => {
    const engine = createEngine(slow);
    const voice = engine.design(design);
    const book = prepareText("今天的气温是二十三度。非常适合出门散步。小李带着他的相机。准备拍几张照片。".repeat(5));
    let spokenBefore = 0;
    let isHeard = false;
    const reading = (async () => {
      for await (const _ of engine.synthesize({ text: book, voice, speed: 1 }, never)) if (!isHeard) spokenBefore++;
    })();
    await expect.poll(() => spokenBefore).toBeGreaterThan(1);
    const before = spokenBefore;
    await collect(engine.synthesize({ text: prepareText("你好。"), voice, speed: 1 }, never));
    isHeard = true;
    expect(spokenBefore - before).toBeLessThan(4);
    await reading;
  });
});

it("leaves exports with other names as they are", () => {
  expect(prepareGraph(new Uint8Array())).toBeNull();
});
