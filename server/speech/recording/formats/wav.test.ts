import { describe, expect, test } from "vitest";
import { type Sound, speechLike, tone, toPcm } from "../../../../tests/support/sounds";
import { decodeRecording } from "../decode";
import { encodeWav } from "./wav";

const sound = tone({ seconds: 0.5, sampleRate: 16_000, hz: 300 });

interface Shape {
  bits: number;
  float?: boolean;
  channels?: number;
  extensible?: boolean;
  before?: Uint8Array[];
  dataBytes?: number;
  sampleRate?: number;
}

/** A WAV with any header, written without the product's encoder. */
function wavOf({ samples, sampleRate }: Sound, shape: Shape): Uint8Array {
  const { bits, float = false, channels = 1, extensible = false, before = [] } = shape;
  const step = bits / 8;
  const code = float ? 3 : 1;
  const body = Buffer.alloc(samples.length * channels * step);
  samples.forEach((value, i) => {
    for (let channel = 0; channel < channels; channel++) {
      const at = (i * channels + channel) * step;
      if (float && bits === 32) body.writeFloatLE(value, at);
      else if (float) body.writeDoubleLE(value, at);
      else if (bits === 8) body.writeUInt8(Math.round(value * 127) + 128, at);
      else body.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, step);
    }
  });
  const format = Buffer.alloc(extensible ? 40 : 16);
  format.writeUInt16LE(extensible ? 0xfffe : code, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(shape.sampleRate ?? sampleRate, 4);
  format.writeUInt32LE(sampleRate * channels * step, 8);
  format.writeUInt16LE(channels * step, 12);
  format.writeUInt16LE(bits, 14);
  if (extensible) {
    format.writeUInt16LE(22, 16);
    format.writeUInt16LE(bits, 18);
    format.writeUInt16LE(code, 24);
  }
  const data = chunk("data", body);
  data.writeUInt32LE(shape.dataBytes ?? body.length, 4);
  return chunk("RIFF", Buffer.concat([Buffer.from("WAVE"), chunk("fmt ", format), ...before, data]));
}

function chunk(id: string, body: Uint8Array): Buffer<ArrayBuffer> {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(id), size, body]);
}

const worst = (one: Float32Array, other: Float32Array) =>
  one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] ?? 9))), 0);

describe("the WAV decoder", () => {
  test.each<[string, Shape, number]>([
    ["8 bits", { bits: 8 }, 0.02],
    ["16 bits", { bits: 16 }, 1e-4],
    ["24 bits", { bits: 24 }, 1e-6],
    ["32 bits", { bits: 32 }, 1e-6],
    ["floats", { bits: 32, float: true }, 1e-6],
    ["double floats", { bits: 64, float: true }, 1e-6],
    ["stereo", { bits: 16, channels: 2 }, 1e-4],
    ["extensible, 24 bits", { bits: 24, extensible: true }, 1e-6],
    ["extensible floats in stereo", { bits: 32, float: true, extensible: true, channels: 2 }, 1e-6],
    ["an odd chunk with padding", { bits: 16, before: [chunk("LIST", new Uint8Array(7)), new Uint8Array(1)] }, 1e-4],
    ["an odd chunk without padding", { bits: 16, before: [chunk("LIST", new Uint8Array(7))] }, 1e-4],
    ["a missing data size", { bits: 16, dataBytes: 0 }, 1e-4],
    ["a data size of a stream", { bits: 16, dataBytes: 0xffffffff }, 1e-4],
  ])("reads %s", async (_, shape, tolerance) => {
    const recording = await decodeRecording(wavOf(sound, shape));
    expect(recording).toMatchObject({ format: "wav", sampleRate: 16_000, durationMs: 500, complete: true });
    expect(worst(sound.samples, recording.samples)).toBeLessThan(tolerance);
  });

  test("reads RF64, whose size is in a chunk of its own", async () => {
    const whole = wavOf(sound, { bits: 16, dataBytes: 0xffffffff });
    const sizes = Buffer.alloc(28);
    sizes.writeBigUInt64LE(BigInt(sound.samples.length * 2), 8);
    const rf64 = Buffer.concat([whole.subarray(0, 12), chunk("ds64", sizes), whole.subarray(12)]);
    rf64.write("RF64", 0, "latin1");
    const recording = await decodeRecording(rf64);
    expect(recording).toMatchObject({ format: "wav", durationMs: 500, complete: true });
    expect(worst(sound.samples, recording.samples)).toBeLessThan(1e-4);
    expect(await decodeRecording(rf64.subarray(0, rf64.length - 4001))).toMatchObject({ complete: false });
  });

  test("restores the encoder's samples bit for bit", async () => {
    const pcm = toPcm(speechLike({ seconds: 1 }));
    const { samples, sampleRate } = await decodeRecording(encodeWav(pcm, 22_050));
    expect(sampleRate).toBe(22_050);
    expect(Int16Array.from(samples, (value) => value * 32768)).toEqual(pcm);
  });

  test("decodes a truncated file up to its end", async () => {
    const whole = wavOf(sound, { bits: 16 });
    const recording = await decodeRecording(whole.subarray(0, whole.length - 4001));
    expect(recording.complete).toBe(false);
    expect(recording.samples.length).toBe(8000 - 2001);
  });

  test("halves rates above 48 kHz", async () => {
    const recording = await decodeRecording(wavOf(tone({ seconds: 0.5, sampleRate: 96_000, hz: 300 }), { bits: 16 }));
    expect(recording).toMatchObject({ sampleRate: 48_000, durationMs: 500 });
    const expected = tone({ seconds: 0.5, sampleRate: 48_000, hz: 300 }).samples.subarray(100, 20_000);
    expect(worst(expected, recording.samples.subarray(100, 20_000))).toBeLessThan(0.01);
  });

  test("replaces floats that are NaN or out of range", async () => {
    const samples = new Float32Array(16_000).fill(0.1);
    samples.set([Number.NaN, Number.POSITIVE_INFINITY, -7]);
    const recording = await decodeRecording(wavOf({ samples, sampleRate: 16_000 }, { bits: 32, float: true }));
    expect([...recording.samples.subarray(0, 4)].map((value) => Number(value.toFixed(2)))).toEqual([0, 1, -1, 0.1]);
  });

  test.each([
    ["no samples", wavOf({ samples: new Float32Array(0), sampleRate: 16_000 }, { bits: 16 }), "damaged"],
    ["no format", chunk("RIFF", Buffer.concat([Buffer.from("WAVE"), chunk("data", new Uint8Array(99))])), "damaged"],
    ["a rate of nothing", wavOf(sound, { bits: 16, sampleRate: 0 }), "damaged"],
    ["12 bits", wavOf(sound, { bits: 16 }).fill(12, 34, 35), "damaged"],
    ["a compressed kind", wavOf(sound, { bits: 16 }).fill(6, 20, 21), "unsupported"],
    ["more than the longest", encodeWav(new Int16Array(8000 * 131), 8000), "too-long"],
  ])("refuses %s", async (_, bytes, fault) => {
    await expect(decodeRecording(bytes)).rejects.toMatchObject({ fault: "reference", message: fault });
  });
});

describe("stereo", () => {
  /** A 16-bit WAV with the right channel at this share of the left one. */
  function stereo(share: number): Uint8Array {
    const pcm = toPcm(sound);
    const interleaved = Int16Array.from({ length: 2 * pcm.length }, (_, i) =>
      Math.round((pcm[i >> 1] as number) * (i % 2 === 0 ? 1 : share)),
    );
    const bytes = encodeWav(interleaved, sound.sampleRate);
    const view = new DataView(bytes.buffer);
    view.setUint16(22, 2, true);
    view.setUint32(28, sound.sampleRate * 4, true);
    view.setUint16(32, 4, true);
    return bytes;
  }

  test.each([
    ["in antiphase", -1],
    ["with a dead channel", 0],
    ["on both sides", 1],
  ])("%s keeps the voice at its level", async (_, share) => {
    const recording = await decodeRecording(stereo(share));
    expect(recording.samples.length).toBe(sound.samples.length);
    expect(worst(sound.samples, recording.samples)).toBeLessThan(1e-4);
  });
});
