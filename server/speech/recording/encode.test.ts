import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { speechLike, toPcm } from "../../../tests/support/sounds";
import { convertSound } from "./conversion";
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

describe("conversion of our own WAV files", () => {
  const labelRoom = "-".repeat(1024);
  const ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].find((path) => existsSync(path));
  /** Chunks of any size with a label behind the samples, like a stored file. */
  const stored = (wav: Uint8Array) => {
    const bytes = Buffer.concat([wav, Buffer.from("AIGC\x04\0\0\0{}  ", "latin1")]);
    bytes.writeUInt32LE(bytes.length - 8, 4);
    return Readable.from([bytes.subarray(0, 7), bytes.subarray(7, 70_001), bytes.subarray(70_001)]);
  };
  const within = async (use: (path: (name: string) => string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), "conversion-"));
    await use((name) => join(folder, name)).finally(() => rm(folder, { recursive: true, force: true }));
  };

  test.each([16_000, 44_100])("FLAC at %i Hz holds every sample and room for a label", async (rate) => {
    // The decoder loses a last frame of digital silence.
    const samples = toPcm(speechLike({ seconds: 2.3, sampleRate: rate })).map((value, i) => value + (i % 5));
    await within(async (path) => {
      await convertSound(stored(encodeWav(samples, rate)), { format: "flac", labelRoom, to: path("a.flac") });
      const flac = await readFile(path("a.flac"));
      expect(flac.indexOf(`AIGC=${labelRoom}`)).toBeGreaterThan(0);
      expect(flac.length).toBeLessThan(samples.length * 2);
      const decoded = await decodeRecording(flac);
      expect([decoded.sampleRate, decoded.complete]).toEqual([rate, true]);
      expect(decoded.samples).toEqual(Float32Array.from(samples, (value) => value / 32_768));
    });
  });

  test.skipIf(!ffmpeg).each([16_000])("M4A at %i Hz sounds the same, by ffmpeg", async (rate) => {
    const samples = toPcm(speechLike({ seconds: 2.3, sampleRate: rate }));
    await within(async (path) => {
      await convertSound(stored(encodeWav(samples, rate)), { format: "m4a", labelRoom, to: path("a.m4a") });
      const input = ["-v", "error", "-i", path("a.m4a"), "-ac", "1", "-ar", String(rate), "-f", "s16le", "-"];
      const raw = execFileSync(ffmpeg as string, input, { maxBuffer: 2 ** 26 });
      const decoded = new Int16Array(Uint8Array.from(raw).buffer);
      const likeness = Math.max(...[0, 1024, 2048].map((delay) => correlate(samples, decoded.subarray(delay))));
      expect(likeness).toBeGreaterThan(0.95);
      expect(decoded.length / rate).toBeCloseTo(2.3, 0);
    });
  });

  test("leaves no output of a file that is no WAV of ours or ends early", async () => {
    const wav = encodeWav(pcm, sampleRate);
    await within(async (path) => {
      const request = { format: "flac", labelRoom, to: path("b.flac") } as const;
      await expect(convertSound(Readable.from([Buffer.from("fLaC".repeat(30))]), request)).rejects.toThrow("no WAV");
      await expect(convertSound(Readable.from([wav.subarray(0, 50_000)]), request)).rejects.toThrow("samples");
      expect(existsSync(path("b.flac"))).toBe(false);
    });
  });
});

function correlate(one: Int16Array, other: Int16Array): number {
  const product = (a: Int16Array, b: Int16Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
}
