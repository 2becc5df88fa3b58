import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "~server/config";
import type { CallData } from "~server/contract/calls/table";
import { prepareText } from "~server/speech/chinese/prepare";
import type { SpeechEngine } from "~server/speech/engine";
import { createSpeech, type Speech } from "~server/upstream/compose/speech";
import { createNaturalVoice, installWantedVoices } from "~server/upstream/compose/wanted-voices";
import { startKokoroMirror } from "../support/kokoro/mirror";
import type { Mirror } from "../support/model-mirror";
import { createTrial, firstRoleId, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, testConfig } from "../support/upstream";

let dataDir: string;
let mirror: Mirror;
let upstream: TestUpstream | undefined;
const stop = new AbortController();

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "arriving-"));
  const served = await startKokoroMirror(dataDir);
  mirror = served.mirror;
  for (const [name, value] of Object.entries(served.settings)) vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await upstream?.close();
  upstream = undefined;
  await mirror.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The upstream on the folder into which the model comes. */
async function open({ VOICES = "", previews = false } = {}) {
  const { speech: settings } = readConfig({ DATA_DIR: dataDir, VOICES });
  const speech = createSpeech(settings, { withMetrics: (engine) => engine, onChange: () => {} });
  upstream = await openTestUpstream("embedded", { speech, previews }, { settings: { speech: settings, dataDir } });
  const visitor = createVisitor(upstream.services);
  const voice = async () => (await visitor.get<CallData<"naturalVoice">>("/natural-voice")).data;
  const speaks = async () => (await visitor.get<CallData<"capabilities">>("/capabilities")).data.engine;
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const install = () => installWantedVoices({ dataDir, speech: settings }, { log, signal: stop.signal });
  return { upstream, speech, visitor, voice, speaks, lines, install };
}

async function speakersOf(engine: SpeechEngine): Promise<string[]> {
  const spoken: string[] = [];
  const design = { pitchHz: 200, pitchSpreadSt: 3, tract: 1, breath: 0, tilt: 0, rate: 1 };
  const voice = engine.design?.(design);
  if (!voice) return spoken;
  const request = { text: prepareText("你好，世界。"), voice, speed: 1 };
  for await (const { spokenBy = engine.id } of engine.synthesize(request, stop.signal)) spoken.push(spokenBy);
  return [...new Set(spoken)];
}

const seededPreviews = (opened: { upstream: TestUpstream }) =>
  opened.upstream
    .database()
    .selectFrom("role")
    .leftJoin("rendition", "rendition.id", "role.preview_id")
    .select("rendition.spoken_by")
    .where("design", "is not", null)
    .execute();

describe("a natural voice that comes by itself", { timeout: 600_000 }, () => {
  it("takes over without a restart: jobs under way end as they began, new ones and all previews are its own", async () => {
    const release = mirror.hold("kokoro/voices.bin");
    const opened = await open({ previews: true });
    const { voice, speaks, speech, visitor } = opened;
    const job = new AbortController().signal;
    const before = await (speech as Speech).engine(job);
    expect(await speaks()).toBe("embedded");
    expect(await voice()).toMatchObject({ state: "arriving", received: 0, isCancellable: true });
    opened.upstream.services.startWorker();
    const onTheWay = expect.objectContaining({ state: "arriving", received: expect.any(Number) });
    await expect.poll(async () => (await voice()).received).toBeGreaterThan(0);
    expect(await voice()).toEqual(onTheWay);
    release();

    await expect.poll(async () => (await voice()).state).toBe("speaking");
    expect(await speaks()).toBe("kokoro");
    expect(await speech.engine(job)).toBe(before);
    expect(await speakersOf(before)).toEqual(["embedded"]);
    expect(await speakersOf(await speech.engine())).toEqual([expect.stringMatching(/^kokoro@/)]);

    await expect
      .poll(async () => (await seededPreviews(opened)).every(({ spoken_by: by }) => by?.startsWith("kokoro@")))
      .toBe(true);
    const { data } = await createTrial(visitor, {
      content: "你好，今天是3月5日。",
      roleId: await firstRoleId(visitor),
    });
    expect(await waitForTrial(visitor, data.taskId)).toMatchObject({ status: 2 });
    const newest = opened.upstream
      .database()
      .selectFrom("rendition")
      .select("spoken_by")
      .where("owner", "is not", null);
    expect(await newest.executeTakeFirstOrThrow()).toEqual({ spoken_by: expect.stringMatching(/^kokoro@/) });
  });

  it("is cancelled by a person, and comes again only where the settings name it", async () => {
    mirror.hold("kokoro/voices.bin");
    const { install, lines, visitor, voice } = await open();
    const installing = install();
    await expect.poll(async () => (await voice()).received).toBeGreaterThan(0);
    expect((await visitor.post("/natural-voice/cancel", {})).data).toMatchObject({ state: "none" });
    await installing;
    expect(lines.at(-1)).toMatch(/was cancelled/);

    const asked = mirror.requests.length;
    await install();
    expect(mirror.requests).toHaveLength(asked);
    await upstream?.close();
    const named = await open({ VOICES: "kokoro" });
    expect(await named.voice()).toMatchObject({ state: "arriving", isCancellable: false });
  });

  it("says in one line that it cannot be had, and goes on with the built-in voice", async () => {
    mirror.plan("kokoro/model.onnx", ["missing"], { always: true });
    const { install, lines, speaks, voice } = await open();
    await install();
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "installs a speech model in the background",
      "a speech model could not be installed; it is tried again",
    ]);
    expect(await voice()).toMatchObject({ state: "waiting" });
    expect(await speaks()).toBe("embedded");
  });

  it("is prepared anew where an earlier version prepared it", async () => {
    const { install } = await open();
    await install();
    const measured = join(dataDir, "models", "kokoro", "measured.json");
    const { version } = JSON.parse(readFileSync(measured, "utf8"));
    writeFileSync(measured, JSON.stringify({ threads: 1, realTimeFactor: 1 }));
    const asked = mirror.requests.length;
    await install();
    expect(JSON.parse(readFileSync(measured, "utf8"))).toMatchObject({ version });
    expect(mirror.requests).toHaveLength(asked);
  });

  it("is shown to nobody in production, and where the settings want none", () => {
    const of = (env: Record<string, string>, mode: "demo" | "production" = "demo") =>
      createNaturalVoice({ ...testConfig(dataDir), mode, speech: readConfig({ DATA_DIR: dataDir, ...env }).speech });
    expect(of({})?.read()).toMatchObject({ state: "arriving" });
    expect(of({}, "production")).toBeUndefined();
    expect(of({ VOICES: "none" })).toBeUndefined();
    expect(of({ SPEECH_ENGINES: "embedded" })).toBeUndefined();
  });
});
