import { useEffect, useId, useState } from "react";
import { filmCopy as copy } from "~/copy/film";
import { paths } from "~/paths";
import type { FilmPerson } from "~/state/dialog-requests";
import { visibleMark } from "~server/contract/audible-mark";
import { plainText } from "~server/contract/marks";
import { createPersonDrawing } from "~server/portrait/drawing";
import { createCaptions, type Lettering } from "~server/portrait/film-captions";
import { drawCover, drawLabel, drawMarks, drawScene, type FilmFigure, figureCrops } from "~server/portrait/film-layers";
import { type FilmSize, filmShares, toneOf } from "~server/portrait/film-picture";
import { parsePortrait } from "~server/portrait/parameters";
import { restPose } from "~server/portrait/pose";
import { changeLook, type FilmLook } from "./films";

/** In pixels of 720p: the picture is the same in 1080p. */
const frames = { "9:16": [720, 1280], "1:1": [720, 720], "16:9": [1280, 720] } as const;
const listenersMax = 4;

interface PreviewedFilm {
  look: FilmLook;
  people: readonly FilmPerson[];
  text: string;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const shareOf = (character: string) => (/[\u2e80-\uffff]/.test(character) ? 1 : character.trim() === "" ? 1 / 3 : 0.6);
const widthOf = (text: string, size: number) =>
  [...text].reduce((sum, character) => sum + shareOf(character) * size, 0);

/** The page's own letters, pressed into the room that the film's would take. */
const lettering: Lettering = {
  width: widthOf,
  draw: (text, { x, y, size, anchor }, paint) =>
    `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" textLength="${widthOf(text, size)}" lengthAdjust="spacingAndGlyphs" font-family="'Noto Sans SC','Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif" font-weight="700" ${paint}>${escaped(text)}</text>`,
};

/** Words of the caption that are seen, at two fifths of their time. */
const shownCharacters = 28;
const shownAtMs = 400;

/** `addressOf`: of a picture's bytes; "" while they are read. */
function drawFrame(
  { look, people, text }: PreviewedFilm,
  addressOf: (path: string) => string,
  isCover: boolean,
): string {
  const { size, background, captions, style } = look;
  const [width, height] = frames[size];
  const frame = { width, height };
  const persons = [...new Map(people.map((person) => [person.roleId, person])).values()];
  const isWhole = background === "auto" && style.layout === "face" && !style.picturePath;
  const ground = background === "auto" ? "paper" : background;
  const isRound = style.layout !== "face";
  const figures = persons.map((person, index): FilmFigure => {
    const photo = person.avatar && addressOf(person.avatar);
    if (photo && isWhole && index === 0) return { markup: toImage(photo, frame), viewBox: "", isWhole };
    if (photo)
      return { markup: toCircle(photo, index), viewBox: isRound || index > 0 ? figureCrops.photo : figureCrops.whole };
    const parameters = parsePortrait(person.portrait);
    const drawn = parameters && createPersonDrawing(parameters, "large")(restPose).replaceAll("pt-", `p${index}-`);
    const disc = `<circle cx="100" cy="100" r="48" fill="${toneOf(ground).line}" fill-opacity=".1"/>`;
    return { markup: drawn ?? disc, viewBox: isRound ? figureCrops[drawn ? "portrait" : "disc"] : figureCrops.whole };
  });
  const words = plainText(text).slice(0, shownCharacters);
  const cues = captions === "burnt" ? [{ start: 0, end: 1000, text: words }] : [];
  const scene = drawScene({
    ...{ size: frame, style, background: ground, page: null },
    speaker: figures[0] ?? null,
    listeners: figures.slice(1, 1 + listenersMax),
    picture: style.picturePath && addressOf(style.picturePath),
    levelAt: (seconds) => Math.abs(Math.sin(seconds * 9) * Math.sin(seconds * 2.3 + 1)),
  });
  const marks = { lettering, size: frame, style };
  const over = isCover
    ? drawCover(marks)
    : drawMarks(marks, style.logoPath && addressOf(style.logoPath)) +
      createCaptions({ lettering, cues, size: frame, style })(shownAtMs);
  return toPicture(frame, scene + over + drawLabel(lettering, visibleMark, { share: filmShares.label, size: frame }));
}

const toImage = (href: string, { width, height }: FilmSize) =>
  `<image href="${href}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice"/>`;
const toCircle = (href: string, index: number) =>
  `<clipPath id="photo-${index}"><circle cx="100" cy="90" r="74"/></clipPath><circle cx="100" cy="90" r="77" fill="#FFFDF8" fill-opacity=".9"/>` +
  `<image clip-path="url(#photo-${index})" href="${href}" x="26" y="16" width="148" height="148" preserveAspectRatio="xMidYMid slice"/>`;

/** A drawing as a picture of its own: its ids meet no others, and it runs nothing. */
const toPicture = ({ width, height }: FilmSize, markup: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${markup}</svg>`)}`;

/** Pictures by path as addresses that carry their bytes, since a drawing loads nothing. */
function useInlined(wanted: readonly string[]): (path: string) => string {
  const [read, setRead] = useState<Record<string, string>>({});
  const key = wanted.filter(Boolean).join(" ");
  useEffect(() => {
    let isCurrent = true;
    for (const path of key.split(" ").filter(Boolean)) {
      const keep = (address: string) => isCurrent && setRead((known) => ({ ...known, [path]: address }));
      fetch(paths.media(path))
        .then(async (answer) => (answer.ok ? toAddress(await answer.blob()) : ""))
        .then(keep, () => keep(""));
    }
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return (path) => read[path] ?? "";
}

const toAddress = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

/** The film while the first person says the first words, by the film's own renderer, and its cover where it has one. */
export function FilmPreview({ look, people, text }: PreviewedFilm) {
  const { size, background, captions, style } = look;
  const [width, height] = frames[size];
  const addressOf = useInlined([style.picturePath, style.logoPath, ...people.map(({ avatar }) => avatar)]);
  const moments = style.cover && style.title ? [true, false] : [false];
  return (
    <div
      aria-label={copy.preview(
        copy.sizes[size],
        copy.layouts[style.layout],
        copy.backgrounds[background],
        copy.captions[captions],
      )}
      className="flex flex-wrap justify-center gap-3"
      role="img"
    >
      {moments.map((isCover) => (
        <img
          alt=""
          className="min-w-0 rounded border border-line"
          key={String(isCover)}
          src={drawFrame({ look, people, text }, addressOf, isCover)}
          style={{
            aspectRatio: width / height,
            width: `min(100%, ${((moments.length > 1 && width >= height ? 170 : 240) * width) / height}px)`,
          }}
        />
      ))}
    </div>
  );
}

/** A small picture of a layout, to choose it by. */
function FilmThumbnail({ look, people }: Omit<PreviewedFilm, "text">) {
  const [width, height] = frames[look.size];
  const addressOf = useInlined([look.style.picturePath, ...people.map(({ avatar }) => avatar)]);
  const src = drawFrame({ look, people, text: copy.sample }, addressOf, false);
  return <img alt="" className="w-full rounded-sm" src={src} style={{ aspectRatio: width / height }} />;
}

/** The layouts as pictures of this very film. */
export function LayoutChoice({
  look,
  people,
  onChange,
}: {
  look: FilmLook;
  people: readonly FilmPerson[];
  onChange(style: Partial<FilmLook["style"]>): void;
}) {
  const name = useId();
  const { style } = look;
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="mb-1.5 p-0 text-sm font-semibold">{copy.fields.layout}</legend>
      <div className="grid grid-cols-4 gap-2">
        {(["face", "corner", "wave", "words"] as const).map((layout) => (
          <label
            className="relative grid cursor-pointer content-between gap-1 rounded border border-line p-1.5 text-center text-xs transition-colors hover:border-edge has-[:checked]:border-seal has-[:checked]:[box-shadow:inset_0_0_0_1px_var(--seal)] has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-seal"
            key={layout}
          >
            <input
              checked={style.layout === layout}
              className="sr-only"
              name={name}
              onChange={() => onChange({ layout })}
              type="radio"
              value={layout}
            />
            <FilmThumbnail
              look={changeLook(look, { captions: "burnt", style: { ...look.style, layout, title: "", logoPath: "" } })}
              people={people.slice(0, 1)}
            />
            {copy.layouts[layout]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
