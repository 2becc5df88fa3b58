import { type FileHandle, open } from "node:fs/promises";
import { appendExplicitMark, markTones } from "./explicit-mark";
import { blockSamples, createMp3Writer, encodeMp3 } from "./formats/mp3-encoder";
import { encodeWav, wavHeader } from "./formats/wav";

/** Encodes samples, with the explicit mark appended on request. */
export async function encode({ pcm, sampleRate, format, explicitMark, isPart }: EncodeRequest): Promise<Uint8Array> {
  const marked = explicitMark ? appendExplicitMark(pcm, sampleRate) : pcm;
  if (isPart && format === "wav") return new Uint8Array(marked.buffer, marked.byteOffset, marked.byteLength).slice();
  if (isPart) return encodeMp3(marked, sampleRate, { hasInfo: false });
  return format === "wav" ? encodeWav(marked, sampleRate) : encodeMp3(marked, sampleRate);
}

export interface EncodeRequest {
  pcm: Int16Array;
  sampleRate: number;
  format: "mp3" | "wav";
  /** Appends the audible mark of generated speech. */
  explicitMark?: boolean;
  /** Without a header, to follow others in one stream. */
  isPart?: boolean;
}

/** A file of raw samples: 16-bit mono little-endian. */
export interface SampleFile {
  path: string;
  samples: number;
  sampleRate: number;
}

export interface EncodeFileRequest {
  source: SampleFile;
  format: "mp3" | "wav";
  /** Appends the audible mark of generated speech. */
  explicitMark: boolean;
  /** Path of the new file; must not exist. */
  to: string;
}

/** Encodes from file to file in constant memory; returns the bytes written. */
export async function encodeFile({ source, format, explicitMark, to }: EncodeFileRequest): Promise<number> {
  const mark = explicitMark ? markTones(source.sampleRate) : new Int16Array(0);
  const from = await open(source.path, "r");
  try {
    const output = await open(to, "wx");
    try {
      return await (format === "wav" ? writeWav : writeMp3)(output, blocksOf(from, source, mark), {
        ...source,
        samples: source.samples + mark.length,
      });
    } finally {
      await output.close();
    }
  } finally {
    await from.close();
  }
}

async function* blocksOf(file: FileHandle, { samples }: SampleFile, mark: Int16Array): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples; ) {
    const block = new Int16Array(Math.min(blockSamples, samples - at));
    await readFully(file, new Uint8Array(block.buffer), at * Int16Array.BYTES_PER_ELEMENT);
    yield block;
    at += block.length;
  }
  if (mark.length > 0) yield mark;
}

async function readFully(file: FileHandle, output: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < output.length; ) {
    const { bytesRead } = await file.read(output, done, output.length - done, from + done);
    if (bytesRead === 0) throw new Error("The sample file is shorter than declared");
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

/** The info frame in front holds the length, so it is written last. */
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
