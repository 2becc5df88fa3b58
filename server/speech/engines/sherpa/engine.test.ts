import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { alignNothing, collect, describeEngine, faultOf } from "../../../../tests/support/engine-conformance";
import { speechLike } from "../../../../tests/support/sounds";
import { fakeAddon } from "../../../../tests/support/speech-servers/sherpa-addon";
import { prepareText } from "../../chinese/prepare";
import { spectralFlatness } from "../../dsp/flatness";
import type { SpeechEngine, SpeechRequest } from "../../engine";
import { createRemoteEngine, type RemoteLimits } from "../remote/remote-engine";
import { createSherpaBackend } from "./engine";
import { createListener, type SherpaListener } from "./listener";
import { findModel, findRecogniser } from "./models";

const never = new AbortController().signal;
const top = mkdtempSync(join(tmpdir(), "sherpa-"));
const listeners: SherpaListener[] = [];
afterAll(() => {
  for (const listener of listeners) listener.close();
  rmSync(top, { recursive: true });
});

const zipVoice = ["encoder.int8.onnx", "decoder.int8.onnx", "vocos_24khz.onnx", "tokens.txt", "espeak-ng-data/phontab"];
/** A model folder with an addon that plays tones instead of running models. */
function folderOf(name: string, files: string[]): string {
  const folder = join(top, name);
  const addon = join(folder, "node_modules/sherpa-onnx-node");
  mkdirSync(addon, { recursive: true });
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  writeFileSync(join(addon, "index.js"), fakeAddon);
  return folder;
}

const transcript = prepareText("希望你以后能够做得比我还好。");
const reference = speechLike({ seconds: 6, seed: 3 });
const backends = new Map<SpeechEngine, ReturnType<typeof createSherpaBackend>>();

function engineOf(folder: string, { recogniser, ...limits }: { recogniser?: string } & Partial<RemoteLimits> = {}) {
  const backend = createSherpaBackend({ folder });
  const listener = createListener({ recogniser });
  listeners.push(listener);
  const bounds = { concurrency: 1, maxQueue: 8, timeoutMs: 30_000, ...limits };
  const engine = createRemoteEngine(backend, {
    ...bounds,
    align: alignNothing,
    prepareText,
    recogniser: listener.recogniser,
  });
  backends.set(engine, backend);
  return engine;
}

const folder = folderOf("zipvoice", zipVoice);

describeEngine("sherpa-onnx in a separate process", {
  create: async (limits) => engineOf(folder, { ...limits, concurrency: 1 }),
  voice: (engine) => engine.enroll(reference, { transcript }),
  short: prepareText("你好，世界。"),
  long: prepareText("今天的气温是二十三度。非常适合出门散步。小李带着他的相机。准备拍几张照片。".repeat(2)),
  crash: (engine) => {
    const id = backends.get(engine)?.processId();
    if (id) process.kill(id, "SIGKILL");
  },
});

describe("sherpa models in a folder", { timeout: 60_000 }, () => {
  it.each([
    ["Kokoro", ["model.onnx", "voices.bin", "tokens.txt", "lexicon-us-en.txt", "lexicon-zh.txt"]],
    ["Matcha", ["model-steps-3.onnx", "vocos-22khz-univ.onnx", "tokens.txt", "lexicon.txt"]],
    ["VITS or Melo", ["model.onnx", "tokens.txt", "lexicon.txt", "phone.fst"]],
  ])("that are %s are refused by a sentence that says so", async (name, files) => {
    const fault = expect.stringMatching(/other-.* contains another model than ZipVoice: Kokoro, Matcha, VITS and Melo/);
    const other = folderOf(`other-${name}`, files);
    expect(findModel(other)).toEqual({ fault });
    const engine = engineOf(other);
    const voice = await engine.enroll(reference, { transcript });
    const speaking = collect(engine.synthesize({ text: prepareText("你好。"), voice, speed: 1 }, never));
    await expect(speaking).rejects.toMatchObject({ fault: "engine", message: fault });
    await engine.close();
  });

  it("are found in the folders of released archives, with the vocoder beside them", () => {
    const archive = "sherpa-onnx-zipvoice-distill-int8-zh-en-emilia";
    const files = zipVoice.map((name) => (name.startsWith("vocos") ? name : `${archive}/${name}`));
    const folder = folderOf("released", [...files, `${archive}/test_wavs/tokens.txt`]);
    const vocoder = join(folder, "vocos_24khz.onnx");
    const tokens = join(folder, archive, "tokens.txt");
    expect(findModel(folder)).toMatchObject({
      model: { config: { model: { zipvoice: { vocoder, tokens } } } },
    });
  });

  it("are refused with the missing part named", async () => {
    const without = (part: string) =>
      folderOf(
        `without-${part}`,
        zipVoice.filter((name) => !name.startsWith(part)),
      );
    expect(findModel(without("espeak"))).toEqual({
      fault: expect.stringMatching(/zipvoice without its espeak-ng-data/),
    });
    const folder = without("vocos");
    expect(findModel(folder)).toEqual({ fault: expect.stringMatching(/zipvoice without its vocoder/) });
    const engine = engineOf(folder);
    expect(await engine.probe?.()).toBe(false);
    await engine.close();
  });

  it("get their lexicons and the measured speed", () => {
    const folder = folderOf("measured", [...zipVoice, "lexicon.txt"]);
    writeFileSync(join(folder, "measured.json"), JSON.stringify({ threads: 3, steps: 8, rtf: 0.4 }));
    const zipvoice = { lexicon: join(folder, "lexicon.txt"), guidanceScale: 3 };
    expect(findModel(folder)).toMatchObject({ model: { steps: 8, config: { model: { numThreads: 3, zipvoice } } } });
  });

  it("leave a recogniser's files to the recogniser", () => {
    const folder = folderOf("ears", ["sense-voice/model.int8.onnx", "sense-voice/tokens.txt"]);
    expect(findModel(folder)).toEqual({ fault: expect.stringMatching(/no ZipVoice model/) });
    expect(findRecogniser(folder)).toEqual({
      model: join(folder, "sense-voice/model.int8.onnx"),
      tokens: join(folder, "sense-voice/tokens.txt"),
    });
    expect(findRecogniser(folderOf("deaf", zipVoice))).toBeNull();
  });

  it("are unusable where no file is known", () => {
    expect(findModel(folderOf("strange", ["readme.md"]))).toEqual({ fault: expect.any(String) });
    expect(findModel(join(top, "absent"))).toEqual({ fault: expect.any(String) });
  });

  it("fail only one request when a corrupt model ends the process", async () => {
    const engine = engineOf(folderOf("corrupt", [...zipVoice, "corrupt"]));
    const voice = await engine.enroll(reference, { transcript });
    const request: SpeechRequest = { text: prepareText("你好。"), voice, speed: 1 };
    expect(await engine.probe?.()).toBe(false);
    expect(await faultOf(collect(engine.synthesize(request, never)))).toBe("engine");
    expect(await faultOf(collect(engine.synthesize(request, never)))).toBe("engine");
    await engine.close();
  });

  it("write a missing transcript where a recogniser is installed", async () => {
    const engine = engineOf(folder, {
      recogniser: folderOf("listener", ["sense-voice/model.int8.onnx", "sense-voice/tokens.txt"]),
    });
    const { parameters } = await engine.enroll(reference);
    const written = await engine.enroll(reference, { transcript });
    expect(parameters).toEqual(written.parameters);
    await engine.close();
  });

  it("speak again what became noise, and fail after the third time", async () => {
    const engine = engineOf(folderOf("noisy", zipVoice));
    const voice = await engine.enroll(reference, { transcript });
    const say = (content: string) => engine.synthesize({ text: prepareText(content), voice, speed: 1 }, never);
    const spoken = await collect(say("他说 hiss 就走了。"));
    for (const { pcm, sampleRate } of spoken)
      expect(
        spectralFlatness(
          Float32Array.from(pcm, (sample) => sample / 32_768),
          sampleRate,
        ),
      ).toBeLessThan(0.05);
    expect(await faultOf(collect(say("他说 static 就走了。")))).toBe("engine");
    await engine.close();
  });

  it("require a transcript to clone", async () => {
    expect(await faultOf(engineOf(folder).enroll(reference))).toBe("reference");
  });
});
