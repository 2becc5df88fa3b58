import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { imageMaxSidePx } from "~server/contract/limits";
import { toPhotoPortrait } from "~server/portrait/photo-face";
import { findFfmpeg } from "~server/settings/installed";
import { createFilmMaker } from "~server/upstream/film/maker";
import { readLabels } from "~server/upstream/media/label/label";
import { createClone, waitForClone } from "../support/clone";
import { findMp4Labels, findWebmLabels } from "../support/independent-label";
import { createMember } from "../support/member";
import { foundFaces, readPortrait } from "../support/portraits";
import { createRole, uploadImage, waitForRole } from "../support/role";
import { createTalkingSpeech } from "../support/talking-speech";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

type Video = CallData<"videoList">["list"][number];

const ffmpegPath = findFfmpeg(undefined, process.env.PATH);
const text = "你好，欢迎来到声像。今天的天气怎么样？";

const encoders = [
  { encoder: "wasm", path: undefined },
  { encoder: "ffmpeg", path: ffmpegPath },
].filter(({ encoder, path }) => encoder === "wasm" || path);

const decode = (path: string, ...options: string[]) =>
  execFileSync("ffmpeg", ["-v", "error", ...options.slice(0, 2), "-i", path, ...options.slice(2), "-"], {
    maxBuffer: 2 ** 28,
  });

/** Rows of dark pixels in the upper right corner of the frame at a time, by ffmpeg's decoder. */
function findLabelHeight(path: string, seconds: number): number {
  const corner = ["-vf", "crop=iw*0.45:100:iw*0.55:0", "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo"];
  const pixels = decode(path, "-ss", String(seconds), ...corner);
  const width = pixels.length / 100;
  const isDark = (_: unknown, y: number) => pixels.subarray(y * width, (y + 1) * width).some((value) => value < 70);
  return Array.from({ length: 100 }, isDark).filter(Boolean).length;
}

const readGray = (path: string, seconds: number) =>
  decode(path, "-ss", String(seconds), "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo");

const shareOfChanged = (a: Buffer, b: Buffer) =>
  a.filter((value, i) => Math.abs(value - (b[i] ?? 0)) > 24).length / a.length;

/** Milliseconds of the tones of 740 Hz in the last seconds of the sound, by ffmpeg's decoder. */
function findTones(path: string): number[] {
  const [rate, step] = [16_000, 80];
  const bytes = decode(path, "-sseof", "-1.7", "-vn", "-ac", "1", "-ar", String(rate), "-f", "s16le");
  const levels = Array.from({ length: Math.floor(bytes.length / 2 / step) - 1 }, (_, i) => {
    let [sine, cosine] = [0, 0];
    for (let n = 0; n < 2 * step && (i * step + n) * 2 + 1 < bytes.length; n++) {
      const value = bytes.readInt16LE((i * step + n) * 2);
      sine += value * Math.sin((2 * Math.PI * 740 * n) / rate);
      cosine += value * Math.cos((2 * Math.PI * 740 * n) / rate);
    }
    return Math.hypot(sine, cosine);
  });
  const half = Math.max(...levels) / 2;
  const runs =
    levels
      .map((level) => (level > half ? "x" : "."))
      .join("")
      .match(/x+/g) ?? [];
  // A syllable before the mark may touch the pitch for a step or two.
  return runs.map((run) => (run.length * step * 1000) / rate).filter((length) => length > 40);
}

describe.each(encoders)("films by $encoder", ({ path: encoderPath }) => {
  let upstream: TestUpstream;
  let member: Visitor;
  let voiceId: string;
  const folder = mkdtempSync(join(tmpdir(), "film-test-"));
  beforeAll(async () => {
    upstream = await openTestUpstream("embedded", {
      films: createFilmMaker({ ffmpegPath: encoderPath }),
      speech: createTalkingSpeech(),
    });
    // Decodes films for /verify.
    await upstream.restart({ ffmpegPath });
    upstream.services.startWorker();
    member = await createMember(upstream, "vip");
    voiceId = await speak(await firstRoleId(member));
  }, 120_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await upstream.close();
  });

  async function speak(roleId: string) {
    const id = String((await createClone(member, { content: text, roleId })).data.voiceId);
    expect(await waitForClone(member, id)).toMatchObject({ status: 2 });
    return id;
  }
  const make = (request: object, id = voiceId) =>
    member.post<Video>("/video/create", { source: { kind: "clone", id }, ...request });
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
  const check = (path: string, { duration, format }: Video) => {
    const { streams, format: container } = probe(path);
    const codecs = { mp4: ["aac", "h264"], webm: ["opus", "vp9"] }[format];
    expect(streams.map(({ codec_name }) => codec_name).sort()).toEqual(codecs);
    const picture = streams.find(({ codec_name }) => codec_name === codecs[1]);
    expect(picture).toMatchObject({ width: 720, height: format === "mp4" ? 1280 : 720, color_space: "bt709" });
    expect(Math.abs(Number(container.duration) - duration)).toBeLessThan(0.05);
    expect(findLabelHeight(path, 0)).toBeGreaterThanOrEqual(0.05 * 720);
    expect(findLabelHeight(path, duration - 0.5)).toBeGreaterThan(0.02 * 720);
    const [first = 0, long = 0, ...short] = findTones(path);
    for (const length of [long / 3, ...short]) expect(Math.abs(length - first)).toBeLessThan(25);
    expect(short).toHaveLength(2);
  };

  it("become an MP4 of the sound's length with the label in its metadata", async () => {
    const created = await make({ size: "9:16", height: 720, format: "mp4" });
    expect(created).toMatchObject({ code: 0, data: { status: 1, size: "9:16", title: expect.any(String) } });
    const video = await waitFor(created.data.videoId);
    expect(video).toMatchObject({ status: 2, msg: "", progress: 1 });
    const path = await download(video);
    const [label, ...others] = findMp4Labels(readFileSync(path)).map((text) => JSON.parse(text));
    expect(label).toMatchObject({ Label: "1", ContentProducer: "shengxiang" });
    expect(others).toEqual([]);
    expect(await readLabels(readFileSync(path))).toEqual([label]);
    if (ffmpegPath) check(path, video);
    expect(readdirSync(join(upstream.dataDir, "uploads"))).toEqual([]);
  }, 150_000);

  it.skipIf(!ffmpegPath)(
    "are known to /verify when a platform has encoded them anew at 500 kb/s",
    async () => {
      const { data } = await make({ size: "9:16", height: 720, format: "mp4" });
      const path = await download(await waitFor(data.videoId));
      const encoded = join(folder, "platform.mp4");
      const settings = ["-map_metadata", "-1", "-b:v", "500k", "-c:a", "aac", "-b:a", "48k", "-ar", "44100"];
      execFileSync("ffmpeg", ["-v", "error", "-y", "-i", path, ...settings, encoded]);
      expect(findMp4Labels(readFileSync(encoded))).toEqual([]);
      const form = new FormData();
      form.append("file", new Blob([readFileSync(encoded)]), "platform.mp4");
      const answer = await createVisitor(upstream.services).upload<CallData<"verify">>("/verify", form);
      expect(answer).toMatchObject({ code: 0, data: { ours: true, labelled: false, by: "fingerprint" } });
      expect(findLabelHeight(encoded, 0)).toBeGreaterThanOrEqual(0.05 * 720);
    },
    150_000,
  );

  it.skipIf(!ffmpegPath)(
    `move the mouth of a photo of ${imageMaxSidePx} pixels a side`,
    async () => {
      const large = sharp(await readPortrait("hopper")).resize(imageMaxSidePx, imageMaxSidePx, {
        fit: "fill",
        kernel: "nearest",
      });
      const avatar = await uploadImage(member, await large.removeAlpha().jpeg({ quality: 60 }).toBuffer());
      const { roleId } = await createRole(member, { avatar, portrait: toPhotoPortrait(foundFaces.hopper) });
      await waitForRole(member, roleId);
      const created = await make({ size: "1:1", height: 720, format: "mp4", captions: "none" }, await speak(roleId));
      const video = await waitFor(created.data.videoId);
      expect(video).toMatchObject({ status: 2 });
      const path = await download(video);
      // The photo stands still but for mouth and lids: elsewhere two frames differ by what the encoder does.
      const frames = [0.5, 1, 1.5, 2].map((seconds) => readGray(path, seconds));
      const moved = frames.slice(1).map((frame) => shareOfChanged(frame, frames[0] as Buffer));
      expect(Math.max(...moved)).toBeGreaterThan(0.001);
      expect(Math.max(...moved)).toBeLessThan(0.1);
    },
    150_000,
  );

  it("are shared by a public page until they are deleted", async () => {
    const { data } = await member.get<CallData<"videoList">>("/video/list?status=2");
    const [{ videoId, taskId } = { videoId: "", taskId: "" }] = data.list;
    const shared = await member.post<CallData<"shareCreate">>("/share/create", { kind: "video", id: taskId });
    const { shareId } = shared.data;
    const visitor = createVisitor(upstream.services);
    const page = await visitor.get<CallData<"shareInfo">>(`/share/info?shareId=${shareId}`);
    expect(page.data).toMatchObject({ kind: "video", filmFormat: "mp4", lines: [{ content: text }] });
    const film = await visitor.file(`/api/v1/share/file?shareId=${shareId}&part=film`);
    expect(film.headers.get("content-type")).toBe("video/mp4");
    expect(findMp4Labels(new Uint8Array(await film.arrayBuffer()))).toHaveLength(1);
    expect((await member.post("/video/del", { videoId })).code).toBe(0);
    expect(await visitor.get(`/share/info?shareId=${shareId}`)).toMatchObject({ msg: "not-found" });
  });

  it.skipIf(!encoderPath)(
    "become a WebM with the label in its metadata, and captions as a file",
    async () => {
      const { data } = await make({ size: "1:1", height: 720, format: "webm", captions: "file" });
      const video = await waitFor(data.videoId);
      expect(video).toMatchObject({
        status: 2,
        srt: expect.stringMatching(/^1\n00:00:00,\d{3} --> 00:00:\d\d,\d{3}\n你好/),
      });
      const path = await download(video);
      const labels = findWebmLabels(readFileSync(path)).map((text) => JSON.parse(text));
      expect(labels).toEqual([expect.objectContaining({ Label: "1", ContentProducer: "shengxiang" })]);
      check(path, video);
    },
    150_000,
  );

  it.skipIf(encoderPath)("refuse WebM, which only ffmpeg makes", async () => {
    const answer = await make({ size: "9:16", height: 720, format: "webm" });
    expect(answer).toMatchObject({ code: 7, msg: "video-format-missing" });
    const { data } = await member.get<CallData<"videoList">>("/video/list");
    expect(data.formats).toEqual(["mp4"]);
    expect(data.list.filter(({ format }) => format === "webm")).toEqual([]);
  });
});
