import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import type * as opentype from "opentype.js";

const fontPackage = "@fontsource/noto-sans-sc";
const rangesFile = "unicode.json";
const weight = 700;
type Font = opentype.Font;
const load = createRequire(import.meta.url);
/** Loads 1.1 MB of source with the first slice instead of at the start. */
const parseFont = (bytes: ArrayBuffer) => (load("opentype.js") as typeof opentype).parse(bytes);

interface OutlinePlace {
  x: number;
  /** Height of the base line. */
  y: number;
  /** Size of the em box. */
  size: number;
  anchor?: "start" | "middle" | "end";
}

/** Text as path data of Noto Sans SC, which needs no font on the machine: SVG `<text>` would silently draw boxes there. */
export type Outlines = ReturnType<typeof createOutlines>;

/** Reads slices of about 100 characters when a text needs them. */
export function createOutlines(folder = findFontFolder()) {
  const ranges = readRanges(join(folder, rangesFile));
  const opened = new Map<string, Font>();
  const open = (name: string) => {
    const found = opened.get(name);
    if (found) return found;
    const path = [folder, join(folder, "files")]
      .map((place) => join(place, `noto-sans-sc-${name}-${weight}-normal.woff`))
      .find((file) => existsSync(file));
    if (!path) throw new Error(`the font's slice ${name} is missing in ${folder}`);
    const font = parseFont(unpackWoff(readFileSync(path)));
    opened.set(name, font);
    return font;
  };
  const fontOf = (character: string): Font | null => {
    const code = character.codePointAt(0) as number;
    const range = ranges.find(({ spans }) => spans.some(([from, to]) => code >= from && code <= to));
    const font = range && open(range.name);
    return font && font.charToGlyphIndex(character) > 0 ? font : null;
  };
  const advanceOf = (character: string, size: number) => {
    if (character.trim() === "") return size / 3;
    return fontOf(character)?.getAdvanceWidth(character, size) ?? 0;
  };
  const width = (text: string, size: number) =>
    [...text].reduce((sum, character) => sum + advanceOf(character, size), 0);
  return {
    width,
    /** The characters that the font cannot draw, each once. */
    missing: (text: string): string[] =>
      [...new Set(text)].filter((character) => character.trim() !== "" && !fontOf(character)),
    /** Characters without a glyph are left out. */
    outline(text: string, { x, y, size, anchor = "start" }: OutlinePlace): string {
      let at = x - (anchor === "start" ? 0 : width(text, size) / (anchor === "middle" ? 2 : 1));
      const paths: string[] = [];
      for (const character of text) {
        paths.push(toPathData(fontOf(character)?.getPath(character, at, y, size).commands ?? []));
        at += advanceOf(character, size);
      }
      return paths.join("");
    },
  };
}

/** Rounded to tenths. The library's own writer makes NaN of numbers just above an integer (1e-14 as text). */
const toPathData = (commands: readonly opentype.PathCommand[]) =>
  commands
    .map(({ type, ...points }) => {
      const { x1, y1, x2, y2, x, y } = points as Record<string, number | undefined>;
      const numbers = [x1, y1, x2, y2, x, y].flatMap((value) =>
        value === undefined ? [] : [Math.round(value * 10) / 10],
      );
      return type + numbers.join(" ");
    })
    .join("");

/** Beside the server's bundle, else in the development package. */
function findFontFolder(): string {
  const built = ["./fonts", "../fonts"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const folder = built.find((path) => existsSync(join(path, rangesFile)));
  return folder ?? dirname(load.resolve(`${fontPackage}/${rangesFile}`));
}

interface SliceRange {
  name: string;
  spans: Array<[from: number, to: number]>;
}

function readRanges(path: string): SliceRange[] {
  const texts = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
  return Object.entries(texts).map(([name, list]) => ({
    name: name.replace(/[[\]]/g, ""),
    spans: list.split(",").map((span): [number, number] => {
      const [from = 0, to = from] = span
        .replace("U+", "")
        .split("-")
        .map((hex) => Number.parseInt(hex, 16));
      return [from, to];
    }),
  }));
}

const woffHeaderBytes = 44;
const woffEntryBytes = 20;
const sfntHeaderBytes = 12;
const sfntEntryBytes = 16;

/** WOFF 1.0 (W3C) to an OpenType file: the library's own inflater fails at some slices. */
function unpackWoff(woff: Buffer): ArrayBuffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, i) => {
    const entry = woffHeaderBytes + woffEntryBytes * i;
    const [offset, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [number, number, number];
    const bytes = woff.subarray(offset, offset + packed);
    return { tag: entry, checksum: entry + 16, bytes: packed < length ? inflateSync(bytes) : bytes };
  });
  const padded = (length: number) => (length + 3) & ~3;
  const start = sfntHeaderBytes + sfntEntryBytes * count;
  const font = Buffer.alloc(tables.reduce((sum, { bytes }) => sum + padded(bytes.length), start));
  woff.copy(font, 0, 4, 8);
  font.writeUInt16BE(count, 4);
  let at = start;
  tables.forEach(({ tag, checksum, bytes }, i) => {
    const entry = sfntHeaderBytes + sfntEntryBytes * i;
    woff.copy(font, entry, tag, tag + 4);
    woff.copy(font, entry + 4, checksum, checksum + 4);
    font.writeUInt32BE(at, entry + 8);
    font.writeUInt32BE(bytes.length, entry + 12);
    font.set(bytes, at);
    at += padded(bytes.length);
  });
  return font.buffer.slice(font.byteOffset, font.byteOffset + font.length) as ArrayBuffer;
}
