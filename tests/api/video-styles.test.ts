import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { videoPagesMax, videoTemplatesMax } from "~server/contract/limits";
import { findFfmpeg } from "~server/settings/installed";
import { createFilmMaker } from "~server/upstream/film/maker";
import { readLabels } from "~server/upstream/media/label/label";
import { createClone, waitForClone } from "../support/clone";
import { createMember, type TieredMember } from "../support/member";
import { sweepByRestart } from "../support/role";
import { createTalkingSpeech } from "../support/talking-speech";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

type Video = CallData<"videoList">["list"][number];

const ffmpegPath = findFfmpeg(undefined, process.env.PATH);
const folder = mkdtempSync(join(tmpdir(), "film-styles-"));
let upstream: TestUpstream;
let member: TieredMember;
let voiceId: string;

beforeAll(async () => {
  upstream = await openTestUpstream("embedded", {
    films: createFilmMaker({ ffmpegPath }),
    speech: createTalkingSpeech(),
  });
  await upstream.restart({ ffmpegPath });
  upstream.services.startWorker();
  member = await createMember(upstream, "svip");
  const roleId = await firstRoleId(member);
  voiceId = String((await createClone(member, { content: "你好，欢迎来到声像。", roleId })).data.voiceId);
  expect(await waitForClone(member, voiceId)).toMatchObject({ status: 2 });
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await upstream.close();
});

async function upload(bytes: Buffer, type: "picture" | "loop" | "image", by: Visitor = member) {
  const form = new FormData();
  form.append("type", type);
  form.append("file", new Blob([new Uint8Array(bytes)]), "page");
  return by.upload<{ url: string }>("/file/upload", form);
}
const plain = (background: string, width = 320, height = 180) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const picture = async (background: string) => (await upload(await plain(background), "picture")).data.url;

const make = (request: object) =>
  member.post<Video>("/video/create", { source: { kind: "clone", id: voiceId }, size: "16:9", ...request });
const waitFor = (videoId: string) =>
  vi.waitFor(
    async () => {
      const { data } = await member.get<CallData<"videoList">>(`/video/list?taskId=${videoId}`);
      expect(data.list[0]?.status).not.toBe(1);
      return data.list[0] as Video;
    },
    { interval: 200, timeout: 120_000 },
  );

/** The colour at a place of the finished film's frame, by ffmpeg's decoder. */
async function frameOf(video: Video, seconds: number) {
  const path = join(folder, `${video.videoId}.mp4`);
  const bytes = Buffer.from(await (await member.file(video.videoUrl)).arrayBuffer());
  writeFileSync(path, bytes);
  expect(await readLabels(bytes)).toEqual([expect.objectContaining({ Label: "1" })]);
  const raw = ["-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"];
  const pixels = execFileSync("ffmpeg", ["-v", "error", "-ss", String(seconds), "-i", path, ...raw], {
    maxBuffer: 2 ** 24,
  });
  return (x: number, y: number) => [...pixels.subarray(3 * (1280 * y + x), 3 * (1280 * y + x) + 3)];
}
const isBlue = ([red = 0, , blue = 0]: number[]) => blue > 180 && red < 80;
const isRed = ([red = 0, , blue = 0]: number[]) => red > 180 && blue < 80;
const isPaper = (colour: number[]) => Math.min(...colour) > 150;

it.skipIf(!ffmpegPath)(
  "a film of slides shows each page from its time on, with chapters",
  async () => {
    const pages = [
      { picturePath: await picture("#00f"), start: 0, title: "开头" },
      { picturePath: await picture("#f00"), start: 0.8 },
    ];
    const { code, data } = await make({ style: { layout: "slides", faceAt: "none" }, pages });
    expect(code).toBe(0);
    const video = await waitFor(data.videoId);
    expect(video).toMatchObject({ status: 2, pages: 2, style: { layout: "slides", faceAt: "none" } });
    expect((await frameOf(video, 0.4))(40, 200)).toSatisfy(isBlue);
    expect((await frameOf(video, 1.2))(40, 200)).toSatisfy(isRed);
    const probe = ["-v", "error", "-show_chapters", "-of", "csv=p=0", join(folder, `${video.videoId}.mp4`)];
    expect(execFileSync("ffprobe", probe).toString()).toMatch(/开头[\s\S]*2$/m);
  },
  150_000,
);

it.skipIf(!ffmpegPath).each([
  ["face", isPaper],
  ["corner", isBlue],
  ["wave", ([red = 0, , blue = 0]: number[]) => blue > red + 40],
  ["words", ([red = 0, , blue = 0]: number[]) => blue > red + 40],
] as const)(
  "the layout %s is what its film shows",
  async (layout, shows) => {
    const picturePath = layout === "face" ? "" : await picture("#00f");
    const { data } = await make({ style: { layout, picturePath, title: "桃花" } });
    const video = await waitFor(data.videoId);
    expect(video).toMatchObject({ status: 2, style: { layout, picturePath, title: "桃花" } });
    expect((await frameOf(video, 0.5))(60, 300)).toSatisfy(shows);
  },
  150_000,
);

it.skipIf(!ffmpegPath)(
  "a film and a GIF become silent loops, and a sound does not",
  async () => {
    const path = join(folder, "loop.mp4");
    const source = ["-f", "lavfi", "-i", "testsrc=s=1280x720:d=10:r=10", "-f", "lavfi", "-i", "sine=d=10"];
    execFileSync("ffmpeg", ["-v", "error", ...source, "-c:v", "libx264", "-preset", "ultrafast", path]);
    const loop = await upload(readFileSync(path), "loop");
    expect(loop).toMatchObject({ code: 0, data: { mime: "image/webp" } });
    const kept = await sharp(Buffer.from(await (await member.file(loop.data.url)).arrayBuffer())).metadata();
    expect(kept).toMatchObject({ width: 852, pages: 80, delay: Array(80).fill(100) });
    const frames = [await plain("#00f"), await plain("#f00")];
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [200, 300] })
      .toBuffer();
    execFileSync("ffmpeg", ["-v", "error", ...source, "-c:v", "libx264", "-pix_fmt", "yuv420p10le", "-y", path]);
    expect(await upload(readFileSync(path), "loop")).toMatchObject({ code: 0 });
    const still = await upload(
      await sharp(await plain("#00f", 3840, 2160))
        .webp()
        .toBuffer(),
      "loop",
    );
    const whole = await sharp(Buffer.from(await (await member.file(still.data.url)).arrayBuffer())).metadata();
    expect(whole).toMatchObject({ width: 1920, height: 1080 });
    expect(await upload(gif, "loop", createVisitor(upstream.services))).toMatchObject({ msg: "login-expired" });
    const moved = await upload(gif, "loop");
    const animation = await sharp(Buffer.from(await (await member.file(moved.data.url)).arrayBuffer())).metadata();
    expect(animation).toMatchObject({ pages: 2, delay: [200, 300] });
    for (const bytes of [Buffer.from("no film"), gif.subarray(0, 60), await plain("#00f")])
      expect(await upload(bytes, "loop")).toMatchObject({ code: 7, msg: "loop-unreadable" });
  },
  90_000,
);

it("a page of a slide keeps the pixels that a film shows", async () => {
  const { data } = await upload(await plain("#0f0", 3840, 2160), "picture");
  const kept = await sharp(Buffer.from(await (await member.file(data.url)).arrayBuffer())).metadata();
  expect(kept).toMatchObject({ width: 1920, height: 1080, format: "webp" });
});

it("pictures of others, of roles and unknown ones are refused, as are pages out of order", async () => {
  const stranger = await createMember(upstream, "vip");
  const foreign = (await upload(await plain("#00f"), "picture", stranger)).data.url;
  const role = (await upload(await plain("#00f"), "image")).data.url;
  for (const picturePath of [foreign, role, "/api/v1/files/none.webp", "https://example.com/a.webp"]) {
    expect(await make({ style: { layout: "corner", picturePath } })).toMatchObject({ code: 7, msg: "picture-missing" });
    const pages = [{ picturePath, start: 0 }];
    expect(await make({ style: { layout: "slides" }, pages })).toMatchObject({ code: 7, msg: "picture-missing" });
  }
  const own = await picture("#00f");
  const page = (start: number) => ({ picturePath: own, start });
  const many = Array.from({ length: videoPagesMax + 1 }, (_, i) => page(i));
  for (const pages of [[], [page(2), page(1)], [page(1), page(1)], many])
    expect(await make({ style: { layout: "slides" }, pages })).toMatchObject({ code: 7, msg: "bad-request" });
  expect(await make({ pages: [page(0)] })).toMatchObject({ code: 7, msg: "bad-request" });
});

it("templates are kept by name, at most so many, and belong to their account", async () => {
  const put = (name: string, style = {}) =>
    member.post<CallData<"videoTemplatePut">>("/video/template/put", { name, size: "1:1", style });
  expect((await put("周更", { layout: "words" })).data.list).toMatchObject([{ name: "周更", size: "1:1" }]);
  expect((await put("周更", { layout: "wave" })).data.list).toMatchObject([
    { name: "周更", style: { layout: "wave" } },
  ]);
  expect(await put("偷来", { picturePath: "/api/v1/files/none.webp" })).toMatchObject({ msg: "picture-missing" });
  for (let i = 1; i < videoTemplatesMax; i++) expect((await put(`模板${i}`)).code).toBe(0);
  expect(await put("太多")).toMatchObject({ msg: "template-limit" });
  const { data } = await member.post<CallData<"videoTemplateDelete">>("/video/template/del", { name: "周更" });
  expect(data.list.map(({ name }) => name)).not.toContain("周更");
  const stranger = await createMember(upstream, "vip");
  expect((await stranger.get<CallData<"videoTemplates">>("/video/template/list")).data.list).toEqual([]);
});

it("pictures that nothing names are deleted after three months", async () => {
  const [unused, used] = [await picture("#00f"), await picture("#00f")];
  await member.post("/video/template/del", { name: "模板1" });
  const kept = await member.post("/video/template/put", { name: "留着", style: { logoPath: used } });
  expect(kept).toMatchObject({ code: 0 });
  await upstream
    .database()
    .updateTable("media_file")
    .set({ created_at: new Date(Date.now() - 91 * 86_400_000) })
    .where("kind", "=", "picture")
    .execute();
  const again = await sweepByRestart(upstream, member);
  await vi.waitFor(async () => expect((await again.file(unused)).status).toBe(404), { timeout: 60_000 });
  expect((await again.file(used)).status).toBe(200);
}, 90_000);
