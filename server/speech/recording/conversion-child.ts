import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { registerAacEncoder } from "@mediabunny/aac-encoder";
import { registerFlacEncoder } from "@mediabunny/flac-encoder";
import { AudioSample, AudioSampleSource, FilePathTarget, FlacOutputFormat, Mp4OutputFormat, Output } from "mediabunny";
import { resample } from "../dsp/resample";
import type { BookRequest, ConversionRequest } from "./conversion";
import { bookBytes, writeBook } from "./formats/mp4-book";
import { wavHeader } from "./formats/wav";

/** Reads a request and our own WAV files from stdin and writes them as one M4A, FLAC or M4B, in constant memory. */
interface ConvertedSound {
  sampleRate: number;
  samples: number;
  /** Behind the samples. */
  restBytes: number;
}

const headerBytes = wavHeader(0, 1).length;
/** Bits per second; twice what the MP3 files have would not be heard, AAC being the better encoder. */
const aacBitrateOf = (sampleRate: number) => (sampleRate > 24_000 ? 96_000 : 64_000);
/** AAC has 1,024 samples in a packet; a few more for the encoder's delay. */
const aacPacketsOf = (samples: number) => Math.ceil(samples / 1024) + 16;
/** The muxer leaves as much room for each packet in front of the sound. */
const bytesPerPacket = 32;

/** Throws for a WAV file that `wavHeader` does not begin. */
function parseHeader(head: Buffer): ConvertedSound {
  if (head.length < headerBytes) throw new Error("no WAV file");
  const [sampleRate, dataBytes] = [head.readUInt32LE(24), head.readUInt32LE(40)];
  const own = Buffer.from(wavHeader(dataBytes / 2, sampleRate));
  // The size of the whole file also counts the label behind the samples.
  const restBytes = head.readUInt32LE(4) - own.readUInt32LE(4);
  if (!own.subarray(0, 4).equals(head.subarray(0, 4)) || !own.subarray(8).equals(head.subarray(8)) || restBytes < 0)
    throw new Error("no WAV file of our own");
  return { sampleRate, samples: dataBytes / 2, restBytes };
}

/** Reads pieces of the sizes that are asked for; shorter ones at the end. */
function createReader(input: AsyncIterable<Buffer>) {
  const chunks = input[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (size: number): Promise<Buffer> => {
    const parts = [rest];
    let length = rest.length;
    while (length < size) {
      const { value, done } = await chunks.next();
      if (done) break;
      parts.push(value);
      length += value.length;
    }
    const whole = Buffer.concat(parts);
    rest = whole.subarray(size);
    return whole.subarray(0, size);
  };
}

type Read = ReturnType<typeof createReader>;

/** The samples of a sound in pieces of a second. */
async function* secondsOf(read: Read, { sampleRate, samples, restBytes }: ConvertedSound): AsyncGenerator<Int16Array> {
  for (let left = samples; left > 0; left -= sampleRate) {
    const count = Math.min(left, sampleRate);
    const bytes = Uint8Array.from(await read(count * 2));
    if (bytes.length < count * 2) throw new Error(`${samples - left} of ${samples} samples`);
    yield new Int16Array(bytes.buffer);
  }
  await read(restBytes);
}

/** Each piece is resampled between its neighbours, so that none of its edges is heard. */
async function* atRate(pieces: AsyncGenerator<Int16Array>, from: number, to: number): AsyncGenerator<Int16Array> {
  if (from === to) return yield* pieces;
  const none = new Int16Array(0);
  let [before, now]: [Int16Array, Int16Array] = [none, none];
  const convertNow = (next: Int16Array) => {
    const joined = new Int16Array(before.length + now.length + next.length);
    for (const [part, at] of [
      [before, 0],
      [now, before.length],
      [next, before.length + now.length],
    ] as const)
      joined.set(part, at);
    const begin = Math.round((before.length * to) / from);
    const converted = resample(joined, from, to).subarray(begin, begin + Math.round((now.length * to) / from));
    return Int16Array.from(converted, (value) => Math.max(-32768, Math.min(32767, Math.round(value))));
  };
  for await (const next of pieces) {
    if (now.length > 0) yield convertNow(next);
    [before, now] = [now, next];
  }
  if (now.length > 0) yield convertNow(none);
}

interface Book extends BookRequest {
  cover: Uint8Array | null;
}

function openOutput({ format, labelRoom, to }: ConversionRequest, sound: ConvertedSound, book: Book | null) {
  const isAac = format !== "flac";
  const { sampleRate } = sound;
  const output = new Output({
    // The label's entry precedes the sound, and nothing is held in memory.
    format: isAac ? new Mp4OutputFormat({ fastStart: "reserve", metadataFormat: "mdta" }) : new FlacOutputFormat(),
    target: new FilePathTarget(to),
  });
  const source = new AudioSampleSource(isAac ? { codec: "aac", bitrate: aacBitrateOf(sampleRate) } : { codec: "flac" });
  const untimed = book?.chapters.map(({ title }) => ({ start: 0, title })) ?? [];
  const more = book ? Math.ceil(bookBytes(untimed, book) / bytesPerPacket) : 0;
  const packets = aacPacketsOf(book ? book.maxSeconds * sampleRate : sound.samples) + more;
  output.addAudioTrack(source, isAac ? { maximumPacketCount: packets } : {});
  output.setMetadataTags({ raw: { AIGC: labelRoom } });
  return { output, source };
}

async function addSound(source: AudioSampleSource, pieces: AsyncIterable<Int16Array>, at: number, sampleRate: number) {
  let written = at;
  for await (const piece of pieces) {
    const format = { format: "s16", numberOfChannels: 1, sampleRate, timestamp: written / sampleRate } as const;
    const sample = new AudioSample({ data: piece, ...format });
    await source.add(sample);
    sample.close();
    written += piece.length;
  }
  return written;
}

async function convert(): Promise<void> {
  registerAacEncoder();
  registerFlacEncoder();
  const read = createReader(process.stdin);
  const requestBytes = (await read(4)).readUInt32BE(0);
  const request = JSON.parse((await read(requestBytes)).toString()) as ConversionRequest;
  const first = parseHeader(await read(headerBytes));
  const coverPath = request.book?.coverPath;
  const book = request.book ? { ...request.book, cover: coverPath ? await readFile(coverPath) : null } : null;
  const { output, source } = openOutput(request, first, book);
  await output.start();
  /** Where each sound begins, in samples. */
  const begins: number[] = [];
  let written = 0;
  for (let sound: ConvertedSound | null = first; sound; ) {
    begins.push(written);
    const pieces = atRate(secondsOf(read, sound), sound.sampleRate, first.sampleRate);
    written = await addSound(source, pieces, written, first.sampleRate);
    const head = book ? await read(headerBytes) : Buffer.alloc(0);
    sound = head.length > 0 ? parseHeader(head) : null;
  }
  source.close();
  await output.finalize();
  if (!book) return;
  const chapters = book.chapters.map(({ sound, startMs, title }) => ({
    start: (begins[sound] ?? 0) / first.sampleRate + startMs / 1000,
    title,
  }));
  await writeBook(request.to, chapters, book);
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
convert().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(error instanceof Error ? error.message : String(error), () => process.exit(1));
  },
);
