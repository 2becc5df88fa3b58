import { type FileHandle, open } from "node:fs/promises";
import { appendExplicitMark, markTones } from "./explicit-mark";
import { blockSamples, createMp3Writer, encodeMp3 } from "./formats/mp3-encoder";
import { encodeWav, wavHeader } from "./formats/wav";

/** Samples as a file of the format asked for, with the audible mark behind them where that is asked for. */
export async function encode({ pcm, sampleRate, format, explicitMark }: EncodeRequest): Promise<Uint8Array> {
  const marked = explicitMark ? appendExplicitMark(pcm, sampleRate) : pcm;
  return format === "wav" ? encodeWav(marked, sampleRate) : encodeMp3(marked, sampleRate);
}

export interface EncodeRequest {
  pcm: Int16Array;
  sampleRate: number;
  format: "mp3" | "wav";
  /** Appends the audible mark of generated speech. */
  explicitMark?: boolean;
}

/** Samples in a file: 16 bits, mono, little-endian, without a header. */
export interface SampleFile {
  path: string;
  samples: number;
  sampleRate: number;
}

export interface EncodeFileRequest {
  source: SampleFile;
  format: "mp3" | "wav";
  /** Append the audible rhythm that marks generated speech. */
  explicitMark: boolean;
  /** A path where nothing is yet. */
  to: string;
}

/** What `encode` makes, from file to file in constant memory. Answers the bytes written. */
export async function encodeFile({ source, format, explicitMark, to }: EncodeFileRequest): Promise<number> {
  const mark = explicitMark ? markTones(source.sampleRate) : new Int16Array(0);
  const from = await open(source.path, "r");
  try {
    const into = await open(to, "wx");
    try {
      return await (format === "wav" ? writeWav : writeMp3)(into, blocksOf(from, source, mark), {
        ...source,
        samples: source.samples + mark.length,
      });
    } finally {
      await into.close();
    }
  } finally {
    await from.close();
  }
}

async function* blocksOf(file: FileHandle, { samples }: SampleFile, mark: Int16Array): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples; ) {
    const block = new Int16Array(Math.min(blockSamples, samples - at));
    await readWhole(file, new Uint8Array(block.buffer), at * Int16Array.BYTES_PER_ELEMENT);
    yield block;
    at += block.length;
  }
  if (mark.length > 0) yield mark;
}

async function readWhole(file: FileHandle, into: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await file.read(into, done, into.length - done, from + done);
    if (bytesRead === 0) throw new Error("fewer samples than were announced");
    done += bytesRead;
  }
}

type Write = (file: FileHandle, blocks: AsyncIterable<Int16Array>, sound: SampleFile) => Promise<number>;

const writeWav: Write = async (file, blocks, { samples, sampleRate }) => {
  const header = wavHeader(samples, sampleRate);
  await file.writeFile(header);
  for await (const block of blocks)
    await file.writeFile(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
  return header.length + samples * Int16Array.BYTES_PER_ELEMENT;
};

/** What stands before the sound tells its length: its place is kept free until the sound has ended. */
const writeMp3: Write = async (file, blocks, { sampleRate }) => {
  const mp3 = await createMp3Writer(sampleRate);
  let at = 0;
  const write = async (part: Uint8Array) => {
    if (part.length === 0) return;
    if (at === 0) at = mp3.info().length;
    await file.write(part, 0, part.length, at);
    at += part.length;
  };
  for await (const block of blocks) await write(mp3.add(block));
  await write(mp3.end());
  const info = mp3.info();
  await file.write(info, 0, info.length, 0);
  return at;
};
