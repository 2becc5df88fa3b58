import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { findFfmpeg } from "~server/settings/ffmpeg";
import { createFilmMaker } from "~server/upstream/film/maker";
import { readLabels } from "~server/upstream/media/label/label";
import { createClone, waitForClone } from "../support/clone";
import { createMember } from "../support/member";
import { firstRoleId } from "../support/trial";
import { openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

type Video = CallData<"videoList">["list"][number];

const ffmpegPath = findFfmpeg(undefined, process.env.PATH);
const text = "你好，欢迎来到声像。今天的天气怎么样？";

const encoders = [
  { encoder: "wasm", path: undefined },
  { encoder: "ffmpeg", path: ffmpegPath },
].filter(({ encoder, path }) => encoder === "wasm" || path);

describe.each(encoders)("films by $encoder", ({ path: encoderPath }) => {
  let upstream: TestUpstream;
  let member: Visitor;
  let voiceId: string;
  const folder = mkdtempSync(join(tmpdir(), "film-test-"));
  beforeAll(async () => {
    upstream = await openTestUpstream("embedded", {
      films: createFilmMaker({ ffmpegPath: encoderPath }),
    });
    upstream.services.startWorker();
    member = await createMember(upstream, "vip");
    const roleId = await firstRoleId(member);
    voiceId = String((await createClone(member, { content: text, roleId })).data.voiceId);
    expect(await waitForClone(member, voiceId)).toMatchObject({ status: 2 });
  }, 120_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await upstream.close();
  });

  const make = (request: object) =>
    member.post<Video>("/video/create", { source: { kind: "clone", id: voiceId }, ...request });
  const find = async (videoId: string) => {
    const { data } = await member.get<CallData<"videoList">>(`/video/list?taskId=${videoId}`);
    return data.list[0] as Video;
  };
  const waitFor = (videoId: string) =>
    vi.waitFor(
      async () => {
        const video = await find(videoId);
        expect(video.status).not.toBe(1);
        return video;
      },
      { interval: 200, timeout: 120_000 },
    );
  const download = async ({ videoUrl, format }: Video) => {
    const path = join(folder, `film.${format}`);
    writeFileSync(path, new Uint8Array(await (await member.file(videoUrl)).arrayBuffer()));
    return path;
  };
  const probe = (path: string) =>
    JSON.parse(
      execFileSync("ffprobe", ["-v", "error", "-show_streams", "-show_format", "-of", "json", path]).toString(),
    ) as { streams: Array<Record<string, string>>; format: { duration: string; tags: Record<string, string> } };
  const check = (path: string, { duration }: Video) => {
    const { streams, format } = probe(path);
    expect(streams.map(({ codec_name }) => codec_name).sort()).toEqual(["aac", "h264"]);
    const picture = streams.find(({ codec_name }) => codec_name === "h264");
    expect(picture).toMatchObject({ width: 720, height: 1280, color_space: "bt709" });
    expect(Math.abs(Number(format.duration) - duration)).toBeLessThan(0.05);
    expect(JSON.parse(format.tags.AIGC ?? "")).toMatchObject({ Label: "1", ContentProducer: "shengxiang" });
  };

  it("become an MP4 of the sound's length with the label in its metadata", async () => {
    const created = await make({ size: "9:16", height: 720, format: "mp4" });
    expect(created).toMatchObject({ code: 0, data: { status: 1, size: "9:16", title: expect.any(String) } });
    const video = await waitFor(created.data.videoId);
    expect(video).toMatchObject({ status: 2, msg: "", progress: 1 });
    const path = await download(video);
    const [label, ...others] = await readLabels(readFileSync(path));
    expect(label).toMatchObject({ Label: "1", ContentProducer: "shengxiang" });
    expect(others).toEqual([]);
    if (ffmpegPath) check(path, video);
    expect(readdirSync(join(upstream.dataDir, "uploads"))).toEqual([]);
  }, 150_000);

  it.skipIf(encoderPath)("refuse WebM, which only ffmpeg makes", async () => {
    const answer = await make({ size: "9:16", height: 720, format: "webm" });
    expect(answer).toMatchObject({ code: 7, msg: "video-format-missing" });
    const { data } = await member.get<CallData<"videoList">>("/video/list");
    expect(data.formats).toEqual(["mp4"]);
    expect(data.list.filter(({ format }) => format === "webm")).toEqual([]);
  });
});
