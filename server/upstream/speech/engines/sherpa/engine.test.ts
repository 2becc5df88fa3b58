import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeEngine } from "../../../../../tests/support/engine-conformance";
import { speechLike } from "../../../../../tests/support/sounds";
import { fakeAddon } from "../../../../../tests/support/speech-servers/sherpa-addon";
import { prepareText } from "../../chinese/prepare";
import { type SpeechChunk, type SpeechEngine, SpeechError, type SpeechRequest } from "../../engine";
import { createRemoteEngine } from "../remote/remote-engine";
import { createSherpaBackend } from "./engine";
import { findModel } from "./models";

const never = new AbortController().signal;
const top = mkdtempSync(join(tmpdir(), "sherpa-"));
afterAll(() => rmSync(top, { recursive: true }));

const zipVoice = ["encoder.int8.onnx", "decoder.int8.onnx", "vocos_24khz.onnx", "tokens.txt", "lexicon.txt"];
const kokoro = ["model.onnx", "voices.bin", "tokens.txt", "lexicon-us-en.txt", "lexicon-zh.txt"];

/** A model folder with an addon that plays tones instead of running models. */
function folderOf(name: string, files: string[]): string {
  const folder = join(top, name);
  const addon = join(folder, "node_modules/sherpa-onnx-node");
  mkdirSync(addon, { recursive: true });
  for (const file of files) writeFileSync(join(folder, file), "");
  writeFileSync(join(addon, "index.js"), fakeAddon);
  return folder;
}

const transcript = prepareText("希望你以后能够做得比我还好。");
const reference = speechLike({ seconds: 6, seed: 3 });
const align = async () => {
  throw new SpeechError("engine", "alignment is not available");
};
const backends = new Map<SpeechEngine, ReturnType<typeof createSherpaBackend>>();

function engineOf(folder: string, limits = {}): SpeechEngine {
  const backend = createSherpaBackend({ folder });
  const engine = createRemoteEngine(backend, { concurrency: 1, maxQueue: 8, timeoutMs: 30_000, ...limits, align });
  backends.set(engine, backend);
  return engine;
}

async function collect(chunks: AsyncIterable<SpeechChunk>): Promise<SpeechChunk[]> {
  const all: SpeechChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof SpeechError ? error.fault : `untyped: ${error}`),
  );

const folder = folderOf("zipvoice", zipVoice);

describeEngine("sherpa-onnx in a process of its own", {
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
    ["zipvoice", zipVoice, true],
    ["kokoro", kokoro, false],
    ["matcha", ["model-steps-3.onnx", "vocos-22khz-univ.onnx", "tokens.txt", "lexicon.txt"], false],
    ["vits", ["model.onnx", "tokens.txt", "lexicon.txt", "phone.fst"], false],
  ])("are detected by their files: %s", (family, files, clones) => {
    const found = findModel(folderOf(`known-${family}`, files as string[]));
    expect(found).toMatchObject({ family, clones });
    expect(Object.keys(found?.config.model as object)).toContain(family);
  });

  it("are null for unknown files", () => {
    expect(findModel(folderOf("strange", ["readme.md"]))).toBeNull();
    expect(findModel(join(top, "absent"))).toBeNull();
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

  it("require a transcript to clone; fixed voices ignore recordings", async () => {
    expect(await faultOf(engineOf(folder).enroll(reference))).toBe("reference");
    const own = engineOf(folderOf("kokoro", kokoro));
    expect(own.capabilities.clone).toBe(false);
    const voice = await own.enroll(reference);
    expect(voice.parameters).toEqual({ wav: "", text: "" });
    const chunks = await collect(own.synthesize({ text: prepareText("你好。"), voice, speed: 1 }, never));
    expect(chunks[0]?.sampleRate).toBe(24_000);
    await own.close();
  });
});

/** `npm i --prefix FOLDER sherpa-onnx-node@1.13.8` (32 MB), SHERPA_ADDON=FOLDER/node_modules: the real addon, and no model. */
const addon = process.env.SHERPA_ADDON;
describe.runIf(addon)("the real sherpa addon", { timeout: 60_000 }, () => {
  it.each([zipVoice, kokoro])("fails only the request for invalid models", async (...files) => {
    const folder = join(top, `real-${files.length}-${files[0]}`);
    mkdirSync(folder, { recursive: true });
    for (const file of files) writeFileSync(join(folder, file), "");
    symlinkSync(String(addon), join(folder, "node_modules"));
    const engine = engineOf(folder);
    const voice = await engine.enroll(reference, { transcript });
    const request: SpeechRequest = { text: prepareText("你好。"), voice, speed: 1 };
    expect(await engine.probe?.()).toBe(false);
    expect(await faultOf(collect(engine.synthesize(request, never)))).toBe("engine");
    await engine.close();
  });

  it("loads in its process", () => {
    const { OfflineTts, GenerationConfig } = createRequire(join(String(addon), "x.js"))("sherpa-onnx-node");
    expect([typeof OfflineTts.createAsync, typeof GenerationConfig]).toEqual(["function", "function"]);
  });
});
