import { visibleMark } from "~server/contract/audible-mark";
import { type FilmSize, filmShares, filmInk as ink, filmWhite as white } from "~server/portrait/film-picture";
import { AppError } from "../errors";
import type { Outlines } from "../media/outlines";
import type { FilmCue } from "./film";

/** GB 45438-2025, 5.3: at least 5 % of the shorter side high, for at least 2 s from the start. */
export const filmLabel = {
  text: visibleMark,
  minShare: 0.05,
  openingSeconds: 3,
  openingEm: 0.078,
} as const;

const captionWidth = 0.88;
const captionLines = 2;
const round = (value: number) => Math.round(value * 10) / 10;

/** Layers over the picture at a time: the label, which every frame has, and the caption. */
export interface Overlay {
  at(seconds: number): string;
  opening: string;
  missing: string[];
}

export function createOverlay(outlines: Outlines, cues: readonly FilmCue[], size: FilmSize): Overlay {
  const missingInLabel = outlines.missing(filmLabel.text);
  if (missingInLabel.length > 0)
    throw new AppError("failure", `the font cannot draw the label: ${missingInLabel.join("")}`);
  const pages = cues.flatMap((cue) => pagesOf(outlines, cue, size));
  const [opening, mark] = [filmLabel.openingEm, filmShares.label].map((em) => drawLabel(outlines, em, size)) as [
    string,
    string,
  ];
  const drawn = new Map<number, string>();
  const captionAt = (ms: number) => {
    const index = pages.findIndex(({ start, end }) => ms >= start && ms < end);
    const page = pages[index];
    if (!page) return "";
    const known = drawn.get(index) ?? drawCaption(outlines, page.lines, size);
    drawn.set(index, known);
    return known;
  };
  return {
    opening,
    missing: outlines.missing(cues.map(({ text }) => text).join("")),
    at: (seconds) => captionAt(seconds * 1000) + (seconds < filmLabel.openingSeconds ? opening : mark),
  };
}

/** In the upper right corner, on a plate: readable on every background. */
function drawLabel(outlines: Outlines, share: number, { width, height }: FilmSize): string {
  const em = Math.ceil(Math.min(width, height) * share);
  const [margin, padding] = [0.5 * em, 0.42 * em];
  const textWidth = outlines.width(filmLabel.text, em);
  const [right, top] = [width - margin, margin];
  const path = outlines.outline(filmLabel.text, { x: right - padding, y: top + 1.22 * em, size: em, anchor: "end" });
  const plate = `x="${round(right - textWidth - 2 * padding)}" y="${round(top)}" width="${round(textWidth + 2 * padding)}" height="${round(1.66 * em)}" rx="${round(0.3 * em)}"`;
  return `<rect ${plate} fill="${white}" fill-opacity=".82"/><path d="${path}" fill="${ink}"/>`;
}

interface Page extends FilmCue {
  lines: string[];
}

/** A cue in lines that fit; what needs more than two lines is shown one after another, each for its share of the time. */
function pagesOf(outlines: Outlines, cue: FilmCue, size: FilmSize): Page[] {
  const em = Math.min(size.width, size.height) * filmShares.caption;
  const lines = wrap(outlines, cue.text.replace(/\s+/g, " ").trim(), { em, width: size.width * captionWidth });
  const all = lines.reduce((sum, line) => sum + line.length, 0);
  const pages: Page[] = [];
  let done = 0;
  for (let i = 0; i < lines.length; i += captionLines) {
    const shown = lines.slice(i, i + captionLines);
    const timeAt = (characters: number) => cue.start + ((cue.end - cue.start) * characters) / all;
    const start = timeAt(done);
    done += shown.reduce((sum, line) => sum + line.length, 0);
    pages.push({ start, end: timeAt(done), text: cue.text, lines: shown });
  }
  return pages;
}

/** A line never begins with one of these. */
const closing = /^[，。！？；：、,.!?;:）」』”’…\s]/;
const words = new Intl.Segmenter("zh", { granularity: "word" });

/** Breaks between words, into lines of about one length. */
function wrap(outlines: Outlines, text: string, { em, width }: { em: number; width: number }): string[] {
  const total = outlines.width(text, em);
  if (total === 0) return [];
  const wanted = total / Math.ceil(total / width);
  const lines: string[] = [];
  let line = "";
  for (const { segment } of words.segment(text)) {
    const grown = outlines.width(line + segment, em);
    // The word goes where it leaves the lines more equal.
    const isFull = grown > width || grown - wanted > wanted - outlines.width(line, em);
    const isLast = lines.length + 1 >= Math.ceil(total / width) && grown <= width;
    if (line !== "" && isFull && !isLast && !closing.test(segment)) {
      lines.push(line.trim());
      line = "";
    }
    line += segment;
  }
  return line.trim() === "" ? lines : [...lines, line.trim()];
}

function drawCaption(outlines: Outlines, lines: readonly string[], { width, height }: FilmSize): string {
  const em = Math.round(Math.min(width, height) * filmShares.caption);
  const bottom = height - em * (height > width ? 2.4 : 1.1);
  const paths = lines.map((line, i) => {
    const y = bottom - (lines.length - 1 - i) * em * 1.42;
    return outlines.outline(line, { x: width / 2, y, size: em, anchor: "middle" });
  });
  const path = paths.join("");
  return `<path d="${path}" fill="none" stroke="${ink}" stroke-opacity=".82" stroke-width="${round(em / 5.5)}" stroke-linejoin="round"/><path d="${path}" fill="${white}"/>`;
}
