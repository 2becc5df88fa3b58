import fc from "fast-check";
import { expect, test } from "vitest";
import { SpeechError } from "../../engine";
import { encodeWav } from "../../recording/formats/wav";
import { type PcmSound, readSamples, trimSilence } from "./samples";

async function* inParts(bytes: Uint8Array, cuts: number[]) {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    yield bytes.subarray(from, end);
    from = end;
  }
}

async function read(bytes: Uint8Array, { cuts = [] as number[], contentType = "", rate = 24_000 } = {}) {
  const reply = { contentType, header: () => undefined, bytes: inParts(bytes, cuts) };
  return joined(readSamples(reply, rate));
}

async function joined(sounds: AsyncIterable<PcmSound>) {
  const values: number[] = [];
  let sampleRate = 0;
  for await (const sound of sounds) {
    values.push(...sound.pcm);
    sampleRate = sound.sampleRate;
  }
  return { values, sampleRate };
}

const samples = fc.int16Array({ minLength: 8, maxLength: 400 });
const cuts = fc.array(fc.nat(2000), { maxLength: 8 });
const sizes = fc.constantFrom<number | null>(null, 0, 0xff_ff_ff_ff, 0x7f_ff_ff_ff, 0x7f_ff_f0_00);

test("a streamed WAV is decoded equally for any chunk boundaries and any size in its header", async () => {
  await fc.assert(
    fc.asyncProperty(samples, cuts, sizes, fc.constantFrom(16_000, 32_000, 48_000), async (pcm, at, size, rate) => {
      const wav = Buffer.from(encodeWav(pcm, rate));
      if (size !== null) wav.writeUInt32LE(size, 40);
      expect(await read(wav, { cuts: at })).toEqual({ values: [...pcm], sampleRate: rate });
    }),
    { numRuns: 60 },
  );
});

test("raw samples are decoded equally for any chunk boundaries", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -9000, max: 9000 }), { minLength: 8, maxLength: 300 }),
      cuts,
      async (pcm, at) => {
        const bytes = new Uint8Array(Int16Array.from(pcm).buffer);
        // Samples that equal a file format's signature are covered by another test.
        fc.pre(!/^(RIFF|ID3|OggS|fLaC|\s*[{[<]|\xff)/.test(Buffer.from(bytes.slice(0, 16)).toString("latin1")));
        expect(await read(bytes, { cuts: at })).toEqual({ values: pcm, sampleRate: 24_000 });
      },
    ),
    { numRuns: 60 },
  );
});

test("WAV chunks before and after the samples are ignored", async () => {
  const wav = encodeWav(Int16Array.of(1, 2, 3, 4, 5), 16_000);
  const list = Buffer.concat([Buffer.from("LIST"), Buffer.from([5, 0, 0, 0]), Buffer.from("INFOx\0")]);
  const whole = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36), list]);
  expect((await read(whole, { cuts: [50, 61] })).values).toEqual([1, 2, 3, 4, 5]);
});

test("float and stereo samples are converted to 16-bit mono", async () => {
  const wav = Buffer.from(encodeWav(new Int16Array(8), 16_000));
  wav.writeUInt16LE(3, 20);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt16LE(32, 34);
  [0.5, 0.25, -2, -2].forEach((value, i) => {
    wav.writeFloatLE(value, 44 + 4 * i);
  });
  expect((await read(wav)).values).toEqual([12_288, -32_768]);
});

test.each([
  ["nothing", new Uint8Array(0), ""],
  ["a WAV that ends early", encodeWav(new Int16Array(100), 16_000).subarray(0, 100), ""],
  ["a header without sound", encodeWav(new Int16Array(100), 16_000).subarray(0, 30), ""],
  ["JSON without a type", Buffer.from('{"error":"the model is gone"}'), ""],
  ["JSON", Buffer.from("{}"), "application/json"],
  ["a page", Buffer.from("<html>"), "text/html"],
  ["FLAC", Buffer.from("fLaC and so on and on"), "audio/flac"],
])("%s causes an engine error", async (_, bytes, contentType) => {
  const error = await read(bytes, { contentType }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SpeechError);
  expect((error as SpeechError).fault).toBe("engine");
});

test("silence at the ends is trimmed and silence in the middle is kept for any chunk boundaries", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(9000), fc.nat(9000), fc.nat(9000), cuts, async (before, between, after, at) => {
      const word = new Array<number>(3000).fill(4000);
      const silent = (length: number) => new Array<number>(length).fill(3);
      const whole = Int16Array.from([...silent(before), ...word, ...silent(between), ...word, ...silent(after)]);
      async function* pieces() {
        const ends = [...at.map((cut) => (cut * 13) % whole.length), whole.length].sort((a, b) => a - b);
        let from = 0;
        for (const end of ends) {
          yield { pcm: whole.slice(from, end), sampleRate: 16_000 };
          from = end;
        }
      }
      const { values } = await joined(trimSilence(pieces()));
      const pad = 400;
      expect(values.length).toBe(Math.min(before, pad) + 6000 + between + Math.min(after, pad));
      expect(values.filter((value) => value === 4000).length).toBe(6000);
    }),
    { numRuns: 60 },
  );
});
