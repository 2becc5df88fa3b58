import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alignNothing, collect, describeEngine, faultOf } from "../../../../tests/support/engine-conformance";
import { speechLike } from "../../../../tests/support/sounds";
import { createDashScope } from "../../../../tests/support/speech-servers/dashscope";
import { createMiniMax } from "../../../../tests/support/speech-servers/minimax";
import {
  startVendor,
  type VendorBehaviour,
  type VendorProtocol,
} from "../../../../tests/support/speech-servers/vendor";
import { prepareText } from "../../chinese/prepare";
import type { SpeechEngine, SpeechRequest } from "../../engine";
import type { Backend } from "../remote/backend";
import { createRemoteEngine } from "../remote/remote-engine";
import { createDashScopeBackend } from "./dashscope";
import { createMiniMaxBackend } from "./minimax";
import { createQwenBackend } from "./qwen";

const never = new AbortController().signal;
const generous = { concurrency: 2, maxQueue: 64, timeoutMs: 20_000 };
const reference = speechLike({ seconds: 12, seed: 3 });
let voiceNumber = 0;
const reserveVoice = async () => `s${String(voiceNumber++).padStart(8, "0")}`;
const engineOf = (server: Backend, limits = {}) =>
  createRemoteEngine(server, { ...generous, ...limits, align: alignNothing });

async function openVendor(protocol: VendorProtocol) {
  const vendor = await startVendor(protocol);
  afterAll(() => vendor.close());
  const textOf = (at = -1) => JSON.parse(vendor.requests.at(at)?.body.toString() ?? "{}") as Record<string, never>;
  return { ...vendor, textOf };
}

const kinds = [
  {
    name: "DashScope",
    ...createDashScope(),
    toBackend: (url: string, apiKey: string) => createDashScopeBackend({ url, apiKey, model: "cosyvoice-v3.5-flash" }),
  },
  {
    name: "Qwen at DashScope",
    ...createDashScope(),
    toBackend: (url: string, apiKey: string) => createQwenBackend({ url, apiKey, model: "qwen3-tts-vc-2026-01-22" }),
  },
  {
    name: "MiniMax",
    ...createMiniMax(),
    toBackend: (url: string, apiKey: string) => createMiniMaxBackend({ url, apiKey, model: "speech-2.8-hd" }),
  },
];

for (const { name, protocol, voices, toBackend } of kinds) {
  describe(name, async () => {
    const vendor = await openVendor(protocol);
    const open = (limits = {}) => engineOf(toBackend(vendor.url, protocol.apiKey), limits);
    /** Selected once, so that the voice is active. */
    const learn = async (engine: SpeechEngine) => {
      const voice = await engine.enroll(reference, { reserveVoice });
      await collect(engine.synthesize({ text: prepareText("好。"), voice, speed: 1, isSelected: true }, never));
      return voice;
    };

    describeEngine(name, {
      create: async (limits) => {
        vendor.behave(limits.timeoutMs < 5000 ? "slow" : "good");
        return open(limits);
      },
      voice: learn,
      short: prepareText("你好，世界。"),
      long: prepareText("今天的气温是二十三度，非常适合出门散步。小李带着他的相机，准备拍几张照片。".repeat(2)),
    });

    describe("faults and voices", () => {
      let engine: SpeechEngine;
      let request: SpeechRequest;
      beforeAll(async () => {
        vendor.behave("good");
        engine = open();
        request = { text: prepareText("你好，世界。"), voice: await learn(engine), speed: 1 };
      });

      it.each<[VendorBehaviour, string]>([
        ["silent", "engine"],
        ["cut-off", "engine"],
        ["fails-in-stream", "engine"],
        ["html", "engine"],
        ["broken", "engine"],
        ["hangs-up", "engine"],
        ["busy", "overloaded"],
        ["busy-once", "none"],
        ["refuses-text", "text"],
        ["voice-lost", "lost"],
      ])("maps %s to fault %s and serves the next request", { timeout: 20_000 }, async (behaviour, fault) => {
        vendor.behave(behaviour);
        expect(await faultOf(collect(engine.synthesize(request, never)))).toBe(fault);
        vendor.behave("good");
        expect(await faultOf(collect(engine.synthesize(request, never)))).toBe("none");
      });

      it("reports a wrong key through the probe and never repeats it in an error", async () => {
        const wrong = engineOf(toBackend(vendor.url, "sk-wrong-key"));
        expect(await wrong.probe?.()).toBe(false);
        expect(await engine.probe?.()).toBe(true);
        const failure = await collect(wrong.synthesize({ ...request, isSelected: true }, never)).catch(String);
        expect(String(failure)).not.toContain("wrong-key");
        expect(await faultOf(wrong.enroll(reference, { reserveVoice }))).toBe("engine");
      });

      it("refuses recordings that are too short before the vendor receives one", async () => {
        const before = vendor.requests.length;
        const short = speechLike({ seconds: 2, seed: 3 });
        expect(await faultOf(engine.enroll(short, { reserveVoice }))).toBe("reference");
        expect(vendor.requests.length).toBe(before);
      });

      it("sends no recording without a reserved name, which needs consent", async () => {
        const before = vendor.requests.length;
        expect(await faultOf(engine.enroll(reference))).toBe("reference");
        expect(vendor.requests.length).toBe(before);
      });

      it("deletes a voice by its reserved name, and again without a failure", async () => {
        const names: string[] = [];
        const before = voices.size;
        await engine.enroll(reference, {
          reserveVoice: async () => {
            names.push(await reserveVoice());
            return names[0] ?? "";
          },
        });
        expect(voices.size).toBe(before + 1);
        for (let i = 0; i < 2; i++) await engine.forgetVoice?.(engine.id, names[0] ?? "");
        expect(voices.size).toBe(before);
      });
    });
  });
}

describe("a request to DashScope", async () => {
  const { protocol } = createDashScope();
  const vendor = await openVendor(protocol);
  const engine = engineOf(createDashScopeBackend({ url: vendor.url, apiKey: protocol.apiKey, model: "m" }));
  const voice = await engine.enroll(reference, { reserveVoice });
  const say = (content: string, change: Partial<SpeechRequest> = {}) =>
    collect(engine.synthesize({ text: prepareText(content), voice, speed: 1, ...change }, never));

  it("marks characters with several readings and escapes the rest", async () => {
    await say("银行(hang2)的A&B", { speed: 1.5 });
    const { input } = vendor.textOf() as unknown as { input: Record<string, unknown> };
    expect(input).toMatchObject({ enable_ssml: true, rate: 1.5, format: "pcm" });
    expect(input.text).toContain('<phoneme alphabet="py" ph="hang2">行</phoneme>');
    expect(input.text).toContain("&amp;");
    expect(input).not.toHaveProperty("enable_aigc_tag");
  });

  it("is repeated without the emotion and without markup where the model accepts neither", async () => {
    vendor.behave("no-markup");
    const before = vendor.requests.length;
    const chunks = await say("银行(hang2)开门", { emotion: { happy: 1 } });
    vendor.behave("good");
    expect(chunks.length).toBeGreaterThan(0);
    expect(vendor.requests.length).toBe(before + 3);
    expect(vendor.textOf()).toMatchObject({ input: { text: "银行开门" } });
  });
});

describe("an account at DashScope without a free place for a voice", async () => {
  const { protocol, voices, verdicts } = createDashScope({ slots: 1 });
  const vendor = await openVendor(protocol);
  const engine = engineOf(createDashScopeBackend({ url: vendor.url, apiKey: protocol.apiKey, model: "m" }));

  it("refuses one more at once, and takes it after a deletion", async () => {
    const name = await reserveVoice();
    await engine.enroll(reference, { reserveVoice: async () => name });
    const before = vendor.requests.length;
    expect(await faultOf(engine.enroll(reference, { reserveVoice }))).toBe("overloaded");
    expect(vendor.requests.length).toBe(before + 1);
    await engine.forgetVoice?.(engine.id, name);
    expect(await faultOf(engine.enroll(reference, { reserveVoice }))).toBe("none");
    voices.clear();
  });

  it("reports a recording that the vendor refuses after its arrival", async () => {
    verdicts.push("DEPLOYING", "UNDEPLOYED");
    expect(await faultOf(engine.enroll(reference, { reserveVoice }))).toBe("reference");
  });
});

describe("a voice of Qwen", async () => {
  const { protocol, voices } = createDashScope();
  const vendor = await openVendor(protocol);
  const settings = { url: vendor.url, apiKey: protocol.apiKey };
  const engine = engineOf(createQwenBackend({ ...settings, model: "qwen3-tts-vc-2026-01-22" }));
  const textsSent = () =>
    vendor.requests.flatMap(({ body }) => {
      const { input } = JSON.parse(body.toString()) as { input: { action?: string; text?: string } };
      return input.action === "create" ? [input.text] : [];
    });

  it("is learned with its transcript, and without one that the vendor finds wrong", async () => {
    const transcript = prepareText("希望你以后能够做得比我还好。");
    await engine.enroll(reference, { transcript, reserveVoice });
    await engine.enroll(reference, { transcript: prepareText("说的不是这句。"), reserveVoice });
    expect(textsSent()).toEqual(["希望你以后能够做得比我还好。", "说的不是这句。", undefined]);
    expect(voices.size).toBe(2);
  });

  it("is deleted after the model was changed to CosyVoice", async () => {
    const name = await reserveVoice();
    const before = voices.size;
    await engine.enroll(reference, { reserveVoice: async () => name });
    const other = engineOf(createDashScopeBackend({ ...settings, model: "cosyvoice-v3.5-flash" }));
    await other.forgetVoice?.(other.id, name);
    expect(voices.size).toBe(before);
  });
});

describe("a request to MiniMax", async () => {
  const { protocol, voices, files } = createMiniMax();
  const vendor = await openVendor(protocol);
  const engine = engineOf(createMiniMaxBackend({ url: vendor.url, apiKey: protocol.apiKey, model: "m" }));
  const voice = await engine.enroll(reference, { reserveVoice });
  const request = { text: prepareText("银行(hang2)开门(笑)"), voice, speed: 1, emotion: { afraid: 1 } };

  it("does not activate a voice unless its owner accepts the fee", async () => {
    expect(await faultOf(collect(engine.synthesize(request, never)))).toBe("voice");
    expect([...voices.values()].map(({ isActive }) => isActive)).toEqual([false]);
    expect(await faultOf(collect(engine.synthesize({ ...request, isFeeAccepted: true }, never)))).toBe("none");
    expect(await faultOf(collect(engine.synthesize(request, never)))).toBe("none");
  });

  it("carries readings inline, brackets of the text as full-width ones, and the emotion", async () => {
    await collect(engine.synthesize(request, never));
    const { text, voice_setting } = vendor.textOf() as unknown as { text: string; voice_setting: object };
    expect(text).toContain("银(hang2)开门");
    expect(text).not.toContain("(笑");
    expect(voice_setting).toMatchObject({ emotion: "fearful", speed: 1 });
  });

  it("leaves no uploaded recording at the vendor", () => {
    expect(files.size).toBe(0);
  });
});
