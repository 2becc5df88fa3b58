import { addUserData, box, clipText, editMovie, u32 } from "./mp4-edit";

/** By ascending `start`, in seconds. */
export type Chapters = ReadonlyArray<{ start: number; title: string }>;

/** Its count and the lengths of its titles are bytes. */
const listMax = 255;

/** Nero's list of chapters, which players of MP4 read in `moov/udta`: times in units of 100 ns. */
export function toChapterList(chapters: Chapters): Buffer {
  const listed = chapters.slice(0, listMax);
  const entries = listed.map(({ start, title }) => {
    const name = clipText(title, 255);
    const entry = Buffer.alloc(9);
    entry.writeBigUInt64BE(BigInt(Math.round(start * 10_000_000)));
    entry.writeUInt8(name.length, 8);
    return Buffer.concat([entry, name]);
  });
  // Version 1, no flags, four reserved bytes, and the count.
  return box("chpl", u32(0x0100_0000, 0), Buffer.from([listed.length]), ...entries);
}

/** Bytes that `writeChapters` needs in the `free` box behind `moov`. */
export const chapterBytes = (chapters: Chapters): number =>
  chapters.length === 0 ? 0 : toChapterList(chapters).length + 32;

/** Adds the chapters to a finished MP4. */
export async function writeChapters(path: string, chapters: Chapters): Promise<void> {
  if (chapters.length === 0) return;
  await editMovie(path, (moov) => ({ moov: addUserData(moov, toChapterList(chapters)) }));
}
