import { visibleMark } from "~server/contract/audible-mark";
import { createCaptions, type Lettering } from "~server/portrait/film-captions";
import { drawCover, drawLabel, drawMarks } from "~server/portrait/film-layers";
import { filmShares } from "~server/portrait/film-picture";
import { AppError } from "../errors";
import type { Outlines } from "../media/outlines";
import { type FilmRequest, framesPerSecond } from "./film";

/** GB 45438-2025, 5.3: at least 5 % of the shorter side high, for at least 2 s from the start. */
export const filmLabel = {
  text: visibleMark,
  minShare: 0.05,
  openingSeconds: 3,
  openingEm: 0.078,
} as const;

/** Frames that show the cover: a platform takes the first, or one close to it. */
const coverSeconds = 3 / framesPerSecond;

/** Layers over the picture at a time: logo, title, caption, and above them the label, which every frame has. */
export type Overlay = ReturnType<typeof createOverlay>;

type OverlayRequest = Pick<FilmRequest, "cues" | "width" | "height" | "style">;

/** `logo`: the address of a picture. Throws failure where the font cannot draw the label. */
export function createOverlay(outlines: Outlines, { cues, style, ...size }: OverlayRequest, logo: string | null) {
  const missingInLabel = outlines.missing(filmLabel.text);
  if (missingInLabel.length > 0)
    throw new AppError("failure", `the font cannot draw the label: ${missingInLabel.join("")}`);
  const lettering: Lettering = {
    width: outlines.width,
    draw: (text, place, paint) => `<path d="${outlines.outline(text, place)}" ${paint}/>`,
  };
  const captionAt = createCaptions({ lettering, cues, size, style });
  const label = (share: number) => drawLabel(lettering, filmLabel.text, { share, size });
  const [opening, mark] = [label(filmLabel.openingEm), label(filmShares.label)];
  const marks = drawMarks({ lettering, size, style: { ...style } }, logo);
  const cover = drawCover({ lettering, size, style });
  const wordsAt = (seconds: number) => (cover && seconds < coverSeconds ? cover : marks + captionAt(seconds * 1000));
  return {
    opening,
    missing: outlines.missing(style.title + cues.map(({ text }) => text).join("")),
    at: (seconds: number): string => wordsAt(seconds) + (seconds < filmLabel.openingSeconds ? opening : mark),
  };
}
