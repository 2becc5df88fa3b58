import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import {
  type MusicSettings,
  mixPreview,
  musicLoops,
  musicPresets,
  musicRanges,
  speechLufs,
} from "~server/contract/music";
import { createLoop } from "~server/contract/music-loops";
import { tone } from "../../../tests/support/sounds";
import { measureLoudness } from "../dsp/loudness";
import { toPcm } from "../dsp/pcm";
import { encodeWav } from "./formats/wav";
import { type MusicMixRequest, mixMusicFile, readMusic } from "./music";

const sampleRate = 24_000;
const settings: MusicSettings = { level: 0, duck: 12, fadeIn: 0, fadeOut: 2 };
const decibels = (samples: Float32Array) =>
  10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

let folder: string;
let mixes = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "music-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Two seconds of speech between pauses of four seconds. */
function speech(): Int16Array {
  const pcm = new Int16Array(10 * sampleRate);
  pcm.set(toPcm(tone({ seconds: 2, sampleRate, hz: 300, level: 0.4 }).samples), 4 * sampleRate);
  return pcm;
}

async function mix(
  pcm: Int16Array,
  change: Partial<MusicSettings> = {},
  music: MusicMixRequest["music"] = { loop: "calm" },
) {
  const path = join(folder, String(++mixes));
  await writeFile(path, new Uint8Array(pcm.buffer));
  const source = { path, samples: pcm.length, sampleRate };
  const count = await mixMusicFile({
    speech: source,
    music,
    settings: { ...settings, ...change },
    to: `${path}.music`,
  });
  const mixed = new Int16Array(Uint8Array.from(await readFile(`${path}.music`)).buffer);
  expect(mixed.length).toBe(count);
  /** The music that was added to the speech. */
  const bed = Float32Array.from(mixed, (value, i) => (value - (pcm[i] ?? 0)) / 32_768);
  const between = (from: number, to: number) => bed.subarray(from * sampleRate, to * sampleRate);
  return { mixed, bed, between };
}

describe("mixMusicFile", () => {
  it("lowers the music under speech by the chosen depth and raises it again", async () => {
    const { between } = await mix(speech());
    const before = decibels(between(2, 3.5));
    expect(before - decibels(between(4, 6))).toBeCloseTo(12, -0.5);
    // Down before the first sound, and still down right after the last one.
    expect(before - decibels(between(3.95, 4.05))).toBeGreaterThan(9);
    expect(before - decibels(between(6, 6.35))).toBeGreaterThan(9);
    expect(before - decibels(between(7.5, 9.5))).toBeLessThan(3);
  });

  it("goes on after the speech until it has faded out", async () => {
    const { mixed, between } = await mix(speech(), { fadeOut: 3 });
    expect(mixed.length).toBe(13 * sampleRate);
    expect(decibels(between(10, 11)) - decibels(between(12.5, 13))).toBeGreaterThan(10);
    expect(Math.abs(mixed.at(-1) as number)).toBeLessThan(30);
  });

  it("fades in", async () => {
    const { between } = await mix(speech(), { fadeIn: 3 });
    expect(decibels(between(3, 3.5)) - decibels(between(0, 0.3))).toBeGreaterThan(15);
  });

  it("never exceeds the ceiling, because music gives way to loud speech", async () => {
    const pcm = toPcm(tone({ seconds: 3, sampleRate, hz: 300, level: 0.86 }).samples);
    const { mixed } = await mix(pcm, { level: musicRanges.level.max, duck: musicRanges.duck.min });
    expect(mixed.reduce((most, value) => Math.max(most, Math.abs(value)), 0)).toBeLessThanOrEqual(0.872 * 32_768);
  });

  it("repeats an uploaded file without a gap", async () => {
    const { mp3, loudness, durationMs } = await readMusic(
      encodeWav(toPcm(tone({ seconds: 6, sampleRate, hz: 200, level: 0.1 }).samples), sampleRate),
    );
    expect([Math.round(durationMs), Math.round(loudness)]).toEqual([6000, -24]);
    const { between } = await mix(new Int16Array(15 * sampleRate), {}, { mp3 });
    const levels = [1, 3, 5, 7, 9, 11].map((from) => decibels(between(from, from + 1)));
    expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(4);
  });
});

test("readMusic refuses short, silent and unreadable files", async () => {
  const wav = (samples: Float32Array) => encodeWav(toPcm(samples), sampleRate);
  await expect(readMusic(wav(tone({ seconds: 4, sampleRate }).samples))).rejects.toThrow("too-short");
  await expect(readMusic(wav(new Float32Array(6 * sampleRate)))).rejects.toThrow("silent");
  await expect(readMusic(new TextEncoder().encode("no music at all"))).rejects.toMatchObject({ fault: "reference" });
});

test("a preview lowers the music under its lines and raises an own file to the loudness of loops", () => {
  const bed = tone({ seconds: 3, sampleRate }).samples;
  const settings = { ...musicPresets, fadeIn: 0, fadeOut: 0 };
  const line = new Float32Array(2 * sampleRate).fill(0.1);
  const mixed = mixPreview({ bed, lines: [line], settings, sampleRate, loudness: speechLufs });
  const lead = mixed.subarray(0, sampleRate);
  const spoken = mixed.subarray(2.5 * sampleRate, 3.5 * sampleRate).map((value) => value - 0.1);
  expect(decibels(lead) - decibels(spoken)).toBeCloseTo(settings.duck, 0);
  const raised = mixPreview({ bed, lines: [line], settings, sampleRate, loudness: speechLufs - 6 });
  expect(decibels(raised.subarray(0, sampleRate)) - decibels(lead)).toBeCloseTo(6, 0);
});

describe.each(musicLoops)("loop %s", (name) => {
  const loop = createLoop(name, sampleRate);
  const twice = new Float32Array(2 * loop.length);
  twice.set(loop);
  twice.set(loop, loop.length);

  it("is as loud as speech before its level", () => {
    expect(Math.abs(measureLoudness(twice, sampleRate) - speechLufs)).toBeLessThan(0.5);
  });

  it("has no seam", () => {
    const stepAt = (i: number) => Math.abs((twice[i] as number) - (twice[i - 1] as number));
    const largest = loop.reduce((most, _, i) => Math.max(most, i > 0 ? stepAt(i) : 0), 0);
    expect(stepAt(loop.length)).toBeLessThan(largest);
    const around = twice.subarray(loop.length - sampleRate / 2, loop.length + sampleRate / 2);
    expect(Math.abs(decibels(around) - decibels(loop))).toBeLessThan(4);
  });
});

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;

it.skipIf(!hasFfmpeg)("measures loudness as ffmpeg does", async () => {
  const samples = createLoop("bright", sampleRate);
  const path = join(folder, "loop.wav");
  await writeFile(path, encodeWav(toPcm(samples), sampleRate));
  const given = ["-hide_banner", "-nostats", "-threads", "1", "-i", path, "-af", "ebur128", "-f", "null", "-"];
  const printed = spawnSync("ffmpeg", given).stderr.toString();
  const measured = Number(/I:\s+(-[\d.]+) LUFS\s+Threshold/.exec(printed)?.[1]);
  expect(Math.abs(measured - measureLoudness(samples, sampleRate))).toBeLessThan(0.3);
});
