import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls } from "~server/contract/calls/table";
import { createSpeech } from "~server/upstream/compose/speech";
import { logIn, type Member } from "../support/account";
import { createRole, waitForRole } from "../support/role";
import { hasSherpaAddon, makeRecogniser, makeSpeakerModel } from "../support/sherpa/models";
import { createToneSpeech } from "../support/tone-engine";
import { createVisitor, openTestUpstream, recordingForm, type TestUpstream } from "../support/upstream";

const path = "/audio/transcriptions";
const offered = async (upstream: TestUpstream) =>
  (await createVisitor(upstream.services).get<{ calls: string[] }>("/capabilities")).data.calls.includes("transcribe");

describe("transcriptions without a recogniser", () => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream("embedded");
  });
  afterAll(() => upstream.close());

  it("are not offered, and refused as unsupported", async () => {
    expect(await offered(upstream)).toBe(false);
    const member = await logIn(upstream.services);
    expect(await member.upload(path, recordingForm())).toMatchObject({ status: 404, code: 7, msg: "unsupported" });
  });
});

describe.runIf(hasSherpaAddon)("transcriptions with the real addon and a small recogniser", () => {
  const folder = mkdtempSync(join(tmpdir(), "transcriptions-"));
  let upstream: TestUpstream;
  let member: Member;
  let listening: ReturnType<typeof createSpeech>;
  beforeAll(async () => {
    const settings = {
      engines: [{ name: "embedded" as const }],
      styles: {},
      listening: { recogniser: makeRecogniser(folder), speaker: makeSpeakerModel(folder) },
    };
    listening = createSpeech(settings, { withMetrics: (engine) => engine, onChange: () => {} });
    upstream = await openTestUpstream("embedded", { speech: listening });
    member = await logIn(upstream.services);
  });
  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true });
  });

  const send = (fields: Record<string, string>, form = recordingForm()) => {
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const headers = { appid: "test-app", token: member.token };
    return upstream.services.fetch(
      new Request(`http://upstream/api/v1${path}`, { method: "POST", body: form, headers: headers }),
    );
  };

  it("are offered, and need a login", async () => {
    expect(await offered(upstream)).toBe(true);
    expect(await createVisitor(upstream.services).upload(path, recordingForm())).toMatchObject({ code: 5 });
  });

  it("come with the likeness of a role's voice where a speaker model is installed", async () => {
    const { measureLikeness } = listening;
    const speech = { ...createToneSpeech(), ...(measureLikeness && { measureLikeness }) };
    const spoken = await openTestUpstream("embedded", { speech });
    spoken.services.startWorker();
    const owner = await logIn(spoken.services);
    const { measured } = await waitForRole(owner, (await createRole(owner)).roleId);
    await spoken.close();
    expect(measured?.likeness).toEqual({ clone: expect.any(Number), self: expect.any(Number) });
    expect(measured?.likeness?.clone).toBeLessThanOrEqual(1);
  });

  it("answer text and subtitles in order, for our readers and for those of OpenAI's interface", async () => {
    const answer = await (await send({ model: "whisper-1" })).json();
    const { text, segments } = calls.transcribe.data.parse(answer.data);
    expect(text).not.toBe("");
    expect(answer).toMatchObject({ code: 0, text });
    expect(segments.length).toBeGreaterThan(0);
    for (const [i, { start, end }] of segments.entries()) {
      expect(end).toBeGreaterThan(start);
      expect(start).toBeGreaterThanOrEqual(segments[i - 1]?.end ?? 0);
    }
    expect(await (await send({ response_format: "verbose_json" })).json()).toMatchObject({ segments, language: "zh" });
  });

  it("answer plain text, SRT and WebVTT", async () => {
    expect(await (await send({ response_format: "text" })).text()).toMatch(/^[今天气真好。啊]+\n$/);
    expect(await (await send({ response_format: "srt" })).text()).toMatch(
      /^1\n00:00:\d\d,\d{3} --> 00:00:\d\d,\d{3}\n[今天气真好。啊]+\n/,
    );
    expect(await (await send({ response_format: "vtt" })).text()).toMatch(/^WEBVTT\n\n00:00:/);
  });

  it("refuse another format, a file without sound, a file that is too large, and no file", async () => {
    expect((await send({ response_format: "docx" })).status).toBe(400);
    const noSound = new FormData();
    noSound.append("file", new Blob(["no sound"]), "a.wav");
    expect(await (await send({}, noSound)).json()).toMatchObject({ code: 7, msg: "reference-not-audio" });
    const large = new FormData();
    large.append("file", new Blob([new Uint8Array(25 * 1024 * 1024 + 1)]), "a.wav");
    expect((await send({}, large)).status).toBe(413);
    expect((await send({ model: "x" }, new FormData())).status).toBe(400);
  });
});
