import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "~server/config";
import type { CallData } from "~server/contract/calls/table";
import { modelsFolder } from "~server/settings/installed";
import { createExactVoice } from "~server/upstream/compose/exact-voice";
import { createSpeech } from "~server/upstream/compose/speech";
import type { Mirror } from "../support/model-mirror";
import { hasSherpaAddon, linkSherpaAddon, startZipVoiceMirror } from "../support/sherpa/models";
import { createTrial, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, testConfig } from "../support/upstream";

type ExactVoice = CallData<"exactVoice">;

let dataDir: string;
let mirror: Mirror;
let upstream: TestUpstream | undefined;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "exact-"));
  const served = await startZipVoiceMirror(dataDir);
  mirror = served.mirror;
  for (const [name, value] of Object.entries(served.settings)) vi.stubEnv(name, value);
  linkSherpaAddon(modelsFolder(dataDir));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await upstream?.close();
  upstream = undefined;
  await mirror.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function open() {
  const settings = { ...readConfig({ DATA_DIR: dataDir }).speech, wantedModels: [] };
  const speech = createSpeech(settings, { withMetrics: (engine) => engine, onChange: () => {} });
  upstream = await openTestUpstream(
    "embedded",
    { speech, previews: false },
    { settings: { speech: settings, dataDir } },
  );
  upstream.services.startWorker();
  const visitor = createVisitor(upstream.services);
  return {
    speech,
    visitor,
    voice: async () => (await visitor.get<ExactVoice>("/exact-voice")).data,
    speaks: async () => (await visitor.get<CallData<"capabilities">>("/capabilities")).data.engine,
    press: async () => (await visitor.post<ExactVoice>("/exact-voice/install", { isAccepted: true })).data,
    cancel: async () => (await visitor.post<ExactVoice>("/exact-voice/cancel", {})).data,
  };
}

describe.runIf(hasSherpaAddon)("the exact cloner that one press installs", { timeout: 600_000 }, () => {
  it("comes only once its licence is accepted, stops when it is cancelled, and takes over without a restart", async () => {
    const release = mirror.hold("zipvoice/decoder.int8.onnx");
    const { speech, visitor, voice, speaks, press, cancel } = await open();
    const job = new AbortController().signal;
    const before = await speech.engine(job);
    expect(await voice()).toMatchObject({
      state: "absent",
      licence: expect.stringContaining("CC BY-NC 4.0"),
      mayBeSold: "unclear",
      isCancellable: false,
    });
    expect((await visitor.post("/exact-voice/install", { isAccepted: false })).code).not.toBe(0);
    expect(await voice()).toMatchObject({ state: "absent" });

    expect(await press()).toMatchObject({ state: "queued", isCancellable: true });
    await expect.poll(async () => (await voice()).received).toBeGreaterThan(0);
    expect(await voice()).toMatchObject({ state: "arriving" });
    expect(await cancel()).toMatchObject({ isCancellable: false });
    await expect.poll(async () => (await voice()).state).toBe("absent");

    await press();
    await expect.poll(async () => (await voice()).received).toBeGreaterThan(0);
    release();
    await expect.poll(async () => (await voice()).state).toBe("speaking");
    expect(await speaks()).toBe("other");
    expect(await voice()).toMatchObject({ isCancellable: false, fault: null });
    expect(await speech.engine(job)).toBe(before);

    const voicePath = await uploadVoice(visitor);
    const transcript = "希望你以后能够做得比我还好。";
    const { data } = await createTrial(visitor, { content: "你好，今天是3月5日。", voicePath, transcript });
    expect(await waitForTrial(visitor, data.taskId, 300_000)).toMatchObject({ status: 2 });
    const row = await upstream?.database().selectFrom("rendition").select("spoken_by").executeTakeFirstOrThrow();
    expect(row?.spoken_by).toBe("sherpa@3:zipvoice:zipvoice");
  });

  it("says why it could not come, and waits for the next press", async () => {
    mirror.plan("zipvoice/decoder.int8.onnx", ["missing"], { always: true });
    const { voice, speaks, press } = await open();
    await press();
    await expect.poll(async () => (await voice()).state).toBe("failed");
    expect(await voice()).toMatchObject({ fault: "download" });
    await expect.poll(async () => (await voice()).isCancellable).toBe(false);
    expect(await speaks()).toBe("embedded");
    expect(await press()).toMatchObject({ state: "queued", fault: null });
  });
});

it("a press is offered in demo mode alone, and where the settings want models", () => {
  const of = (env: Record<string, string>, mode: "demo" | "production" = "demo") =>
    createExactVoice({ ...testConfig(dataDir), mode, speech: readConfig({ DATA_DIR: dataDir, ...env }).speech });
  expect(of({})).toBeDefined();
  expect(of({ VOICES: "kokoro" })).toBeDefined();
  expect(of({}, "production")).toBeUndefined();
  expect(of({ VOICES: "none" })).toBeUndefined();
  expect(of({ SPEECH_ENGINES: "embedded" })).toBeUndefined();
  expect(of({ SHERPA_FOLDER: "/models/own" })).toBeUndefined();
});
