import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hasSherpaAddon, makeRecogniser, makeSpeakerModel } from "../../../../tests/support/sherpa/models";
import { speechLike } from "../../../../tests/support/sounds";
import { toPcm } from "../../dsp/pcm";
import { measureLikeness } from "../../likeness";
import type { MonoSound } from "../../recogniser";
import { cosineSimilarity } from "../../speaker-verifier";
import { createListener } from "./listener";

const top = mkdtempSync(join(tmpdir(), "listener-"));
const listeners: Array<ReturnType<typeof createListener>> = [];
afterAll(() => {
  for (const listener of listeners) listener.close();
  rmSync(top, { recursive: true });
});
const listen = (folders: Parameters<typeof createListener>[0]) => {
  const listener = createListener(folders);
  listeners.push(listener);
  return listener;
};

const speech = speechLike({ seconds: 3, seed: 3 });
const silence: MonoSound = { samples: new Float32Array(16_000), sampleRate: 16_000 };

it("has no ports without installed models", () => {
  const listener = listen({ recogniser: join(top, "absent"), speaker: undefined });
  expect([listener.recogniser, listener.speakerVerifier]).toEqual([undefined, undefined]);
});

describe.runIf(hasSherpaAddon)("the real addon with small graphs", () => {
  const recogniser = hasSherpaAddon ? makeRecogniser(top) : "";
  const speaker = hasSherpaAddon ? makeSpeakerModel(top) : "";

  it("transcribes speech with a time for every character, and silence as nothing", async () => {
    const { recogniser: own } = listen({ recogniser });
    const { text, language, words } = (await own?.transcribe(speech)) ?? { text: "", language: "", words: [] };
    expect(text).toMatch(/[今天气真好。啊]{3,}/);
    expect(language).toBe("zh");
    expect(words.map((word) => word.text).join("")).toBe(text);
    for (const [i, { startMs, endMs }] of words.entries()) {
      expect(endMs).toBeGreaterThan(startMs);
      expect(startMs).toBeGreaterThanOrEqual(words[i - 1]?.startMs ?? 0);
    }
    expect(await own?.transcribe(silence)).toMatchObject({ text: "", words: [] });
  });

  it("embeds a voice near to itself and further from another sound", async () => {
    const { speakerVerifier } = listen({ recogniser, speaker });
    const tone = { samples: Float32Array.from({ length: 48_000 }, (_, i) => Math.sin(i / 3) / 4), sampleRate: 16_000 };
    const embed = async (sound: MonoSound) => (await speakerVerifier?.embed(sound)) ?? new Float32Array();
    const [first, again, other] = [await embed(speech), await embed(speech), await embed(tone)];
    expect(first).toHaveLength(80);
    expect(cosineSimilarity(first, again)).toBeCloseTo(1, 5);
    expect(cosineSimilarity(first, other)).toBeLessThan(0.999);
  });

  it("measures the likeness of a clone to its recording, and of the recording to itself", async () => {
    const { speakerVerifier } = listen({ recogniser, speaker });
    if (!speakerVerifier) throw new Error("no speaker model");
    const long = speechLike({ seconds: 6, seed: 3 });
    const same = { pcm: toPcm(long.samples), sampleRate: long.sampleRate };
    const request = { recording: long, spoken: same, signal: new AbortController().signal };
    expect(await measureLikeness(speakerVerifier, request)).toEqual({ clone: 1, self: expect.any(Number) });
    expect(await measureLikeness(speakerVerifier, { ...request, recording: speech })).toMatchObject({ self: null });
    const failing = { ...speakerVerifier, embed: async () => Promise.reject(new Error("the process ended")) };
    expect(await measureLikeness(failing, request)).toBeNull();
    await expect(measureLikeness(failing, { ...request, signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it("ends a cancelled request and answers the next", async () => {
    const { recogniser: own } = listen({ recogniser });
    await expect(own?.transcribe(speech, AbortSignal.abort())).rejects.toMatchObject({ fault: "cancelled" });
    expect((await own?.transcribe(speech))?.text).not.toBe("");
  });
});
