import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { videoStyle } from "~server/contract/calls/videos";
import { toPhotoPortrait } from "~server/portrait/photo-face";
import { restPose } from "~server/portrait/pose";
import { findFfmpeg } from "~server/settings/installed";
import { drawFaces } from "../../../tests/support/drawn-faces";
import { encodeWav } from "../../speech/recording/formats/wav";
import { readLabels } from "../media/label/label";
import type { FilmRequest } from "./film";
import { createFilmMaker } from "./maker";
import { createPhotoPerformer } from "./photo";
import { requireVisibleLabel } from "./render";
import { hasAudibleMark } from "./sound";
import { createStage } from "./stage";

const root = mkdtempSync(join(tmpdir(), "film-maker-"));
afterAll(() => rmSync(root, { recursive: true }));
let request: FilmRequest;
beforeEach(() => {
  const folder = mkdtempSync(join(root, "film-"));
  const rate = 16_000;
  const pcm = Int16Array.from({ length: rate / 2 }, (_, i) => 6000 * Math.sin(i / 9));
  writeFileSync(join(folder, "sound.wav"), encodeWav(pcm, rate));
  writeFileSync(join(folder, "timeline.json"), JSON.stringify({ durationMs: 500, phonemes: [], units: [] }));
  request = {
    ...{ width: 180, height: 320, format: "mp4", background: "moon", seed: "seed" },
    style: videoStyle.parse({}),
    pictures: { picturePath: null, logoPath: null, pages: [] },
    people: [{ portrait: null, photoPath: null }],
    turns: [{ start: 0, end: 500, person: 0, text: "你好" }],
    cues: [{ start: 0, end: 500, text: "你好" }],
    ...{ soundPath: join(folder, "sound.wav"), timelinePath: join(folder, "timeline.json") },
    ...{ folder: join(folder, "work"), to: join(folder, "film.mp4") },
  };
});

const noPictures = { pictureAt: () => null, pageAt: () => null, logo: null };
const options = { signal: new AbortController().signal, onProgress: () => {} };

/** A program that names every encoder and is killed when it is asked for a film. */
function createKilledEncoder(): string {
  const path = join(root, "ffmpeg");
  const names = ["libx264", "aac", "libvpx-vp9", "libopus"].map((name) => `echo " V..... ${name} x"`);
  writeFileSync(
    path,
    ["#!/bin/sh", 'if [ "$2" = -encoders ]; then', ...names, "exit 0", "fi", "kill -9 $$"].join("\n"),
  );
  chmodSync(path, 0o755);
  return path;
}

it("draws the same frames for the same request", async () => {
  const films = createFilmMaker({});
  const first = await films.make(request, options);
  const second = await films.make({ ...request, to: `${request.to}.2` }, options);
  const other = await films.make({ ...request, background: "ink", to: `${request.to}.3` }, options);
  expect(first).toMatchObject({ encoder: "wasm", missing: [] });
  expect(second.frameHash).toBe(first.frameHash);
  expect(other.frameHash).not.toBe(first.frameHash);
}, 90_000);

it("moves a photo whose mouth was confirmed, and no other", async () => {
  const [drawn] = await drawFaces(1);
  if (!drawn) throw new Error("no face");
  const { width, height, data } = drawn.picture;
  const photo = await sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const speaking = { ...restPose, mouth: { weights: { open: 1 }, closure: 0, size: 1 } };
  const poseAt = (seconds: number) => (seconds < 1 ? restPose : speaking);
  const confirmed = await createPhotoPerformer(photo, toPhotoPortrait(drawn.face), { poseAt, fills: null });
  const closed = confirmed.draw(0, "large");
  const open = confirmed.draw(1, "large");
  const document = (markup: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">${markup}</svg>`);
  const differing = await sharp(document(open))
    .composite([{ input: document(closed), blend: "difference" }])
    .removeAlpha()
    .stats();
  expect(differing.channels[0]?.max).toBeGreaterThan(60);
  expect(confirmed.draw(1, "small")).toBe(closed);
  const still = await createPhotoPerformer(photo, null, { poseAt, fills: null });
  expect(still.draw(1, "large")).toBe(still.draw(0, "large"));
});

it("lets a photo fill the frame with the eyes in its upper third, and puts it into a circle by choice", async () => {
  const photoPath = join(request.folder, "..", "photo.png");
  // The eyes are a red line in a tall green photo.
  const green = sharp({ create: { width: 300, height: 1000, channels: 3, background: "#0a0" } });
  const line = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="8"><path d="M0 0h300v8H0z" fill="#f00"/></svg>',
  );
  await green.composite([{ input: line, left: 0, top: 496 }]).toFile(photoPath);
  const eye = { x: 0.5, y: 0.5, width: 0.1, height: 0.02 };
  const face = { mouth: { x: 0.5, y: 0.6, width: 0.2, height: 0.02 }, eyes: [eye, eye] };
  const colorsOf = async (background: FilmRequest["background"]) => {
    const stage = await createStage({
      request: { ...request, background, people: [{ portrait: toPhotoPortrait(face), photoPath }] },
      timeline: { sampleRate: 16_000, durationMs: 500, phonemes: [], units: [] },
      loudness: { perSecond: 10, levels: [] },
      pictures: noPictures,
    });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="320">${stage.at(0)}</svg>`;
    const data = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
    return (x: number, y: number) =>
      [...data.subarray(3 * (180 * y + x), 3 * (180 * y + x) + 3)] as [number, number, number];
  };
  const filled = await colorsOf("auto");
  for (const [x, y] of [
    [2, 2],
    [177, 2],
    [2, 317],
    [177, 317],
  ] as const)
    expect(filled(x, y)[1]).toBeGreaterThan(filled(x, y)[0] + 80);
  const rows = Array.from({ length: 320 }, (_, y) => y).filter((y) => filled(10, y)[0] > 150);
  expect(Math.min(...rows) / 320).toBeGreaterThan(0.28);
  expect(Math.max(...rows) / 320).toBeLessThan(0.4);
  const round = await colorsOf("paper");
  expect(Math.min(...round(2, 2))).toBeGreaterThan(180);
});

it("leaves no file when the encoder is killed", async () => {
  const films = createFilmMaker({ ffmpegPath: createKilledEncoder() });
  await expect(films.make(request, options)).rejects.toThrow(/ended with SIGKILL/);
  expect(existsSync(request.to)).toBe(false);
  expect(existsSync(request.folder)).toBe(false);
}, 60_000);

it("keeps the disc of a voice without a picture still while another speaks", async () => {
  const none = { portrait: null, photoPath: null };
  const turns = [0, 1].map((person) => ({ start: 1000 * person, end: 1000 * (person + 1), person, text: "你好" }));
  const stage = await createStage({
    request: { ...request, people: [none, none], turns },
    timeline: { sampleRate: 16_000, durationMs: 2000, phonemes: [], units: [] },
    loudness: { perSecond: 10, levels: Array.from({ length: 20 }, (_, i) => (i % 4) / 4) },
    pictures: noPictures,
  });
  const [early, late] = [0.3, 0.5].map((seconds) => stage.at(seconds).split("listener-0"));
  expect(late?.slice(1)).toEqual(early?.slice(1));
  expect(late?.[0]).not.toBe(early?.[0]);
});

const ffmpegPath = findFfmpeg(undefined, process.env.PATH);
const isRoot = process.getuid?.() === 0;
const encoders = [
  { name: "WebAssembly", path: undefined },
  ...(ffmpegPath ? [{ name: "ffmpeg", path: ffmpegPath }] : []),
];

/** A disk of one page, as root only. */
function mountSmallDisk(): string {
  const disk = mkdtempSync(join(root, "disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", disk]);
  return disk;
}

describe.skipIf(!isRoot).each(encoders)("on a full disk, by $name", ({ path }) => {
  let disk: string;
  beforeEach(() => {
    disk = mountSmallDisk();
  });
  afterEach(() => {
    execFileSync("umount", [disk]);
  });

  it.each(["to", "folder"] as const)(
    "names the disk and leaves nothing in %s",
    async (place) => {
      const films = createFilmMaker({ ffmpegPath: path });
      const full = { ...request, [place]: join(disk, "film") };
      await expect(films.make(full, options)).rejects.toMatchObject({ code: "storage-full", status: 507 });
      expect(readdirSync(disk)).toEqual([]);
      expect(existsSync(full.to)).toBe(false);
    },
    60_000,
  );
});

it("leaves no file when it is aborted", async () => {
  const abort = new AbortController();
  const making = createFilmMaker({}).make(request, { signal: abort.signal, onProgress: () => abort.abort() });
  await expect(making).rejects.toThrow("aborted");
  expect(existsSync(request.to)).toBe(false);
}, 60_000);

it("refuses WebM without ffmpeg", async () => {
  const making = createFilmMaker({}).make({ ...request, format: "webm" }, options);
  await expect(making).rejects.toMatchObject({ code: "video-format-missing" });
});

it.each([
  ["no label", ""],
  ["a label too low", '<rect x="10" y="10" width="20" height="8" fill="#000"/>'],
])("refuses pictures with %s", async (_name, opening) => {
  const overlay = { opening, missing: [], at: () => "" };
  await expect(requireVisibleLabel(overlay, { width: 180, height: 320 })).rejects.toThrow("the label is");
});

it("finds no audible mark in a sound without one", () => {
  expect(hasAudibleMark(new Int16Array(32_000).fill(500), 16_000)).toBe(false);
});

it("reserves room for a film's label, which is not read as a label", async () => {
  await createFilmMaker({}).make(request, options);
  expect(await readLabels(readFileSync(request.to))).toEqual(["damaged"]);
}, 60_000);
