import { constants, setPriority } from "node:os";
import { registerAacEncoder } from "@mediabunny/aac-encoder";
import { registerFlacEncoder } from "@mediabunny/flac-encoder";
import { AudioSample, AudioSampleSource, FilePathTarget, FlacOutputFormat, Mp4OutputFormat, Output } from "mediabunny";
import type { ConversionRequest } from "./conversion";
import { wavHeader } from "./formats/wav";

/** Reads one of our own WAV files from stdin and writes it as M4A or FLAC, in constant memory. */
interface ConvertedSound {
  sampleRate: number;
  samples: number;
}

const headerBytes = wavHeader(0, 1).length;
const blockBytes = 64 * 1024;
/** Bits per second; twice what the MP3 files have would not be heard, AAC being the better encoder. */
const aacBitrateOf = ({ sampleRate }: ConvertedSound) => (sampleRate > 24_000 ? 96_000 : 64_000);
/** AAC has 1,024 samples in a packet; a few more for the encoder's delay. */
const aacPacketsOf = ({ samples }: ConvertedSound) => Math.ceil(samples / 1024) + 16;

/** Throws for a WAV file that `wavHeader` does not begin. */
function parseHeader(head: Buffer): ConvertedSound {
  const [sampleRate, dataBytes] = [head.readUInt32LE(24), head.readUInt32LE(40)];
  const own = Buffer.from(wavHeader(dataBytes / 2, sampleRate));
  // The size of the whole file also counts the label behind the samples.
  own.copy(head, 4, 4, 8);
  if (!own.equals(head)) throw new Error("no WAV file of our own");
  return { sampleRate, samples: dataBytes / 2 };
}

/** Pieces of `size` bytes, the last one shorter. */
async function* inPieces(input: AsyncIterable<Buffer>, sizeOf: (count: number) => number): AsyncGenerator<Buffer> {
  let count = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of input) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let size = sizeOf(count); rest.length >= size; size = sizeOf(count)) {
      yield rest.subarray(0, size);
      rest = rest.subarray(size);
      count++;
    }
  }
  if (rest.length > 0) yield rest;
}

function openOutput({ format, labelRoom, to }: ConversionRequest, sound: ConvertedSound) {
  const isAac = format === "m4a";
  const output = new Output({
    // The label's entry precedes the sound, and nothing is held in memory.
    format: isAac ? new Mp4OutputFormat({ fastStart: "reserve", metadataFormat: "mdta" }) : new FlacOutputFormat(),
    target: new FilePathTarget(to),
  });
  const source = new AudioSampleSource(isAac ? { codec: "aac", bitrate: aacBitrateOf(sound) } : { codec: "flac" });
  output.addAudioTrack(source, isAac ? { maximumPacketCount: aacPacketsOf(sound) } : {});
  output.setMetadataTags({ raw: { AIGC: labelRoom } });
  return { output, source };
}

async function convert(request: ConversionRequest): Promise<void> {
  registerAacEncoder();
  registerFlacEncoder();
  const pieces = inPieces(process.stdin, (count) => (count === 0 ? headerBytes : blockBytes));
  const head = await pieces.next();
  if (head.done || head.value.length < headerBytes) throw new Error("no WAV file");
  const sound = parseHeader(Buffer.from(head.value));
  const { output, source } = openOutput(request, sound);
  await output.start();
  let written = 0;
  for await (const piece of pieces) {
    const count = Math.min(piece.length >> 1, sound.samples - written);
    if (count === 0) continue;
    const data = Uint8Array.from(piece.subarray(0, count * 2));
    const { sampleRate } = sound;
    const sample = new AudioSample({
      data,
      format: "s16",
      numberOfChannels: 1,
      sampleRate,
      timestamp: written / sampleRate,
    });
    await source.add(sample);
    sample.close();
    written += count;
  }
  if (written !== sound.samples) throw new Error(`${written} of ${sound.samples} samples`);
  source.close();
  await output.finalize();
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
convert(JSON.parse(process.argv[2] ?? "") as ConversionRequest).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(error instanceof Error ? error.message : String(error), () => process.exit(1));
  },
);
