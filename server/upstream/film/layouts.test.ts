import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { videoStyle } from "~server/contract/calls/videos";
import { pageBox } from "~server/portrait/film-layers";
import { findFfmpeg } from "~server/settings/installed";
import { encodeWav } from "../../speech/recording/formats/wav";
import { readLabels } from "../media/label/label";
import { createOutlines } from "../media/outlines";
import type { FilmRequest } from "./film";
import { createFilmMaker } from "./maker";
import { createOverlay } from "./overlay";
import { readPictures } from "./pictures";
import { createStage } from "./stage";

const folder = mkdtempSync(join(tmpdir(), "film-layouts-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
const colours = { blue: "#0000ff", red: "#ff0000", green: "#00c000" };
const text = "山坡上的桃花开了";

beforeAll(async () => {
  for (const [name, background] of Object.entries(colours))
    await sharp({ create: { width: 160, height: 90, channels: 3, background } })
      .webp({ lossless: true })
      .toFile(path(name));
  const pages = ["blue", "green"].map((name) => sharp(path(name)).png().toBuffer());
  await sharp(await Promise.all(pages), { join: { animated: true } })
    .webp({ lossless: true, delay: [500, 500], loop: 0 })
    .toFile(path("loop"));
  writeFileSync(
    path("sound.wav"),
    encodeWav(
      Int16Array.from({ length: 8000 }, (_, i) => 6000 * Math.sin(i / 9)),
      16_000,
    ),
  );
  writeFileSync(path("timeline.json"), JSON.stringify({ durationMs: 500, phonemes: [], units: [] }));
});

const sizes = {
  "9:16": { width: 180, height: 320 },
  "1:1": { width: 180, height: 180 },
  "16:9": { width: 320, height: 180 },
};

const requestOf = (
  size: keyof typeof sizes,
  style: object,
  pictures: Partial<FilmRequest["pictures"]> = {},
): FilmRequest => ({
  ...{ ...sizes[size], format: "mp4", background: "paper", seed: "seed" },
  style: videoStyle.parse(style),
  pictures: { picturePath: null, logoPath: null, pages: [], ...pictures },
  people: [{ portrait: null, photoPath: null }],
  turns: [{ start: 0, end: 500, person: 0, text }],
  cues: [{ start: 0, end: 4000, text, spoken: [0, 500, 1000, 1500, 2000, 2500, 3000, 3500] }],
  ...{ soundPath: path("sound.wav"), timelinePath: path("timeline.json") },
  ...{ folder: path("work"), to: path("film.mp4") },
});

/** The colour at shares of width and height of the frame at a time. */
async function draw(request: FilmRequest, seconds = 3.2) {
  const pictures = await readPictures(request);
  const overlay = createOverlay(createOutlines(), request, pictures.logo);
  const timeline = { sampleRate: 16_000, durationMs: 4000, phonemes: [], units: [] };
  const loudness = { perSecond: 10, levels: Array<number>(60).fill(1) };
  const stage = await createStage({ request, pictures, timeline, loudness });
  const { width, height } = request;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${stage.at(seconds)}${overlay.at(seconds)}</svg>`;
  const data = await sharp(Buffer.from(svg)).flatten().raw().toBuffer();
  const at = (x: number, y: number) => {
    const from = 3 * (Math.floor(y * height) * width + Math.floor(x * width));
    return [...data.subarray(from, from + 3)] as [number, number, number];
  };
  return { data, at };
}
const isBlue = ([red, , blue]: number[]) => (blue ?? 0) > 180 && (red ?? 0) < 80;
const isRed = ([red, , blue]: number[]) => (red ?? 0) > 180 && (blue ?? 0) < 80;
const isGreen = ([red, green]: number[]) => (green ?? 0) > 140 && (red ?? 0) < 80;
const isLight = (colour: number[]) => Math.min(...colour) > 150;

it.each(["9:16", "1:1", "16:9"] as const)("a picture fills %s behind a face in its corner", async (size) => {
  const { at } = await draw(requestOf(size, { layout: "corner" }, { picturePath: path("blue") }));
  for (const [x, y] of [
    [0.02, 0.02],
    [0.02, 0.98],
    [0.98, 0.98],
    [0.3, 0.4],
  ] as const)
    expect(at(x, y)).toSatisfy(isBlue);
  const left = await draw(requestOf(size, { layout: "corner", faceAt: "bottom-left" }, { picturePath: path("blue") }));
  const row = Array.from({ length: 50 }, (_, i) => i / 100);
  const [y] = [size === "9:16" ? 0.72 : 0.62];
  expect(row.some((x) => isLight(at(0.5 + x, y)))).toBe(true);
  expect(row.some((x) => isLight(at(x, y)))).toBe(false);
  expect(row.some((x) => isLight(left.at(x, y)))).toBe(true);
  const none = await draw(requestOf(size, { layout: "corner", faceAt: "none" }, { picturePath: path("blue") }));
  expect(row.some((x) => isLight(none.at(x, y)) || isLight(none.at(0.5 + x, y)))).toBe(false);
});

it("a loop moves and begins again", async () => {
  const request = requestOf("16:9", { layout: "corner" }, { picturePath: path("loop") });
  for (const [seconds, is] of [
    [0.2, isBlue],
    [0.7, isGreen],
    [1.2, isBlue],
  ] as const)
    expect((await draw(request, seconds)).at(0.3, 0.4)).toSatisfy(is);
});

it.each(["9:16", "1:1", "16:9"] as const)("pages of %s follow each other, whole", async (size) => {
  const pages = [
    { path: path("blue"), start: 1, title: "一" },
    { path: path("red"), start: 2, title: "二" },
  ];
  const request = requestOf(size, { layout: "slides", faceAt: "none" }, { pages });
  const box = pageBox(sizes[size]);
  const middle = (box.y + box.height / 2) / sizes[size].height;
  for (const [seconds, is] of [
    [0, isBlue],
    [1.9, isBlue],
    [2.1, isRed],
  ] as const) {
    const { at } = await draw(request, seconds);
    for (const x of [0.01, 0.5, 0.99]) expect(at(x, middle)).toSatisfy(is);
  }
});

it("what was said already has another colour", async () => {
  const style = { layout: "words", subtitles: { karaoke: true, color: "ink", edge: "none" } };
  const countRed = async (seconds: number) => {
    const { data } = await draw(requestOf("1:1", style), seconds);
    let count = 0;
    for (let i = 0; i < data.length; i += 3)
      if ((data[i] ?? 0) > 150 && (data[i + 2] ?? 0) < 90 && (data[i + 1] ?? 0) < 110) count++;
    return count;
  };
  const [early, late] = [await countRed(0.1), await countRed(3.6)];
  expect(early).toBeGreaterThan(0);
  expect(late).toBeGreaterThan(4 * early);
});

it("the waveform stands where no words do, and each choice of subtitles is another picture", async () => {
  const { at } = await draw(requestOf("9:16", { layout: "wave" }));
  const bars = Array.from({ length: 80 }, (_, i) => at(0.1 + i / 100, 0.76)).filter(
    (colour) => Math.max(...colour) < 120,
  );
  expect(bars.length).toBeGreaterThan(10);
  const looks = [
    {},
    { place: "top" },
    { place: "middle" },
    { size: "large" },
    { color: "yellow" },
    { edge: "plate" },
    { edge: "none" },
  ];
  const frames = await Promise.all(looks.map((subtitles) => draw(requestOf("9:16", { subtitles }))));
  expect(new Set(frames.map(({ data }) => data.toString("base64"))).size).toBe(looks.length);
});

it("the logo, the title and the cover stand over the picture, and the label over all of them", async () => {
  const style = { layout: "corner", title: "桃花", cover: true };
  const request = requestOf("9:16", style, { picturePath: path("blue"), logoPath: path("red") });
  const [cover, later] = [await draw(request, 0), await draw(request, 0.5)];
  const yellow = ({ data }: { data: Buffer }) => {
    let count = 0;
    for (let i = 0; i < data.length; i += 3)
      if ((data[i] ?? 0) > 230 && (data[i + 1] ?? 0) > 190 && (data[i + 2] ?? 0) < 110) count++;
    return count;
  };
  expect(yellow(cover)).toBeGreaterThan(100);
  expect(yellow(later)).toBe(0);
  expect(later.at(0.12, 0.06)).toSatisfy(isRed);
  for (const { at } of [cover, later]) expect(at(0.955, 0.035)).toSatisfy(isLight);
});

const ffmpegPath = findFfmpeg(undefined, process.env.PATH);

it.skipIf(!ffmpegPath).each([
  ["WebAssembly", undefined],
  ["ffmpeg", ffmpegPath],
])(
  "an MP4 by %s has its pages as chapters, and room for its label",
  async (_name, encoderPath) => {
    const pages = [
      { path: path("blue"), start: 0, title: "第一页" },
      { path: path("red"), start: 0.3, title: "桃花; 开了=1" },
    ];
    const request = {
      ...requestOf("16:9", { layout: "slides" }, { pages }),
      to: path(`film-${encoderPath ? 1 : 0}.mp4`),
    };
    const options = { signal: new AbortController().signal, onProgress: () => {} };
    await createFilmMaker({ ffmpegPath: encoderPath }).make(request, options);
    const probed = execFileSync("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", request.to]).toString();
    const { chapters } = JSON.parse(probed) as { chapters: Array<{ start_time: string; tags: { title: string } }> };
    expect(chapters.map(({ start_time, tags }) => [Number(start_time), tags.title])).toEqual([
      [0, "第一页"],
      [0.3, "桃花; 开了=1"],
    ]);
    expect(await readLabels(readFileSync(request.to))).toEqual(["damaged"]);
    const frame = execFileSync("ffmpeg", [
      ...["-v", "error", "-ss", "0.4", "-i", request.to, "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"],
    ]);
    expect([...frame.subarray(3 * (320 * 60 + 20), 3 * (320 * 60 + 20) + 3)]).toSatisfy(isRed);
  },
  60_000,
);
