import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom, speechLike, toPcm } from "../../../tests/support/sounds";
import { SpeechError } from "../engine";
import { decodeRecording } from "./decode";
import { encodeMp3 } from "./formats/mp3-encoder";
import { encodeWav } from "./formats/wav";
import { MonoCollector } from "./mono";

const fixture = (name: string) =>
  new Uint8Array(readFileSync(fileURLToPath(new URL(`../../../tests/support/fixtures/${name}`, import.meta.url))));

const sound = speechLike({ seconds: 1, sampleRate: 16_000, seed: 7 });
const files: Record<string, Uint8Array> = {
  wav: encodeWav(toPcm(sound), 16_000),
  mp3: await encodeMp3(toPcm(sound), 16_000),
  flac: fixture("speech.flac"),
  "opus in ogg": fixture("speech-opus.ogg"),
  "vorbis in ogg": fixture("speech-vorbis.ogg"),
  "opus in webm": fixture("speech-opus.webm"),
};
const names = Object.keys(files);
const bytesOf = (name: string) => files[name] as Uint8Array;

/** Processor time of this process, so that other load on the machine does not count. */
const workedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const ascii = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const glued = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** Best correlation with the original over small shifts, because codecs add a delay. */
function likeness(original: Float32Array, decoded: Float32Array, maxShift = 1200): number {
  let best = 0;
  for (let shift = -maxShift; shift <= maxShift; shift++) {
    let dot = 0;
    let one = 1e-9;
    let other = 1e-9;
    for (let i = 3200; i < Math.min(original.length, 11_200); i += 3) {
      const a = original[i] ?? 0;
      const b = decoded[i + shift] ?? 0;
      dot += a * b;
      one += a * a;
      other += b * b;
    }
    best = Math.max(best, dot / Math.sqrt(one * other));
  }
  return best;
}

const thirdOf = (samples: Float32Array) => samples.filter((_, i) => i % 3 === 0);

describe("a recording", () => {
  test.each([
    ["mp3", { format: "mp3", sampleRate: 16_000, complete: true }],
    ["flac", { format: "flac", sampleRate: 16_000, complete: true, durationMs: 500 }],
    ["opus in ogg", { format: "ogg", sampleRate: 48_000, complete: true, durationMs: 1000 }],
    ["vorbis in ogg", { format: "ogg", sampleRate: 16_000, complete: true, durationMs: 1000 }],
    ["opus in webm", { format: "webm", sampleRate: 48_000, complete: true }],
  ])("is detected by its bytes as %s and decoded to the original audio", async (name, expected) => {
    const recording = await decodeRecording(bytesOf(name));
    expect(recording).toMatchObject(expected);
    const samples = recording.sampleRate === 48_000 ? thirdOf(recording.samples) : recording.samples;
    if (name === "flac") {
      expect(Int16Array.from(samples, (value) => value * 32768)).toEqual(toPcm(sound).subarray(0, samples.length));
    } else {
      expect(Math.abs(recording.durationMs - 1000)).toBeLessThan(120);
      expect(likeness(sound.samples, samples)).toBeGreaterThan(0.9);
    }
  });

  test.each(names)("is decoded up to its truncation and marked incomplete: %s", async (name) => {
    const whole = await decodeRecording(bytesOf(name));
    const cut = bytesOf(name).subarray(0, Math.round(bytesOf(name).length * 0.85));
    const recording = await decodeRecording(cut);
    expect(recording.complete).toBe(false);
    expect(recording.durationMs).toBeGreaterThan(whole.durationMs * 0.2);
    expect(recording.durationMs).toBeLessThan(whole.durationMs * 0.95);
  });

  test("is decoded exactly as 24-bit stereo FLAC", async () => {
    const recording = await decodeRecording(fixture("tone-24bit-stereo.flac"));
    expect(recording).toMatchObject({ format: "flac", sampleRate: 16_000, complete: true, durationMs: 100 });
    const expected = Array.from({ length: 1600 }, (_, i) => 0.5 * Math.sin((2 * Math.PI * 300 * i) / 16_000));
    expect(Math.max(...expected.map((value, i) => Math.abs(value - (recording.samples[i] ?? 9))))).toBeLessThan(
      2 ** -22,
    );
  });

  test("is refused as FLAC of an unsupported depth", async () => {
    const bytes = bytesOf("flac").slice();
    // Bits per sample minus one: the lowest bit of byte 20 and the highest four of byte 21.
    bytes[21] = ((bytes[21] ?? 0) & 0x0f) | 0xb0;
    bytes[20] = (bytes[20] ?? 0) & 0xfe;
    await expect(decodeRecording(bytes)).rejects.toMatchObject({ fault: "reference", message: "unsupported" });
  });

  test("is detected as MP3 after an ID3 picture", async () => {
    const tag = glued(ascii("ID3\x04\x00\x00\x00\x00\x10\x00"), new Uint8Array(2048).fill(255));
    expect(await decodeRecording(glued(tag, bytesOf("mp3")))).toMatchObject({ format: "mp3", complete: true });
  });

  test.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(0), "not-audio"],
    ["text", ascii("once upon a time ".repeat(100)), "not-audio"],
    ["a picture", glued(ascii("\x89PNG\r\n\x1a\n"), new Uint8Array(5000)), "not-audio"],
    ["a playlist", ascii("#EXTM3U\n#EXTINF:1,x\nfile:///etc/passwd\n"), "not-audio"],
    ["a tag and nothing behind", glued(ascii("ID3\x04\x00\x00\x00\x00\x00\x20"), new Uint8Array(64)), "not-audio"],
    ["M4A", glued(ascii("\x00\x00\x00\x20ftypM4A "), new Uint8Array(64)), "aac"],
    ["bare AAC", glued(new Uint8Array([0xff, 0xf1, 0x50, 0x80]), new Uint8Array(64)), "aac"],
    ["AMR", ascii("#!AMR\n123456"), "unsupported"],
    ["AIFF", ascii("FORM1234AIFFCOMM"), "unsupported"],
    ["an Ogg that holds something else", oggPage(ascii("Speex   1.2")), "unsupported"],
    ["a WebM header alone", bytesOf("opus in webm").subarray(0, 40), "damaged"],
  ])("is refused for %s", async (_, bytes, fault) => {
    await expect(decodeRecording(bytes)).rejects.toMatchObject({ fault: "reference", message: fault });
  });

  test("is rejected before decoding as a long MP3", async () => {
    const long = glued(...Array.from({ length: 140 }, () => bytesOf("mp3")));
    const before = workedMs();
    await expect(decodeRecording(long)).rejects.toMatchObject({ message: "too-long" });
    expect(workedMs() - before).toBeLessThan(2000);
  });

  test("is decoded up to the length that an Ogg of an hour declares", async () => {
    const opus = bytesOf("opus in ogg");
    const magics = [...Buffer.from(opus).toString("latin1").matchAll(/OggS/g)];
    const audio = opus.subarray(magics[2]?.index);
    const before = workedMs();
    const { durationMs } = await decodeRecording(glued(opus, ...Array.from({ length: 3600 }, () => audio)));
    expect(durationMs).toBe(1000);
    expect(workedMs() - before).toBeLessThan(2000);
  });

  test("is refused where blocks of another rate or with other channels last too long", () => {
    const block = new Float32Array(16_000);
    for (const [channels, rate] of [
      [[block], 8_000],
      [[block, block], 16_000],
    ] as const) {
      const mono = new MonoCollector({ maxSeconds: 10, maxRate: 16_000 });
      mono.add([block], 16_000);
      const addAll = () => {
        for (let i = 0; i < 20; i++) mono.add(channels, rate);
      };
      expect(addAll).toThrow("too-long");
    }
  });

  test("is decoded in small pieces as FLAC, which holds hours of silence in a few kilobytes", async () => {
    // STREAMINFO of 48 kHz stereo without a length, and frames of 65,535 silent samples.
    const head = "664c614380000022ffffffff0000000420140bb802f00000000000000000000000000000000000000000";
    const silence = new Uint8Array(Buffer.from(head + "fff87a1800fffe830000000000000ad1".repeat(4000), "hex"));
    const before = process.memoryUsage().arrayBuffers;
    await expect(decodeRecording(silence)).rejects.toMatchObject({ message: "too-long" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200e6);
  });
});

describe("decoding of malformed files", () => {
  test.each<[string, Uint8Array, string]>([
    ["pages without end", glued(...Array.from({ length: 100_002 }, () => oggPage(new Uint8Array(0)))), "too-long"],
    ["nearly pages", glued(ascii("OggS"), new Uint8Array(4_000_000).fill(0x4f)), "damaged"],
    ["blocks without end", glued(ascii("\x1a\x45\xdf\xa3\x80"), repeated("\xa3\x80", 200_000)), "too-long"],
    ["tracks without end", glued(ascii("\x1a\x45\xdf\xa3\x80"), repeated("\xae\x80", 200_000)), "damaged"],
  ])("is refused: %s", async (_, bytes, fault) => {
    await expect(decodeRecording(bytes)).rejects.toMatchObject({ fault: "reference", message: fault });
  });

  /** Expects a recording or a reference error within the time limit. */
  async function survives(bytes: Uint8Array): Promise<void> {
    const before = workedMs();
    const result = await decodeRecording(bytes).catch((error: unknown) => error);
    expect(workedMs() - before).toBeLessThan(5000);
    if (result instanceof SpeechError) {
      expect(result.fault).toBe("reference");
      return;
    }
    const { samples } = result as { samples: Float32Array };
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.every((value) => value >= -1 && value <= 1)).toBe(true);
  }

  test("returns or refuses random bytes after every signature", async () => {
    const heads = [
      "",
      "RIFF0000WAVEfmt ",
      "fLaC",
      "OggS",
      "\x1a\x45\xdf\xa3",
      "ID3\x04\0\0\0\0\0\0",
      "\xff\xfb\x90\x00",
    ];
    const input = fc.tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 4000 }));
    await fc.assert(
      fc.asyncProperty(input, ([head, rest]) => survives(glued(ascii(head), rest))),
      { numRuns: 120 },
    );
  });

  test.each(names)("returns or refuses %s truncated at any byte", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytesOf(name).length), (end) => survives(bytesOf(name).subarray(0, end))),
      { numRuns: 25 },
    );
  });

  test.each(names)("returns or refuses %s with flipped bits", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, flips) => {
        const random = createRandom(seed);
        const bytes = bytesOf(name).slice();
        // Half of the damage is placed in the first bytes, which contain the headers.
        for (let i = 0; i < flips; i++) {
          const at = Math.floor(random() * (i % 2 === 0 ? 120 : bytes.length));
          bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
        }
        return survives(bytes);
      }),
      { numRuns: 40 },
    );
  });
});

function repeated(text: string, times: number): Uint8Array {
  return ascii(text.repeat(times));
}

function oggPage(packet: Uint8Array): Uint8Array {
  const header = new Uint8Array(28);
  header.set(ascii("OggS"));
  header[5] = 2;
  header[26] = 1;
  header[27] = packet.length;
  return glued(header, packet);
}
