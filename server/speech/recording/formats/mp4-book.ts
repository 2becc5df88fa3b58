import { open } from "node:fs/promises";
import { type Chapters, toChapterList } from "./mp4-chapters";
import { addUserData, box, boxesIn, clipText, editMovie, u16, u32, withBoxes } from "./mp4-edit";

/** What the players of audiobooks show. */
export interface BookTags {
  title: string;
  /** "" if it is not known. */
  author: string;
  /** JPEG. */
  cover: Uint8Array | null;
}

const text = (value: string) => Buffer.from(value, "latin1");
const item = (type: string, kind: number, value: Uint8Array) => box(type, box("data", u32(kind, 0), value));
const kinds = { number: 21, text: 1, jpeg: 13 };
/** iTunes' number of an audiobook. */
const audiobook = Buffer.from([2]);

/** Tags as iTunes writes them, which Apple Books reads. */
function toTags({ title, author, cover }: BookTags): Buffer {
  const items = [
    ...[item("©nam", kinds.text, Buffer.from(title)), item("©alb", kinds.text, Buffer.from(title))],
    ...(author ? [item("©ART", kinds.text, Buffer.from(author))] : []),
    item("stik", kinds.number, audiobook),
    ...(cover ? [item("covr", kinds.jpeg, cover)] : []),
  ];
  const handler = box("hdlr", u32(0, 0), text("mdirappl"), Buffer.alloc(9));
  return box("meta", u32(0), handler, box("ilst", ...items));
}

/** Units a second of the track of chapters. */
const timescale = 1000;

interface ChapterTrack {
  chapters: Chapters;
  trackId: number;
  /** Of the whole sound, in the movie's units and in seconds. */
  duration: number;
  seconds: number;
  /** Where the titles begin in the file. */
  titlesAt: number;
}

/** A title as a sample of text: its length, its UTF-8, and a box that names the encoding. */
function toSample(title: string): Buffer {
  const bytes = clipText(title, 1000);
  return Buffer.concat([u16(bytes.length), bytes, box("encd", u32(0x100))]);
}

const matrix = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);

/** How the text would be drawn, from the specification of QuickTime's files; players of chapters pass it over. */
const textEntry = box(
  "text",
  Buffer.alloc(6),
  u16(1),
  // Its flags, alignment and background, its place, and the style of its characters.
  u32(1),
  Buffer.alloc(6 + 8 + 4),
  u16(1),
  Buffer.alloc(6),
  box("ftab", u16(1, 1), Buffer.alloc(1)),
);

/** QuickTime's track of chapters, whose samples are the titles: Apple's players know no other list. */
function toTrack({ chapters, trackId, duration, seconds, titlesAt }: ChapterTrack, samples: readonly Buffer[]): Buffer {
  const starts = [...chapters.map(({ start }) => start), seconds].map((start) => Math.round(start * timescale));
  const lengths = chapters.map((_, i) => Math.max(1, (starts[i + 1] ?? 0) - (starts[i] ?? 0)));
  const table = box(
    "stbl",
    box("stsd", u32(0, 1), textEntry),
    box("stts", u32(0, lengths.length, ...lengths.flatMap((length) => [1, length]))),
    box("stsc", u32(0, 1, 1, samples.length, 1)),
    box("stsz", u32(0, 0, samples.length, ...samples.map(({ length }) => length))),
    box("stco", u32(0, 1, titlesAt)),
  );
  const plain = box("gmin", u32(0), u16(0x40, 0x8000, 0x8000, 0x8000, 0, 0));
  const media = box(
    "mdia",
    box("mdhd", u32(0, 0, 0, timescale, starts.at(-1) ?? 0), u16(0x55c4, 0)),
    box("hdlr", u32(0, 0), text("text"), Buffer.alloc(13)),
    box(
      "minf",
      box("gmhd", plain, box("text", matrix)),
      box("dinf", box("dref", u32(0, 1), box("url ", u32(1)))),
      table,
    ),
  );
  // Disabled: it is not to be played by itself.
  return box("trak", box("tkhd", u32(0, 0, 0, trackId, 0, duration, 0, 0, 0, 0), matrix, u32(0, 0)), media);
}

/** Version 1, of long sounds, has times of eight bytes. */
function parseMovieHeader(mvhd: Buffer) {
  const isLong = mvhd[8] === 1;
  const units = mvhd.readUInt32BE(isLong ? 28 : 20);
  const duration = isLong ? Number(mvhd.readBigUInt64BE(32)) : mvhd.readUInt32BE(24);
  const trackId = mvhd.readUInt32BE(mvhd.length - 4);
  return { duration: Math.min(duration, 0xffffffff), seconds: duration / units, trackId };
}

/** Bytes that `writeBook` needs in the `free` box behind `moov`. */
export function bookBytes(chapters: Chapters, tags: BookTags): number {
  const samples = chapters.map(({ title }) => toSample(title));
  const track = toTrack({ chapters, trackId: 0, duration: 0, seconds: 0, titlesAt: 0 }, samples);
  return track.length + toTags(tags).length + toChapterList(chapters).length + 64;
}

/** Makes an audiobook (M4B) of a finished MP4 with one track of sound. */
export async function writeBook(path: string, chapters: Chapters, tags: BookTags): Promise<void> {
  const samples = chapters.map(({ title }) => toSample(title));
  await editMovie(path, (moov, fileBytes) => {
    const boxes = boxesIn(moov);
    const mvhd = boxes.find(({ type }) => type === "mvhd")?.bytes ?? Buffer.alloc(0);
    const header = parseMovieHeader(mvhd);
    const track = toTrack({ ...header, chapters, titlesAt: fileBytes + 8 }, samples);
    const parts = boxes.flatMap(({ type, bytes }) => {
      if (type === "mvhd") return [Buffer.concat([bytes.subarray(0, -4), u32(header.trackId + 1)])];
      return type === "trak" ? [withBoxes(bytes, box("tref", box("chap", u32(header.trackId)))), track] : [bytes];
    });
    const tagged = addUserData(box("moov", ...parts), toChapterList(chapters), toTags(tags));
    return { moov: tagged, behind: box("mdat", ...samples) };
  });
  const file = await open(path, "r+");
  await file.write("M4B ", 8, "latin1").finally(() => file.close());
}
