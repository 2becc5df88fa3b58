import { open } from "node:fs/promises";
import type { EncodeRequest } from "./encoder";

type Chapters = EncodeRequest["chapters"];

const box = (type: string, ...content: Buffer[]) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...content]);
};

/** Nero's list of chapters, which players of MP4 read in `moov/udta`: times in units of 100 ns. */
function toChapterList(chapters: Chapters): Buffer {
  const entries = chapters.map(({ start, title }) => {
    const name = Buffer.from(title).subarray(0, 255);
    const entry = Buffer.alloc(9);
    entry.writeBigUInt64BE(BigInt(Math.round(start * 10_000_000)));
    entry.writeUInt8(name.length, 8);
    return Buffer.concat([entry, name]);
  });
  // Version 1, no flags, four reserved bytes, and the count.
  return box("chpl", Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, chapters.length]), ...entries);
}

/** Bytes that `writeChapters` needs in the `free` box behind `moov`. */
export const chapterBytes = (chapters: Chapters): number =>
  chapters.length === 0 ? 0 : toChapterList(chapters).length + 32;

/** Adds the chapters to a finished MP4 whose `moov` stands in front of a `free` box; nothing else moves. */
export async function writeChapters(path: string, chapters: Chapters): Promise<void> {
  if (chapters.length === 0) return;
  const file = await open(path, "r+");
  try {
    const headAt = async (at: number) => {
      const { buffer } = await file.read(Buffer.alloc(8), 0, 8, at);
      return { size: buffer.readUInt32BE(0), type: buffer.toString("latin1", 4) };
    };
    let at = 0;
    let head = await headAt(at);
    while (head.type !== "moov" && head.size >= 8) {
      at += head.size;
      head = await headAt(at);
    }
    const free = await headAt(at + head.size);
    if (head.type !== "moov" || free.type !== "free") throw new Error("no room for chapters");
    const { buffer: moov } = await file.read(Buffer.alloc(head.size), 0, head.size, at);
    const extended = extend(moov, toChapterList(chapters));
    const left = head.size + free.size - extended.length;
    if (left < 8) throw new Error("no room for chapters");
    const rest = Buffer.alloc(8);
    rest.writeUInt32BE(left);
    rest.write("free", 4, "latin1");
    await file.write(Buffer.concat([extended, rest]), 0, extended.length + 8, at);
  } finally {
    await file.close();
  }
}

/** Into the `udta` that ends the box, or into a new one. */
function extend(moov: Buffer, list: Buffer): Buffer {
  let last = 8;
  while (last + moov.readUInt32BE(last) < moov.length) last += moov.readUInt32BE(last);
  const content = moov.subarray(8);
  if (moov.toString("latin1", last + 4, last + 8) !== "udta") return box("moov", content, box("udta", list));
  return box("moov", moov.subarray(8, last), box("udta", moov.subarray(last + 8), list));
}
