import type { VideoStyle } from "~server/contract/calls/videos";
import { fitText, type Lettering } from "./film-captions";
import {
  drawBackground,
  type FilmBackground,
  type FilmSize,
  filmInk,
  filmShares,
  filmWhite,
  speakerSquare,
  toneOf,
} from "./film-picture";

type FilmCorner = VideoStyle["logoAt"];
const round = (value: number) => Math.round(value * 10) / 10;
const shortOf = ({ width, height }: FilmSize) => Math.min(width, height);

/** A picture that fills the frame, or a page that is seen whole. */
export const drawPicture = (
  href: string,
  { x = 0, y = 0, width, height }: FilmSize & { x?: number; y?: number },
  fit: "slice" | "meet",
) =>
  `<image href="${href}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" preserveAspectRatio="xMidYMid ${fit}"/>`;

/** The part of the frame that pages use: above the captions unless the frame is wide, as pages are. */
export function pageBox({ width, height }: FilmSize) {
  if (width > height) return { x: 0, y: 0, width, height };
  return height > width
    ? { x: 0, y: height * 0.14, width, height: height * 0.54 }
    : { x: 0, y: height * 0.1, width, height: height * 0.64 };
}

/** A drawn person or a photo: its markup and crop. `isWhole`: it fills the frame. */
export interface FilmFigure {
  markup: string;
  viewBox: string;
  isWhole?: boolean;
}

/** The part of a square drawing that is seen; but for `whole`, where a face is seen alone, in a circle. */
export const figureCrops = {
  whole: "0 0 200 200",
  portrait: "22 4 156 156",
  photo: "26 16 148 148",
  disc: "30 30 140 140",
};

interface FilmScene {
  size: FilmSize;
  style: VideoStyle;
  background: FilmBackground;
  /** The speaker; null hides the face. */
  speaker: FilmFigure | null;
  listeners: readonly FilmFigure[];
  /** Addresses of pictures: behind everything, and the page. */
  picture: string | null;
  page: string | null;
  /** Loudness from 0 to 1, `seconds` from now. */
  levelAt(seconds: number): number;
}

/** Everything under the words, at one moment: the same for the film and for its preview. */
export function drawScene(scene: FilmScene): string {
  const { size, style, background, picture, page, speaker } = scene;
  const ground = picture ? drawPicture(picture, size, "slice") : drawBackground(background, size);
  if (style.layout === "wave") return ground + veil(scene) + drawWave(scene);
  if (style.layout === "words") return ground + veil(scene);
  if (style.layout === "face") return drawPeople(scene, ground);
  const paged = style.layout === "slides" && page ? ground + drawPage(page, size) : ground;
  return paged + (speaker && style.faceAt !== "none" ? drawCornerFace(speaker, style.faceAt, scene) : "");
}

/** Words stand out from a picture that is a little darker. */
const veil = ({ picture, size }: FilmScene) =>
  picture ? `<rect width="${size.width}" height="${size.height}" fill="#101216" fill-opacity=".45"/>` : "";

function drawPage(href: string, size: FilmSize): string {
  const box = pageBox(size);
  return drawPicture(href, box, "meet");
}

function drawPeople({ size, speaker, listeners, background, picture }: FilmScene, ground: string): string {
  const { x, y, side } = speakerSquare(size);
  const front =
    speaker?.isWhole && !picture ? speaker.markup : `${ground}${speaker ? nest(speaker, { x, y, side }) : ""}`;
  return front + listeners.map((listener, index) => drawListener(listener, { index, size, background })).join("");
}

const nest = ({ markup, viewBox }: FilmFigure, { x, y, side }: { x: number; y: number; side: number }) =>
  `<svg x="${round(x)}" y="${round(y)}" width="${round(side)}" height="${round(side)}" viewBox="${viewBox}">${markup}</svg>`;

interface RoundPlace {
  id: string;
  x: number;
  y: number;
  side: number;
  background: FilmBackground;
}

function drawRound(figure: FilmFigure, { id, x, y, side, background }: RoundPlace): string {
  const { plate, line } = toneOf(background);
  const circle = `cx="${round(x + side / 2)}" cy="${round(y + side / 2)}" r="${round(side / 2)}"`;
  return (
    `<clipPath id="${id}"><circle ${circle}/></clipPath><circle ${circle} fill="${plate}"/>` +
    `<g clip-path="url(#${id})">${nest(figure, { x, y, side })}</g>` +
    `<circle ${circle} fill="none" stroke="${line}" stroke-opacity=".35" stroke-width="${round(side / 50)}"/>`
  );
}

function drawListener(
  listener: FilmFigure,
  { index, size, background }: { index: number; size: FilmSize; background: FilmBackground },
) {
  const side = Math.round(shortOf(size) * filmShares.listener);
  const gap = Math.round(shortOf(size) * filmShares.gap);
  const isWide = size.width > size.height;
  const [x, y] = isWide ? [gap, gap + index * (side + gap)] : [gap + index * (side + gap), gap];
  return drawRound(listener, { id: `listener-${index}`, x, y, side, background });
}

/** Room under a corner for captions, in shares of the shorter side. */
function cornerBox(corner: FilmCorner, size: FilmSize, { width, height }: FilmSize) {
  const margin = shortOf(size) * 0.045;
  const isUpright = size.height > size.width;
  const below = isUpright ? size.height * 0.19 : shortOf(size) * 0.245;
  const x = corner === "bottom-right" ? size.width - margin - width : margin;
  return { x, y: corner === "top-left" ? margin : size.height - below - height };
}

function drawCornerFace(speaker: FilmFigure, corner: FilmCorner, { size, background }: FilmScene): string {
  const side = Math.round(shortOf(size) * (size.height > size.width ? 0.36 : 0.28));
  const place = cornerBox(corner, size, { width: side, height: side });
  return drawRound(speaker, { id: "corner", ...place, side, background });
}

const bars = 44;
/** Seconds that the waveform shows. */
const shownSeconds = 2.2;

/** Bars of what is being said, in the lower third; what was said already is stronger. */
function drawWave({ size, background, picture, levelAt }: FilmScene): string {
  const { width, height } = size;
  const color = picture ? filmWhite : toneOf(background).line;
  const [step, middle, tallest] = [(width * 0.8) / bars, height * 0.76, shortOf(size) * 0.13];
  const drawn = Array.from({ length: bars }, (_, i) => {
    const level = levelAt(((i + 0.5) / bars - 0.5) * shownSeconds);
    const half = tallest * (0.05 + 0.95 * level) * Math.sin((Math.PI * (i + 1)) / (bars + 1)) ** 0.4;
    const x = round(width * 0.1 + (i + 0.5) * step);
    return `<path d="M${x} ${round(middle - half)}V${round(middle + half)}" stroke-opacity="${i < bars / 2 ? 0.85 : 0.32}"/>`;
  });
  return `<g stroke="${color}" stroke-width="${round(step * 0.5)}" stroke-linecap="round">${drawn.join("")}</g>`;
}

interface MarkParts {
  lettering: Lettering;
  size: FilmSize;
  style: VideoStyle;
}

/** The logo and the title, over the picture throughout. */
export function drawMarks({ lettering, size, style }: MarkParts, logo: string | null): string {
  const box = { width: shortOf(size) * 0.26, height: shortOf(size) * 0.11 };
  const align = style.logoAt === "bottom-right" ? "xMaxYMid" : "xMinYMid";
  const place = cornerBox(style.logoAt, size, box);
  const drawn = logo && drawPicture(logo, { ...place, ...box }, "meet").replace("xMidYMid", align);
  return (drawn ?? "") + (style.title ? drawTitle({ lettering, size, style }) : "");
}

/** Under the label's row, on a plate of its own. */
function drawTitle({ lettering, size, style }: MarkParts): string {
  const wanted = Math.round(shortOf(size) * 0.058);
  const { lines, em } = fitText(lettering, style.title, { em: wanted, width: size.width * 0.8, linesMax: 2 });
  if (lines.length === 0) return "";
  const top = shortOf(size) * 0.165;
  const wide = Math.max(...lines.map((line) => lettering.width(line, em)));
  const plate = `x="${round(size.width / 2 - wide / 2 - em * 0.6)}" y="${round(top)}" width="${round(wide + em * 1.2)}" height="${round(em * (0.5 + 1.3 * lines.length))}" rx="${round(em * 0.3)}"`;
  const drawn = lines.map((line, i) =>
    lettering.draw(
      line,
      { x: size.width / 2, y: round(top + em * (1.2 + 1.3 * i)), size: em, anchor: "middle" },
      `fill="${filmInk}"`,
    ),
  );
  return `<rect ${plate} fill="${filmWhite}" fill-opacity=".86"/>${drawn.join("")}`;
}

/** The title in large letters, for the frame that platforms show before a film is played. */
export function drawCover({ lettering, size, style }: MarkParts): string {
  if (!style.cover || style.title === "") return "";
  const wanted = Math.round(shortOf(size) * 0.125);
  const { lines, em } = fitText(lettering, style.title, { em: wanted, width: size.width * 0.84, linesMax: 4 });
  const first = size.height * (size.height > size.width ? 0.3 : 0.42) - ((lines.length - 1) * em * 1.28) / 2;
  const drawn = lines.map((line, i) => {
    const at = { x: size.width / 2, y: round(first + i * em * 1.28), size: em, anchor: "middle" } as const;
    const edge = `fill="none" stroke="${filmInk}" stroke-width="${round(em / 4.5)}" stroke-linejoin="round"`;
    return lettering.draw(line, at, edge) + lettering.draw(line, at, `fill="#FFD84D"`);
  });
  return drawn.join("");
}

/** The AI-content label in the upper right corner, on a plate: readable on every background. `share`: of the shorter side. */
export function drawLabel(
  lettering: Lettering,
  text: string,
  { share, size }: { share: number; size: FilmSize },
): string {
  const em = Math.ceil(shortOf(size) * share);
  const [margin, padding] = [0.5 * em, 0.42 * em];
  const textWidth = lettering.width(text, em);
  const [right, top] = [size.width - margin, margin];
  const plate = `x="${round(right - textWidth - 2 * padding)}" y="${round(top)}" width="${round(textWidth + 2 * padding)}" height="${round(1.66 * em)}" rx="${round(0.3 * em)}"`;
  const letters = { x: right - padding, y: top + 1.22 * em, size: em, anchor: "end" } as const;
  return `<rect ${plate} fill="${filmWhite}" fill-opacity=".82"/>${lettering.draw(text, letters, `fill="${filmInk}"`)}`;
}
