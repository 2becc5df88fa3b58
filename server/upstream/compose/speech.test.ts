import { afterAll, expect, test } from "vitest";
import { cosyVoice } from "../../../tests/support/speech-servers/protocols";
import { startSpeechServer } from "../../../tests/support/speech-servers/server";
import { measureLoudness } from "../../speech/dsp/loudness";
import type { SpeechChunk, VoiceDesign, VoiceProfile } from "../../speech/engine";
import { engineVersion } from "../../speech/engines/embedded/voice/voice";
import { createSpeech } from "./speech";

const never = new AbortController().signal;
const design: VoiceDesign = { pitchHz: 110, pitchSpreadSt: 2.5, tract: 1, breath: 0.1, tilt: 0, rate: 1 };
const said = "昨天晚上我和朋友一起去看了一场精彩的足球比赛。";

test("cloned voices use the speech server, and designed voices or an unavailable server use the embedded engine", {
  timeout: 300_000,
}, async () => {
  const local = await startSpeechServer(cosyVoice);
  afterAll(() => local.close());
  const changes: string[] = [];
  const backend = { concurrency: 2, timeoutMs: 20_000 };
  const speech = createSpeech(
    { engines: [{ name: "cosyvoice", url: local.url, generation: 2, ...backend }, { name: "embedded" }], styles: {} },
    { withMetrics: (engine) => engine, onChange: (engine, state) => changes.push(`${engine} ${state}`) },
  );
  afterAll(() => speech.close());
  const engine = await speech.engine();
  const speak = async (voice: VoiceProfile, content: string) => {
    const chunks: SpeechChunk[] = [];
    const request = { text: await speech.prepareText(content), voice, speed: 1 };
    for await (const chunk of engine.synthesize(request, never)) chunks.push(chunk);
    return { chunks, sound: await speech.master(chunks, { volumeDb: 0 }) };
  };

  const designed = await speak(engine.design?.(design) as VoiceProfile, said);
  expect(designed.sound).toMatchObject({ sampleRate: 24_000, spokenBy: `embedded@${engineVersion}` });
  expect(local.requests).toEqual([]);

  const samples = Float32Array.from(designed.sound.pcm, (value) => value / 32_768);
  const transcript = await speech.prepareText(said);
  const voice = await engine.enroll({ samples, sampleRate: 24_000 }, { transcript });
  expect(voice.measured?.pitchHz).toBeGreaterThan(80);
  expect(JSON.parse(JSON.stringify(voice))).toEqual(voice);

  const cloned = await speak(voice, "你好，世界。");
  expect(cloned.sound).toMatchObject({ sampleRate: 24_000, spokenBy: "cosyvoice@1:2" });
  expect(cloned.sound.timeline?.units.map(({ text }) => text).join("")).toBe("你好世界");
  expect(local.requests.at(-1)?.path).toBe("/inference_zero_shot");

  local.behave("hangs-up");
  for (let i = 0; i < 4; i++) {
    const { chunks, sound } = await speak(voice, "你好，世界。");
    expect(chunks.every(({ isFallback }) => isFallback)).toBe(true);
    expect(sound).toMatchObject({ sampleRate: 24_000, spokenBy: `embedded@${engineVersion}` });
    const heard = Float32Array.from(sound.pcm, (value) => value / 32_768);
    expect(Math.abs(measureLoudness(heard, 24_000) + 19)).toBeLessThan(1.5);
  }
  expect(changes).toEqual(["cosyvoice open"]);
  expect(speech.measure()[0]?.values).toContainEqual({ labels: { engine: "cosyvoice" }, value: 0 });
  expect(local.requests.length).toBe(4);
});
