import { AppError } from "../../errors";
import {
  type AigcLabel,
  type ByteSource,
  formatLabel,
  type LabelPieces,
  latin1,
  maxLabelBytes,
  parseLabel,
  sourceOf,
  viewOf,
} from "./content";

interface Chunk {
  id: string;
  bodyAt: number;
  size: number;
}

const chunkId = "AIGC";
const maxChunks = 1000;
const formHeaderBytes = 12;

/** Appends the label as the last top-level chunk, removes existing labels and corrects the sizes. */
export async function labelWav(bytes: Uint8Array, label: AigcLabel): Promise<Uint8Array> {
  const chunks = await listChunks(sourceOf(bytes));
  const kept = chunks.filter(({ id }) => id !== chunkId);
  const isWhole =
    kept.some(({ id }) => id === "data") && kept.every(({ bodyAt, size }) => bodyAt + size <= bytes.length);
  if (!isWhole) throw new AppError("failure", "a WAV without whole chunks cannot be labelled", { status: 500 });
  const parts = kept.map(({ id, bodyAt, size }) => toChunk(id, bytes.subarray(bodyAt, bodyAt + size)));
  parts.push(toChunk(chunkId, Buffer.from(formatLabel(label), "latin1")));
  return toChunk("RIFF", Buffer.concat([Buffer.from("WAVE"), ...parts]));
}

/** The same without reading the whole file. Throws for a WAV that has a label or chunks after its samples. */
export async function wavLabelOf(source: ByteSource, label: AigcLabel): Promise<LabelPieces> {
  const chunks = await listChunks(source);
  const last = chunks.at(-1);
  const isPlain =
    last?.id === "data" && last.bodyAt + last.size === source.size && !chunks.some(({ id }) => id === chunkId);
  if (!isPlain) throw new AppError("failure", "a WAV that is not plain cannot be labelled in a file", { status: 500 });
  const after = toChunk(chunkId, Buffer.from(formatLabel(label), "latin1"));
  const padding = new Uint8Array(source.size % 2);
  const before = Buffer.from(await source.read(0, formHeaderBytes - 1));
  before.writeUInt32LE(source.size - 8 + padding.length + after.length, 4);
  return { before, from: formHeaderBytes, after: Buffer.concat([padding, after]) };
}

/** What streaming writers state for a length that they do not know. */
const unknownSize = 0xffffffff;

/** The header of 16-bit mono samples of unknown number, with the label before them. */
export function wavStreamHead(label: AigcLabel, sampleRate: number): Uint8Array {
  const format = Buffer.alloc(16);
  // PCM, one channel; below, bytes and bits of a sample.
  format.writeUInt32LE(0x0001_0001, 0);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * 2, 8);
  format.writeUInt32LE(0x0010_0002, 12);
  const head = Buffer.concat([
    Buffer.from("RIFF\0\0\0\0WAVE", "latin1"),
    toChunk("fmt ", format),
    toChunk(chunkId, Buffer.from(formatLabel(label), "latin1")),
    Buffer.from("data\0\0\0\0", "latin1"),
  ]);
  head.writeUInt32LE(unknownSize, 4);
  head.writeUInt32LE(unknownSize, head.length - 4);
  return head;
}

export async function readWavLabels(source: ByteSource): Promise<Array<AigcLabel | "damaged">> {
  const chunks = (await listChunks(source)).filter(({ id }) => id === chunkId);
  return Promise.all(
    chunks.map(async ({ bodyAt, size }) => {
      if (size > maxLabelBytes || bodyAt + size > source.size) return "damaged";
      return parseLabel(latin1(await source.read(bodyAt, bodyAt + size - 1)));
    }),
  );
}

async function listChunks(source: ByteSource): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let at = formHeaderBytes;
  while (at + 8 <= source.size && chunks.length < maxChunks) {
    const header = await source.read(at, at + 7);
    const size = viewOf(header).getUint32(4, true);
    chunks.push({ id: latin1(header.subarray(0, 4)), bodyAt: at + 8, size });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

/** Chunks start at even offsets: a zero byte, not counted in its size, follows an odd one. */
function toChunk(id: string, body: Uint8Array): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(id, "latin1"), size, body, Buffer.alloc(body.length % 2)]);
}
