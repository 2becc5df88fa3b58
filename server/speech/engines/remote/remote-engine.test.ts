import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alignNothing, collect, describeEngine, faultOf } from "../../../../tests/support/engine-conformance";
import { speechLike } from "../../../../tests/support/sounds";
import { readForm } from "../../../../tests/support/speech-servers/form";
import { cosyVoice, fishSpeech, gptSoVits, openAi } from "../../../../tests/support/speech-servers/protocols";
import { parseWav } from "../../../../tests/support/speech-servers/reference";
import { type Behaviour, type SpeechServer, startSpeechServer } from "../../../../tests/support/speech-servers/server";
import { prepareText } from "../../chinese/prepare";
import type { SpeechChunk, SpeechEngine, SpeechRequest } from "../../engine";
import type { Backend } from "./backend";
import { createCosyVoiceBackend } from "./cosyvoice";
import { createFishSpeechBackend } from "./fish-speech";
import { createGptSoVitsBackend } from "./gpt-sovits";
import { createOpenAiBackend } from "./openai";
import { createRemoteEngine } from "./remote-engine";

const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), "references-"));
afterAll(() => rmSync(folder, { recursive: true }));
const generous = { concurrency: 2, maxQueue: 64, timeoutMs: 20_000 };

const kinds = [
  { name: "CosyVoice", protocol: cosyVoice, serverOf: (url: string) => createCosyVoiceBackend({ url, generation: 2 }) },
  {
    name: "An OpenAI-compatible server",
    protocol: openAi,
    serverOf: (url: string) =>
      createOpenAiBackend({ url, apiKey: "secret", model: "m", voice: undefined, streamRate: 0 }),
  },
  {
    name: "GPT-SoVITS",
    protocol: gptSoVits,
    serverOf: (url: string) => createGptSoVitsBackend({ url, folder, serverFolder: folder }),
  },
  {
    name: "fish-speech",
    protocol: fishSpeech,
    serverOf: (url: string) => createFishSpeechBackend({ url, apiKey: "secret" }),
  },
];

const reference = speechLike({ seconds: 6, seed: 3 });
const engineOf = (server: Backend, limits = {}) =>
  createRemoteEngine(server, { ...generous, ...limits, align: alignNothing });

const lengthMs = (chunks: SpeechChunk[]) =>
  chunks.reduce((sum, { pcm, sampleRate }) => sum + (pcm.length / sampleRate) * 1000, 0);
for (const { name, protocol, serverOf } of kinds) {
  describe(name, async () => {
    const local = await startSpeechServer(protocol);
    afterAll(() => local.close());

    describeEngine(name, {
      create: async (limits) => {
        local.behave("good");
        if (limits.timeoutMs < 5000) local.behave("slow");
        return engineOf(serverOf(local.url), limits);
      },
      voice: (engine) => engine.enroll(reference),
      short: prepareText("你好，世界。"),
      long: prepareText("今天的气温是二十三度，非常适合出门散步。小李带着他的相机，准备拍几张照片。".repeat(2)),
    });

    describe("the remote engine", () => {
      let engine: SpeechEngine;
      let request: SpeechRequest;
      beforeAll(async () => {
        engine = engineOf(serverOf(local.url));
        request = { text: prepareText("你好，世界。"), voice: await engine.enroll(reference), speed: 1 };
      });

      it.each<[Behaviour, string]>([
        ["silent", "engine"],
        ["cut-off", "engine"],
        ["html", "engine"],
        ["json", "engine"],
        ["mp3", "engine"],
        ["fails", "engine"],
        ["hangs-up", "engine"],
        ["unauthorised", "engine"],
        ["refuses", "text"],
        ["overloaded", "overloaded"],
        // A truncation cannot be detected in raw samples.
        ...(protocol.contentType ? ([["short-wav", "engine"]] as Array<[Behaviour, string]>) : []),
        ["endless", "timeout"],
      ])("maps %s to fault %s and serves the next request", async (behaviour, fault) => {
        local.behave(behaviour);
        const asked = fault === "timeout" ? engineOf(serverOf(local.url), { timeoutMs: 1200 }) : engine;
        expect(await faultOf(collect(asked.synthesize(request, never)))).toBe(fault);
        local.behave("good");
        expect(await faultOf(collect(engine.synthesize(request, never)))).toBe("none");
      });

      it("closes the connection when the caller stops reading", async () => {
        local.behave("endless");
        const before = local.disconnectCount();
        for await (const _ of engine.synthesize(request, never)) break;
        await expect.poll(() => local.disconnectCount()).toBe(before + 1);
        local.behave("good");
      });

      it("disconnects cancelled requests and does not send cancelled waiting ones", async () => {
        local.behave("endless");
        const [received, closed] = [local.requests.length, local.disconnectCount()];
        const callers = [1, 2, 3].map(() => new AbortController());
        const faults = callers.map(({ signal }) => faultOf(collect(engine.synthesize(request, signal))));
        await expect.poll(() => local.requests.length).toBe(received + 2);
        for (const caller of callers.reverse()) caller.abort();
        expect(await Promise.all(faults)).toEqual(["cancelled", "cancelled", "cancelled"]);
        await expect.poll(() => local.disconnectCount()).toBe(closed + 2);
        expect([local.active.now, local.requests.length]).toEqual([0, received + 2]);
        local.behave("good");
      });

      it("sends no more concurrent requests than configured", async () => {
        local.active.most = 0;
        await Promise.all([1, 2, 3, 4, 5, 6].map(() => collect(engine.synthesize(request, never))));
        expect(local.active.most).toBe(2);
      });

      it("reports health through the probe", async () => {
        expect(await engine.probe?.()).toBe(true);
        local.behave("fails");
        expect(await engine.probe?.()).toBe(false);
        local.behave("good");
      });

      it("changes the speed by a request parameter or by time stretching", async () => {
        const text = prepareText("今天的气温是二十三度非常适合出门散步。");
        const plain = lengthMs(await collect(engine.synthesize({ ...request, text }, never)));
        const fast = lengthMs(await collect(engine.synthesize({ ...request, text, speed: 1.5 }, never)));
        const asked = local.requests.at(-1)?.body.toString("latin1") ?? "";
        if (!/"speed(_factor)?":1.5/.test(asked)) expect(plain / fast).toBeCloseTo(1.5, 1);
      });

      it("keeps exact pauses to the sample and trims other silence", async () => {
        const chunks = await collect(engine.synthesize({ ...request, text: prepareText("你好#1.5#再见") }, never));
        const paused = chunks.find(({ silence }) => silence?.afterMs === 1500);
        const tail = paused?.pcm.subarray(-1.5 * protocol.sampleRate) ?? [];
        expect(tail.length).toBe(1.5 * protocol.sampleRate);
        expect(tail.every((value) => value === 0)).toBe(true);
        // Two syllables twice, padding on each side, and the pause.
        expect(lengthMs(chunks) - 1500 - 4 * 180).toBeLessThan(150);
      });
    });
  });
}

describe("a request to a speech server", () => {
  const text = prepareText("银行(hang2)有23.5元，iPhone 15 很贵。");
  const plainText = "银航有23.5元，iPhone15很贵。";
  const opened: SpeechServer[] = [];
  afterAll(() => Promise.all(opened.map((server) => server.close())));

  async function tell(kind: (typeof kinds)[number], change: Partial<SpeechRequest> = {}, transcript?: string) {
    const local = await startSpeechServer(kind.protocol);
    opened.push(local);
    const engine = engineOf(kind.serverOf(local.url));
    const voice = await engine.enroll(reference, transcript ? { transcript: prepareText(transcript) } : {});
    await collect(engine.synthesize({ text, voice, speed: 1, ...change }, never));
    const request = local.requests.at(-1);
    if (!request) throw new Error("no request was received");
    return { request, json: () => JSON.parse(request.body.toString()) as Record<string, unknown> };
  }

  it("of type CosyVoice contains plain text, recording, transcript, and emotions as an instruction", async () => {
    const [kind] = kinds as [(typeof kinds)[number]];
    const plain = await tell(kind, {}, "希望你以后能够做得比我还好。");
    expect(plain.request.path).toBe("/inference_zero_shot");
    const { fields, files } = await readForm(plain.request);
    expect(fields).toEqual({ tts_text: plainText, prompt_text: "希望你以后能够做得比我还好。" });
    expect(parseWav(files.prompt_wav?.bytes as Buffer).seconds).toBeGreaterThan(4);
    expect((await tell(kind)).request.path).toBe("/inference_cross_lingual");
    const sad = await tell(kind, { emotion: { sad: 0.6 } });
    expect(sad.request.path).toBe("/inference_instruct2");
    expect((await readForm(sad.request)).fields.instruct_text).toBe("请用悲伤的语气说这句话。<|endofprompt|>");
  });

  it("of the OpenAI type contains key, recording, transcript and speed", async () => {
    const kind = kinds[1] as (typeof kinds)[number];
    const { request, json } = await tell(kind, {}, "希望你以后能够做得比我还好。");
    expect(request.headers.authorization).toBe("Bearer secret");
    expect(json()).toMatchObject({
      model: "m",
      input: plainText,
      ref_text: "希望你以后能够做得比我还好。",
      response_format: "wav",
    });
    expect((await tell(kind)).json()).toMatchObject({ x_vector_only_mode: true });
    expect((await tell(kind, { speed: 1.5 })).json()).toMatchObject({ speed: 1.5 });
  });

  it("for a further delivery has another pace than the one before", async () => {
    const kind = kinds[1] as (typeof kinds)[number];
    const speeds = [];
    // Four deliveries within a task, then those of the next task.
    for (const repetition of [0, 4, 8, 12]) speeds.push((await tell(kind, { speed: 1.5, repetition })).json().speed);
    expect(new Set(speeds).size).toBe(4);
    for (const speed of speeds) expect(Math.abs(Number(speed) / 1.5 - 1)).toBeLessThan(0.06);
    expect((await tell(kind, { speed: 2, repetition: 1 })).json().speed).toBe(2);
  });

  it("of the OpenAI type asks for raw samples only at speed 1", async () => {
    const settings = { apiKey: undefined, model: "m", voice: undefined, streamRate: 24_000 };
    const kind = {
      ...(kinds[1] as (typeof kinds)[number]),
      serverOf: (url: string) => createOpenAiBackend({ url, ...settings }),
    };
    expect((await tell(kind)).json()).toMatchObject({ response_format: "pcm", stream: true, stream_format: "audio" });
    const fast = (await tell(kind, { speed: 1.5 })).json();
    expect(fast).toMatchObject({ response_format: "wav", speed: 1.5 });
    expect(fast).not.toHaveProperty("stream");
  });

  it("of type GPT-SoVITS contains a path in the shared folder and the speed", async () => {
    const { json } = await tell(kinds[2] as (typeof kinds)[number], { speed: 1.5 });
    expect(json()).toMatchObject({ text: plainText, speed_factor: 1.5, text_lang: "zh" });
    expect(String(json().ref_audio_path).startsWith(folder)).toBe(true);
  });

  it("of type fish-speech contains the recording and an emotion marker", async () => {
    const { json } = await tell(kinds[3] as (typeof kinds)[number], { emotion: { happy: 1 } });
    expect(json()).toMatchObject({ text: `(happy)${plainText}`, streaming: true, format: "wav" });
  });
});
