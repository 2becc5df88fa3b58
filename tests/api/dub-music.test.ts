import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { musicSeconds } from "~server/contract/limits";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { AppError } from "~server/upstream/errors";
import type { FilmMaker } from "~server/upstream/film/film";
import { labelAudio, readLabels } from "~server/upstream/media/label/label";
import { findDownload } from "../support/downloads";
import { createDub, findDub, waitForDub } from "../support/dub";
import { createMember } from "../support/member";
import { speechLike, tone, toPcm } from "../support/sounds";
import { createTalkingSpeech } from "../support/talking-speech";
import { createVisitor, openTestUpstream, recordingForm, type TestUpstream, type Visitor } from "../support/upstream";

describe("music under a dub", () => {
  let upstream: TestUpstream;
  let member: Visitor;
  let lines: object[];
  /** The sound that the film of a dub is made of. */
  let filmed: Buffer | null = null;
  const films: FilmMaker = {
    formats: async () => ["mp4"],
    async make({ soundPath }) {
      filmed = await readFile(soundPath);
      throw new AppError("video-too-long", "the test draws nothing");
    },
  };
  beforeAll(async () => {
    upstream = await openTestUpstream("embedded", { films, speech: createTalkingSpeech() });
    upstream.services.startWorker();
    member = await createMember(upstream, "vip");
    const { data } = await member.get<Array<{ roleId: string }>>("/role/common/home?size=1");
    lines = ["你好，世界。", "再见。"].map((content) => ({ roleId: data[0]?.roleId, content }));
  });
  afterAll(() => upstream.close());

  const make = async (more: object = {}) =>
    waitForDub(member, (await createDub(member, { lines, ...more })).data.dubbId);
  const bytesOf = async (url: string) => Buffer.from(await (await member.file(url)).arrayBuffer());
  const samplesOf = async (dub: CallData<"dubList">["list"][number]) => {
    const wav = await bytesOf(findDownload(dub, "wav"));
    const at = wav.indexOf("data");
    return new Int16Array(Uint8Array.from(wav.subarray(at + 8, at + 8 + wav.readUInt32LE(at + 4))).buffer);
  };
  const uploadMusic = (sender: Visitor, seconds = musicSeconds.min + 1) =>
    sender.upload<CallData<"musicUpload">>("/file/uploadMusic", recordingForm(tone({ seconds, hz: 200, level: 0.1 })));

  it("mixes a loop under the speech at no further cost, and leaves the speech as it is", async () => {
    const plain = await make();
    expect(plain.music).toBeNull();
    const scored = await make({ music: { track: "calm", fadeIn: 0, fadeOut: 3 } });
    expect(scored).toMatchObject({
      status: 2,
      costChar: 0,
      music: { track: "calm", level: -8, duck: 12, fadeIn: 0, fadeOut: 3 },
    });
    expect(scored.duration - plain.duration).toBeCloseTo(3, 1);
    expect(scored.lines.map(({ voiceUrl, start }) => [voiceUrl, start])).toEqual(
      plain.lines.map(({ voiceUrl, start }) => [voiceUrl, start]),
    );
    const [speech, mixed] = [await samplesOf(plain), await samplesOf(scored)];
    const differences = [...mixed.subarray(0, Math.floor(16_000 * plain.duration))].map((value, i) =>
      Math.abs(value - (speech[i] ?? 0)),
    );
    expect(Math.max(...differences)).toBeGreaterThan(10);
    expect(Math.max(...differences)).toBeLessThan(6000);
  });

  it("labels a mixed file, and verify recognises it", async () => {
    const dub = await make({ music: { track: "bright" } });
    for (const { format, url } of dub.downloads) {
      const form = new FormData();
      form.append("file", new Blob([new Uint8Array(await bytesOf(url))]), `dub.${format}`);
      const verified = await createVisitor(upstream.services).upload<CallData<"verify">>("/verify", form);
      // Without ffmpeg nothing here decodes AAC, so the sound cannot be compared with the label.
      const answer = format === "m4a" ? { ours: null, by: null } : { ours: true, by: "label" };
      expect([format, verified.data]).toMatchObject([format, { ...answer, labelled: true, signature: "valid" }]);
    }
  });

  it("goes into the film of the dub, to the end of its fade", async () => {
    const dub = await make({ music: { track: "tense", fadeOut: 3 } });
    const source = { kind: "dub", id: dub.dubbId };
    expect(await member.post("/video/create", { source, size: "1:1", height: 720, format: "mp4" })).toMatchObject({
      code: 0,
    });
    await vi.waitFor(() => expect(filmed).not.toBeNull(), { timeout: 60_000, interval: 50 });
    expect(filmed?.equals(await bytesOf(findDownload(dub, "wav")))).toBe(true);
    const samples = await samplesOf(dub);
    const afterSpeech = samples.subarray(
      samples.length * (1 - 4 / dub.duration),
      samples.length * (1 - 3 / dub.duration),
    );
    expect(Math.max(...afterSpeech)).toBeGreaterThan(50);
  });

  it("takes an own file of music", async () => {
    const { code, data } = await uploadMusic(member);
    expect([code, Math.round(data.duration)]).toEqual([0, musicSeconds.min + 1]);
    const dub = await make({ music: { track: "own", musicPath: data.musicPath, level: -3 } });
    expect(dub).toMatchObject({ status: 2, music: { track: "own", musicPath: data.musicPath, level: -3 } });
    expect((await findDub(member, dub.dubbId)).music?.musicPath).toBe(data.musicPath);
    expect(await createVisitor(upstream.services).statusOf(data.url)).toBe(404);
  });

  it("does not call a recording ours that was uploaded as music, not even with the label of a dub that has it", async () => {
    const person = speechLike({ seconds: 12, seed: 91, pitchHz: 150 });
    const { data } = await member.upload<CallData<"musicUpload">>("/file/uploadMusic", recordingForm(person));
    const dub = await make({ music: { track: "own", musicPath: data.musicPath, level: 0 } });
    const ask = async (bytes: Uint8Array) => {
      const form = new FormData();
      form.append("file", new Blob([Uint8Array.from(bytes)]), "a.wav");
      return (await member.upload<CallData<"verify">>("/verify", form)).data;
    };
    expect(await ask(encodeWav(toPcm(person), person.sampleRate))).toMatchObject({ ours: false, by: null });
    const [label] = await readLabels(await bytesOf(findDownload(dub, "wav")));
    if (!label || label === "damaged") throw new Error("no label");
    const relabelled = await labelAudio(encodeWav(toPcm(person), person.sampleRate), "wav", label);
    expect(await ask(relabelled)).toMatchObject({ ours: null, by: null, signature: "valid" });
    // Its lines alone are known to be spoken here: the mix confirms nothing.
    expect((await ask(await bytesOf(findDownload(dub, "wav")))).by).not.toBe("label");
  });

  it("recognises short lines under uploaded music by the speech before the mix", async () => {
    const person = speechLike({ seconds: 12, seed: 92, pitchHz: 170 });
    const { data } = await member.upload<CallData<"musicUpload">>("/file/uploadMusic", recordingForm(person));
    const short = [
      "好的。",
      "走吧。",
      "等等。",
      "来了。",
      "早上好。",
      "再见。",
      "晚安。",
      "谢谢。",
      "是的。",
      "不用。",
    ];
    const { roleId } = lines[0] as { roleId: string };
    const music = { track: "own", musicPath: data.musicPath };
    const dub = await make({ lines: short.map((content) => ({ roleId, content })), music });
    const form = new FormData();
    form.append("file", new Blob([Uint8Array.from(await bytesOf(findDownload(dub, "wav")))]), "a.wav");
    const verified = (await member.upload<CallData<"verify">>("/verify", form)).data;
    expect(verified).toMatchObject({ ours: true, by: "fingerprint" });
  });

  it("refuses music of another account, without a file, and beyond the ranges", async () => {
    const { data } = await uploadMusic(await createMember(upstream, "vip"));
    const refused = async (music: object) => {
      const { status, code, msg } = await createDub(member, { lines, music });
      return [status, code, msg];
    };
    expect(await refused({ track: "own", musicPath: data.musicPath })).toEqual([200, 7, "music-missing"]);
    expect(await refused({ track: "own" })).toEqual([200, 7, "music-missing"]);
    for (const music of [{ track: "jazz" }, { track: "calm", duck: 3 }, { track: "calm", level: 6 }])
      expect((await refused(music))[0]).toBe(400);
  });

  it("refuses uploads of visitors, files without music, and files that are too short", async () => {
    expect((await uploadMusic(createVisitor(upstream.services))).code).toBe(5);
    expect((await uploadMusic(member, musicSeconds.min - 1)).msg).toBe("music-length");
    const form = new FormData();
    form.append("file", new Blob(["not music"]), "a.mp3");
    expect((await member.upload("/file/uploadMusic", form)).msg).toBe("music-unreadable");
  });
});
