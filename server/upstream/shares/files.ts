import { visibleMark } from "~server/contract/audible-mark";
import { AppError } from "../errors";
import type { MediaFile, MediaFiles } from "../media/files";
import type { Outlines } from "../media/outlines";
import type { Shares } from "./shares";
import type { SharedWork } from "./works";

interface ShareFileParts {
  shares: Pick<Shares, "find">;
  files: Pick<MediaFiles, "find">;
  /** Bytes of a file; both ends inclusive. */
  readRange(file: MediaFile, start: number, end: number): Promise<Uint8Array>;
  createOutlines(): Outlines;
  /** SVG in a box of 200 × 200; null for parameters that it does not know. */
  drawPortrait(parameters: unknown): string | null;
  siteName: string;
}

export type ShareFiles = ReturnType<typeof createShareFiles>;

const keptCards = 64;

/** Files of a shared page: its sound and its preview picture. */
export function createShareFiles(parts: ShareFileParts) {
  const { shares, files } = parts;
  const cards = new Map<string, Promise<Uint8Array>>();
  let outlines: Outlines | undefined;

  const fileOf = async (shareId: string, format: string) => {
    const { fileIds, owner } = await shares.find(shareId);
    const id = fileIds.get(format);
    const file = id ? await files.find(id, owner) : null;
    if (!file) throw new AppError("not-found", "no such file", { status: 404 });
    return file;
  };

  const draw = async (shareId: string) => {
    const work = await shares.find(shareId);
    outlines ??= parts.createOutlines();
    const wav = await fileOf(shareId, "wav").catch(() => null);
    const peaks = wav ? await readPeaks(wav.bytes, (start, end) => parts.readRange(wav, start, end)) : [];
    const portrait = work.portrait && parts.drawPortrait(work.portrait);
    const svg = drawCard(work, { outlines, portrait, siteName: parts.siteName, peaks });
    // Loaded with the first card: libvips takes 25 MB that an idle server does not need.
    const { default: sharp } = await import("sharp");
    const picture = sharp(Buffer.from(svg)).resize(cardWidth, cardHeight);
    return new Uint8Array(await picture.png({ palette: true, quality: 90 }).toBuffer());
  };

  return {
    /** The marked MP3, the film or the timeline, only while the page is public. Throws not-found. */
    async findPart(shareId: string, part: "sound" | "timeline" | "film"): Promise<MediaFile> {
      if (part !== "film") return fileOf(shareId, part === "sound" ? "mp3" : "json");
      return fileOf(shareId, (await shares.find(shareId)).filmFormat ?? "none");
    },
    /** A PNG of 1200 × 630, only while the page is public. Throws not-found. */
    async card(shareId: string): Promise<Uint8Array> {
      await shares.find(shareId);
      const drawn = cards.get(shareId) ?? draw(shareId);
      cards.delete(shareId);
      cards.set(shareId, drawn);
      drawn.catch(() => cards.delete(shareId));
      for (const oldest of cards.keys()) {
        if (cards.size <= keptCards) break;
        cards.delete(oldest);
      }
      return drawn;
    },
  };
}

const cardWidth = 1200;
const cardHeight = 630;

const ink = "#16181D";
const muted = "#62666D";
const seal = "#C8371F";
const margin = 72;
const pictureSide = 400;
const textLeft = margin + pictureSide + 64;
const textWidth = cardWidth - textLeft - margin;
const wordSize = 46;
const wordLines = 4;
const barCount = 60;

interface CardParts {
  outlines: Outlines;
  /** SVG of a portrait in a box of 200 × 200; null draws the seal. */
  portrait: string | null;
  siteName: string;
  /** 0–1 each, from the sound's beginning to its end. */
  peaks: number[];
}

/** The preview picture that messengers show of a shared page: portrait, words and waveform, text as outlines. */
function drawCard(
  work: Pick<SharedWork, "title" | "lines">,
  { outlines, portrait, siteName, peaks }: CardParts,
): string {
  const words = work.title || work.lines.map(({ content }) => content).join("");
  const lines = breakLines(words.replace(/\s+/g, " "), outlines);
  const name = work.lines.find((line) => line.name !== "")?.name ?? "";
  const pathOf = (text: string, { x, y, size, fill }: { x: number; y: number; size: number; fill: string }) =>
    `<path d="${outlines.outline(text, { x, y, size })}" fill="${fill}"/>`;
  const badgeWidth = outlines.width(visibleMark, 26) + 44;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${cardWidth}" height="${cardHeight}" viewBox="0 0 ${cardWidth} ${cardHeight}">
<rect width="${cardWidth}" height="${cardHeight}" fill="#FAF8F4"/>
<clipPath id="c"><rect x="${margin}" y="115" width="${pictureSide}" height="${pictureSide}" rx="28"/></clipPath>
<g clip-path="url(#c)">${portrait === null ? sealOf() : `<svg x="${margin}" y="115" width="${pictureSide}" height="${pictureSide}" viewBox="0 0 200 200">${portrait}</svg>`}</g>
${name && pathOf(name, { x: textLeft, y: 150, size: 30, fill: muted })}
${lines.map((line, i) => pathOf(line, { x: textLeft, y: 222 + i * 68, size: wordSize, fill: ink })).join("\n")}
${barsOf(peaks)}
<rect x="${cardWidth - margin - badgeWidth}" y="44" width="${badgeWidth}" height="46" rx="23" fill="#F3EFE7" stroke="#E6E1D8"/>
${pathOf(visibleMark, { x: cardWidth - margin - badgeWidth + 22, y: 77, size: 26, fill: muted })}
${pathOf(siteName, { x: margin, y: 590, size: 30, fill: seal })}
</svg>`;
}

const sealOf = () =>
  `<rect x="${margin}" y="115" width="${pictureSide}" height="${pictureSide}" fill="#F3EFE7"/><rect x="${margin + 110}" y="225" width="180" height="180" rx="34" fill="${seal}"/><path d="M224 306v18m24-36v54m24-78v102m24-72v48m24-27v9" stroke="#fff" stroke-width="12" stroke-linecap="round"/>`;

/** At most `wordLines` lines; the last one ends with an ellipsis where words are left. */
function breakLines(text: string, outlines: Outlines): string[] {
  const lines = [""];
  for (const character of text) {
    const line = lines.at(-1) ?? "";
    const isFull = outlines.width(line + character, wordSize) > textWidth;
    // A line does not start with a closing mark.
    if (!isFull || /[，。！？、；：”’）》」]/.test(character)) lines[lines.length - 1] = line + character;
    else lines.push(character.trimStart());
  }
  if (lines.length <= wordLines) return lines;
  const kept = lines.slice(0, wordLines);
  kept[wordLines - 1] = `${[...(kept[wordLines - 1] ?? "")].slice(0, -1).join("")}…`;
  return kept;
}

function barsOf(peaks: number[]): string {
  const step = textWidth / barCount;
  return Array.from({ length: barCount }, (_, i) => {
    const height = 6 + 62 * (peaks[Math.floor((i * peaks.length) / barCount)] ?? 0);
    const x = (textLeft + i * step).toFixed(1);
    const fill = i % 12 === 11 ? seal : ink;
    return `<rect x="${x}" y="${(508 - height / 2).toFixed(1)}" width="${(step * 0.45).toFixed(1)}" height="${height.toFixed(1)}" rx="3" fill="${fill}"/>`;
  }).join("");
}

const headerBytes = 4096;

/** Loudness along a 16-bit mono WAV, 0–1, from short pieces: a long sound is not read whole. */
async function readPeaks(size: number, read: (start: number, end: number) => Promise<Uint8Array>): Promise<number[]> {
  const head = Buffer.from(await read(0, Math.min(size, headerBytes) - 1));
  const data = head.indexOf("data");
  if (data < 0 || head.length < data + 8) return [];
  const first = data + 8;
  const bytes = Math.min(head.readUInt32LE(data + 4), size - first);
  const length = Math.min(2048, Math.floor(bytes / barCount) & ~1);
  if (length < 2) return [];
  const levels: number[] = [];
  for (let i = 0; i < barCount; i++) {
    const start = first + (Math.floor((i * bytes) / barCount) & ~1);
    const piece = Buffer.from(await read(start, start + length - 1));
    let sum = 0;
    for (let at = 0; at + 1 < piece.length; at += 2) sum += piece.readInt16LE(at) ** 2;
    levels.push(Math.sqrt(sum / Math.max(1, piece.length / 2)));
  }
  const loudest = Math.max(...levels, 1);
  return levels.map((level) => level / loudest);
}
