import type { VideoStyle } from "~server/contract/calls/videos";
import { type FilmSize, filmInk, filmShares, filmWhite } from "./film-picture";

export type FilmStyle = VideoStyle;

/** Draws text: outlines of a font in films, the page's own letters in its preview. */
export interface Lettering {
  width(text: string, size: number): number;
  /** `paint`: attributes of SVG. `y` is the height of the base line. */
  draw(text: string, place: { x: number; y: number; size: number; anchor: LetteringAnchor }, paint: string): string;
}
type LetteringAnchor = "start" | "middle" | "end";

/** Milliseconds of the sound. `spoken`: the times at which its words begin, in order. */
export interface CaptionCue {
  start: number;
  end: number;
  text: string;
  spoken?: readonly number[];
}

interface CaptionParts {
  lettering: Lettering;
  cues: readonly CaptionCue[];
  size: FilmSize;
  style: VideoStyle;
}

const sizes = { small: 0.78, medium: 1, large: 1.35 };
const colors = { white: filmWhite, yellow: "#FFD84D", green: "#7BE0A0", ink: filmInk };
const round = (value: number) => Math.round(value * 10) / 10;
const lineHeight = 1.42;

/** Where words are the picture itself, they are large and stand in its middle. */
function layOut({ layout, subtitles }: VideoStyle, { width, height }: FilmSize) {
  const short = Math.min(width, height);
  const isPicture = layout === "words" || layout === "wave";
  const share = layout === "words" ? 0.098 : layout === "wave" ? 0.07 : filmShares.caption;
  const em = Math.round(short * share * sizes[subtitles.size]);
  const lines = layout === "words" ? 4 : layout === "wave" ? 3 : 2;
  return { em, lines, width: width * (isPicture ? 0.8 : 0.88), place: isPicture ? "middle" : subtitles.place };
}

/** Markup of the caption at a time in milliseconds; "" where nothing is said. */
export function createCaptions(parts: CaptionParts): (ms: number) => string {
  const laidOut = layOut(parts.style, parts.size);
  const pages = parts.cues.flatMap((cue) => pagesOf(parts.lettering, cue, laidOut));
  let last: { key: string; markup: string } | undefined;
  return (ms) => {
    const index = pages.findIndex(({ start, end }) => ms >= start && ms < end);
    const page = pages[index];
    if (!page) return "";
    const said = parts.style.subtitles.karaoke ? saidOf(page, ms) : 0;
    const key = `${index} ${said}`;
    if (last?.key !== key) last = { key, markup: drawCaption(page.lines, said, { ...parts, laidOut }) };
    return last.markup;
  };
}

interface CaptionPage extends Required<CaptionCue> {
  lines: string[];
}

/** A cue in lines that fit; what needs more lines is shown one after another, each for its share of the time. */
function pagesOf(lettering: Lettering, cue: CaptionCue, { em, width, lines: most }: ReturnType<typeof layOut>) {
  const lines = wrapText(lettering, cue.text.replace(/\s+/g, " ").trim(), { em, width });
  const all = lines.reduce((sum, line) => sum + line.length, 0);
  const pages: CaptionPage[] = [];
  let done = 0;
  for (let i = 0; i < lines.length; i += most) {
    const shown = lines.slice(i, i + most);
    const timeAt = (characters: number) => cue.start + ((cue.end - cue.start) * characters) / all;
    const start = timeAt(done);
    done += shown.reduce((sum, line) => sum + line.length, 0);
    const end = timeAt(done);
    const spoken = (cue.spoken ?? []).filter((time) => time >= start && time < end);
    pages.push({ start, end, text: cue.text, lines: shown, spoken });
  }
  return pages;
}

/** A line never begins with one of these. */
const closing = /^[，。！？；：、,.!?;:）」』”’…\s]/;
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Breaks between words, into lines of about one length. */
export function wrapText(lettering: Lettering, text: string, { em, width }: { em: number; width: number }): string[] {
  const total = lettering.width(text, em);
  if (total === 0) return [];
  const wanted = total / Math.ceil(total / width);
  const lines: string[] = [];
  let line = "";
  for (const { segment } of segmenter.segment(text)) {
    const grown = lettering.width(line + segment, em);
    // The word goes where it leaves the lines more equal.
    const isFull = grown > width || grown - wanted > wanted - lettering.width(line, em);
    const isLast = lines.length + 1 >= Math.ceil(total / width) && grown <= width;
    if (line !== "" && isFull && !isLast && !closing.test(segment)) {
      lines.push(line.trim());
      line = "";
    }
    line += segment;
  }
  return line.trim() === "" ? lines : [...lines, line.trim()];
}

/** The text in at most so many lines, in smaller letters where it is longer. */
export function fitText(
  lettering: Lettering,
  text: string,
  { em, width, linesMax }: { em: number; width: number; linesMax: number },
): { lines: string[]; em: number } {
  for (let size = em; ; size = Math.floor(size * 0.9)) {
    const lines = wrapText(lettering, text, { em: size, width });
    if (lines.length <= linesMax || size < em / 3) return { lines: lines.slice(0, linesMax), em: size };
  }
}

const speakable = /\p{Script=Han}|[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu;

/** Characters of the page that were said by then: by its words' times, or its share of the time without them. */
function saidOf({ start, end, spoken, lines }: CaptionPage, ms: number): number {
  const text = lines.join("");
  const words = [...text.matchAll(speakable)];
  const begun = spoken.filter((time) => time <= ms).length;
  const share = spoken.length > 0 ? begun / spoken.length : (ms - start) / (end - start);
  const word = words[Math.min(words.length, Math.ceil(share * words.length)) - 1];
  return word ? word.index + word[0].length : 0;
}

interface CaptionDrawing extends CaptionParts {
  laidOut: ReturnType<typeof layOut>;
}

function drawCaption(lines: readonly string[], said: number, { lettering, size, style, laidOut }: CaptionDrawing) {
  const { width, height } = size;
  const { em, place } = laidOut;
  const { color, edge } = style.subtitles;
  const bottom = {
    bottom: height - em * (height > width ? 2.4 : 1.1),
    middle: height / 2 + ((lines.length - 1) * em * lineHeight) / 2 + em * 0.36,
    top: Math.min(width, height) * 0.24 + em * (1 + (lines.length - 1) * lineHeight),
  }[place as VideoStyle["subtitles"]["place"]];
  const widths = lines.map((line) => lettering.width(line, em));
  const [fill, contrast] = [colors[color], color === "ink" ? filmWhite : filmInk];
  const saidFill = color === "yellow" ? "#FF8A3D" : color === "ink" ? "#C8371F" : colors.yellow;
  let before = 0;
  const drawn = lines.map((line, i) => {
    const y = round(bottom - (lines.length - 1 - i) * em * lineHeight);
    const x = round(width / 2 - (widths[i] as number) / 2);
    const done = line.slice(0, Math.max(0, said - before));
    before += line.length;
    const at = { x, y, size: em, anchor: "start" } as const;
    const edges = { thin: em / 5.5, thick: em / 3, plate: 0, none: 0 }[edge];
    const stroke = `fill="none" stroke="${contrast}" stroke-opacity=".82" stroke-width="${round(edges)}" stroke-linejoin="round"`;
    return (
      (edges > 0 ? lettering.draw(line, at, stroke) : "") +
      lettering.draw(line, at, `fill="${fill}"`) +
      (done === "" ? "" : lettering.draw(done, at, `fill="${saidFill}"`))
    );
  });
  return (edge === "plate" ? drawPlate({ width, bottom, em, widths }, contrast) : "") + drawn.join("");
}

interface PlateParts {
  width: number;
  bottom: number;
  em: number;
  widths: readonly number[];
}

function drawPlate({ width, bottom, em, widths }: PlateParts, fill: string): string {
  const plate = { width: Math.max(...widths) + em * 1.1, height: em * (0.55 + widths.length * lineHeight) };
  const [x, y] = [(width - plate.width) / 2, bottom + em * 0.56 - plate.height];
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(plate.width)}" height="${round(plate.height)}" rx="${round(em * 0.32)}" fill="${fill}" fill-opacity=".72"/>`;
}
