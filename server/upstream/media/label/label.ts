import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { AppError } from "../../errors";
import { type ContainerFormat, containerLabelOf, readContainerLabels } from "./container";
import { type AigcLabel, type ByteSource, type LabelPieces, latin1, sourceOf } from "./content";
import { labelMp3, mp3LabelOf, readMp3Labels } from "./mp3";
import { labelWav, readWavLabels, wavLabelOf, wavStreamHead } from "./wav";

type LabelledFormat = "wav" | "mp3" | Exclude<ContainerFormat, "m4a" | "m4b">;

/**
 * Writes the implicit AI-content label (GB 45438-2025) into a finished file, the last step before it is stored: WAV as a
 * top-level RIFF chunk `AIGC`, MP3 as an ID3v2 frame `TXXX` with the description `AIGC`; MP4, M4A, M4B, WebM and FLAC in the
 * metadata entry that their muxer left for it. Replaces an existing label. Throws for a file that cannot carry a label.
 */
export async function labelAudio(bytes: Uint8Array, format: string, label: AigcLabel): Promise<Uint8Array> {
  const kind = await requireKind(sourceOf(bytes), format);
  if (kind === "wav") return labelWav(bytes, label);
  if (kind === "mp3") return labelMp3(bytes, label);
  const { before, from } = await containerLabelOf(sourceOf(bytes), kind, label);
  return Buffer.concat([before, bytes.subarray(from)]);
}

/** The same for a file that is too large for memory: its labelled bytes as a stream, and their number. */
export async function labelFile(path: string, format: string, label: AigcLabel) {
  const file = await open(path, "r");
  try {
    const { size: unlabelled } = await file.stat();
    const source = { size: unlabelled, read: (start: number, end: number) => readRange(file, start, end) };
    const { before, from, after } = await labelPiecesOf(source, format, label);
    const size = before.length + unlabelled - from + after.length;
    await requireReadable({ size, before, after, from, file }, label);
    const whole = async function* () {
      yield before;
      yield* createReadStream(path, { start: from });
      yield after;
    };
    return { body: Readable.from(whole(), { objectMode: false }), bytes: size };
  } finally {
    await file.close();
  }
}

/** The labelled first bytes of a sound whose length is not known yet. Throws unless the label can be read back. */
export async function labelStream(format: "mp3" | "wav", label: AigcLabel, sampleRate: number): Promise<Uint8Array> {
  const head =
    format === "wav" ? wavStreamHead(label, sampleRate) : (await mp3LabelOf(sourceOf(new Uint8Array(0)), label)).before;
  const [found, ...others] = await readLabels(head);
  if (found && found !== "damaged" && found.ProduceID === label.ProduceID && others.length === 0) return head;
  throw new AppError("failure", "the AI-content label cannot be read back", { status: 500 });
}

/** The bytes to write before and after a file. */
async function labelPiecesOf(source: ByteSource, format: string, label: AigcLabel): Promise<LabelPieces> {
  const kind = await requireKind(source, format);
  if (kind === "wav") return wavLabelOf(source, label);
  return kind === "mp3" ? mp3LabelOf(source, label) : containerLabelOf(source, kind, label);
}

async function requireKind(source: ByteSource, format: string): Promise<LabelledFormat> {
  const kind = await formatOf(source);
  if (kind !== null && kind === (/^m4[ab]$/.test(format) ? "mp4" : format)) return kind;
  throw new AppError("failure", `${format} that is not ${format} cannot be labelled`, { status: 500 });
}

/** All labels of a sound or film, "damaged" for an unreadable one; empty for other files. */
export async function readLabels(file: Uint8Array | ByteSource): Promise<Array<AigcLabel | "damaged">> {
  const source = file instanceof Uint8Array ? sourceOf(file) : file;
  const format = await formatOf(source);
  if (format === null) return [];
  if (format === "wav") return readWavLabels(source);
  return format === "mp3" ? readMp3Labels(source) : readContainerLabels(source, format);
}

async function formatOf(source: ByteSource): Promise<LabelledFormat | null> {
  const head = await source.read(0, 11);
  const text = latin1(head);
  if (text.startsWith("RIFF") && text.endsWith("WAVE")) return "wav";
  if (text.slice(4).startsWith("ftyp")) return "mp4";
  if (text.startsWith("\x1a\x45\xdf\xa3")) return "webm";
  if (text.startsWith("fLaC")) return "flac";
  const isMpeg = head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0;
  return text.startsWith("ID3") || isMpeg ? "mp3" : null;
}

interface Assembled {
  size: number;
  before: Uint8Array;
  from: number;
  after: Uint8Array;
  file: FileHandle;
}

/** Reads the label back as a later reader will, before the file is stored. Throws unless it is the only one. */
async function requireReadable({ size, before, from, after, file }: Assembled, label: AigcLabel): Promise<void> {
  const tail = size - after.length;
  const read = async (start: number, end: number) => {
    const last = Math.min(end + 1, size);
    const middle = [Math.max(start, before.length), Math.min(last, tail)] as const;
    const shift = from - before.length;
    const parts = [
      before.subarray(start, last),
      middle[1] > middle[0] ? await readRange(file, middle[0] + shift, middle[1] + shift - 1) : new Uint8Array(0),
      last > tail ? after.subarray(Math.max(0, start - tail), last - tail) : new Uint8Array(0),
    ];
    return Buffer.concat(parts);
  };
  const [found, ...others] = await readLabels({ size, read });
  if (found && found !== "damaged" && found.ProduceID === label.ProduceID && others.length === 0) return;
  throw new AppError("failure", "the AI-content label cannot be read back", { status: 500 });
}

async function readRange(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(end - start + 1), 0, end - start + 1, start);
  return bytes.subarray(0, bytesRead);
}
