import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { speechLike, toPcm } from "../../../../tests/support/sounds";
import { decodeRecording } from "./decode";
import { encode, encodeFile } from "./encode";
import { appendExplicitMark, explicitMark } from "./explicit-mark";
import { encodeMp3 } from "./formats/mp3-encoder";
import { encodeWav } from "./formats/wav";

const sampleRate = 22_050;
const pcm = toPcm(speechLike({ seconds: 3 }));

describe("audio encoding", () => {
  test("writes WAV as a header of 44 bytes and the samples", () => {
    const bytes = Buffer.from(encodeWav(pcm, sampleRate));
    expect(bytes.length).toBe(44 + pcm.length * 2);
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(24)).toBe(sampleRate);
    expect(bytes.readUInt32LE(40)).toBe(pcm.length * 2);
    expect(bytes.readInt16LE(44 + 10_000)).toBe(pcm[5000]);
  });

  test("writes MP3 at 64 kbit/s without interleaving concurrent calls", async () => {
    const [one, other] = await Promise.all([encodeMp3(pcm, sampleRate), encodeMp3(pcm, sampleRate)]);
    expect(one).toEqual(other);
    expect((one.length * 8) / 3).toBeGreaterThan(60_000);
    expect((one.length * 8) / 3).toBeLessThan(68_000);
  });

  test.each([16_000, 22_050, 24_000, 44_100])("writes gapless MP3 at %i Hz", async (rate) => {
    const sound = speechLike({ seconds: 1.3, sampleRate: rate });
    const { samples, sampleRate: decodedRate, complete } = await decodeRecording(await encodeMp3(toPcm(sound), rate));
    expect([decodedRate, samples.length, complete]).toEqual([rate, sound.samples.length, true]);
    let error = 0;
    let power = 0;
    sound.samples.forEach((value, i) => {
      error += (value - (samples[i] ?? 0)) ** 2;
      power += value ** 2;
    });
    expect(10 * Math.log10(power / error)).toBeGreaterThan(15);
  });

  test("writes a valid file for empty input", async () => {
    expect((await encodeMp3(new Int16Array(0), 22_050)).length).toBeGreaterThan(0);
    expect(encodeWav(new Int16Array(0), 22_050).length).toBe(44);
  });

  test("writes the audible mark as short, long, short, short", () => {
    const marked = appendExplicitMark(pcm, sampleRate);
    expect(marked.subarray(0, pcm.length)).toEqual(pcm);
    const tones = marked.subarray(pcm.length);
    const step = Math.round(sampleRate * 0.005);
    const toneMs: number[] = [];
    let run = 0;
    for (let at = 0; at + step <= tones.length; at += step) {
      const isTone = tones.subarray(at, at + step).some((value) => Math.abs(value) > 500);
      if (!isTone && run > 0) toneMs.push(run * 5);
      run = isTone ? run + 1 : 0;
    }
    expect(toneMs.map((ms) => (ms > 180 ? "long" : "short"))).toEqual(["short", "long", "short", "short"]);
    const peakDb = 20 * Math.log10(Math.max(...tones) / 32767);
    expect(peakDb).toBeGreaterThan(explicitMark.peakDb - 0.5);
    expect(peakDb).toBeLessThanOrEqual(explicitMark.peakDb + 0.1);
  });
});

test.each(["mp3", "wav"] as const)("%s encoded from a file equals %s encoded from memory", async (format) => {
  const folder = await mkdtemp(join(tmpdir(), "encode-"));
  const sound = toPcm(speechLike({ seconds: 5 }));
  const path = join(folder, "samples");
  await writeFile(path, new Uint8Array(sound.buffer));
  for (const explicitMark of [false, true]) {
    const to = join(folder, `${explicitMark}`);
    const source = { path, samples: sound.length, sampleRate };
    const written = await encodeFile({ source, format, explicitMark, to });
    const bytes = await readFile(to);
    expect(bytes.length).toBe(written);
    const known = await encode({ pcm: sound, sampleRate, format, explicitMark });
    if (format === "wav") expect(bytes.equals(known)).toBe(true);
    const [decoded, wanted] = await Promise.all([decodeRecording(bytes), decodeRecording(known)]);
    expect([decoded.samples.length, decoded.complete]).toEqual([wanted.samples.length, true]);
  }
  await rm(folder, { recursive: true });
});
