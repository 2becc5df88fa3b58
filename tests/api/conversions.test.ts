import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { convertedFormats } from "~server/contract/calls/tasks";
import { decodeRecording } from "../../server/speech/recording/decode";
import { readLabels } from "../../server/upstream/media/label/label";
import { type Clone, createClone, findClone, waitForClone } from "../support/clone";
import { findDownload } from "../support/downloads";
import { createMember } from "../support/member";
import { createTalkingSpeech } from "../support/talking-speech";
import { firstRoleId, sentence } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

describe("downloads that are encoded on demand", () => {
  let upstream: TestUpstream;
  let member: Visitor;
  let clone: Clone;
  const bytesOf = async (url: string) => Buffer.from(await (await member.file(url)).arrayBuffer());
  const make = async () => {
    const roleId = await firstRoleId(member);
    return waitForClone(member, (await createClone(member, { content: sentence, roleId })).data.taskId);
  };
  beforeAll(async () => {
    upstream = await openTestUpstream("embedded", { speech: createTalkingSpeech() });
    upstream.services.startWorker();
    member = await createMember(upstream, "vip");
    clone = await make();
  });
  afterAll(() => upstream.close());

  it("are offered beside MP3 and WAV, whose sizes are known", async () => {
    expect(clone.downloads.map(({ format }) => format)).toEqual(["mp3", "wav", ...convertedFormats]);
    for (const { format, url, bytes } of clone.downloads.slice(0, 2))
      expect([format, (await bytesOf(url)).length]).toEqual([format, bytes]);
    expect(clone.downloads.slice(2).map(({ bytes }) => bytes)).toEqual([undefined, undefined]);
  });

  it.each(convertedFormats)("give a labelled %s that is encoded once and that verify knows", async (format) => {
    const url = findDownload(clone, format);
    const answers = await Promise.all([member.file(url), member.file(url)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = await Promise.all(answers.map(async (file) => Buffer.from(await file.arrayBuffer())));
    expect(one?.equals(other as Buffer)).toBe(true);
    const [label] = await readLabels(one as Buffer);
    expect(label).toMatchObject({ Label: "1", ContentProducer: "shengxiang" });
    const made = await findClone(member, clone.taskId);
    const row = made.downloads.find((download) => download.format === format);
    expect(made.downloads.map((download) => download.format)).toEqual(["mp3", "wav", ...convertedFormats]);
    expect(row?.bytes).toBe(one?.length);
    expect((await bytesOf(`${row?.url}?download=1`)).equals(one as Buffer)).toBe(true);
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(one as Buffer)]), `clone.${format}`);
    const { data } = await createVisitor(upstream.services).upload<CallData<"verify">>("/verify", form);
    // Without ffmpeg nothing here decodes AAC, so the sound cannot be compared with the label.
    const answer = format === "m4a" ? { ours: null, by: null } : { ours: true, by: "label" };
    expect(data).toMatchObject({ ...answer, labelled: true, signature: "valid" });
  });

  it("hold the samples of the WAV file with its audible mark", async () => {
    const [flac, wav] = await Promise.all(
      ["flac", "wav"].map(async (format) => decodeRecording(await bytesOf(findDownload(clone, format)))),
    );
    expect(flac?.samples.slice(0, 40_000)).toEqual(wav?.samples.slice(0, 40_000));
  });

  it("are readable by their owner alone, and only under the address of the sound", async () => {
    for (const reader of [createVisitor(upstream.services), await createMember(upstream, "vip")])
      for (const url of clone.downloads.map((download) => download.url)) expect(await reader.statusOf(url)).toBe(404);
    expect(await member.statusOf(findDownload(clone, "wav").replace(/wav$/, "flac"))).toBe(404);
    expect(await member.statusOf(clone.voiceUrl.replace(/mp3$/, "ogg"))).toBe(404);
  });

  it("go with their clone", async () => {
    const second = await make();
    const url = findDownload(second, "flac");
    expect(await member.statusOf(url)).toBe(200);
    const made = findDownload(await findClone(member, second.taskId), "flac");
    expect(await member.statusOf(made)).toBe(200);
    expect(await member.post("/voice/del", { voiceId: second.voiceId })).toMatchObject({ code: 0 });
    expect([await member.statusOf(url), await member.statusOf(made)]).toEqual([404, 404]);
    const kept = await upstream.database().selectFrom("media_file").select("id").where("format", "=", "flac").execute();
    expect(kept).toHaveLength(1);
  });
});
