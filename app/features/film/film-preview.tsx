import { filmCopy as copy } from "~/copy/film";
import type { FilmPerson } from "~/dialog-requests";
import { paths } from "~/paths";
import { visibleMark } from "~server/contract/audible-mark";
import { parseMarks } from "~server/contract/marks";
import { createPersonDrawing } from "~server/portrait/drawing";
import {
  drawBackground,
  type FilmBackground,
  type FilmSize,
  filmInk,
  filmShares,
  filmWhite,
  speakerSquare,
  toneOf,
} from "~server/portrait/film-picture";
import { parsePortrait } from "~server/portrait/parameters";
import { restPose } from "~server/portrait/pose";
import type { FilmRequest } from "./films";

/** In pixels of 720p: the picture is the same in 1080p. */
const frames = { "9:16": [720, 1280], "1:1": [720, 720], "16:9": [1280, 720] } as const;
const listenersMax = 4;

interface FilmPreviewProps extends Pick<FilmRequest, "size" | "background" | "captions"> {
  people: readonly FilmPerson[];
  text: string;
}

/** What the film looks like while the first person says the first words; lengths are shares of the shorter side. */
export function FilmPreview({ people, text, size, background, captions }: FilmPreviewProps) {
  const [width, height] = frames[size];
  const ground = background === "auto" ? "paper" : background;
  const [speaker, ...listeners] = [...new Map(people.map((person) => [person.roleId, person])).values()];
  const photo = speaker?.avatar && paths.media(speaker.avatar);
  const isWide = width > height;
  return (
    <div
      aria-label={copy.preview(copy.sizes[size], copy.backgrounds[background], copy.captions[captions])}
      className="relative mx-auto overflow-hidden rounded border border-line [container-type:size]"
      role="img"
      style={{ aspectRatio: width / height, width: `min(100%, ${(240 * width) / height}px)` }}
    >
      <img alt="" className="absolute inset-0 h-full w-full" src={drawStage({ width, height }, ground, speaker)} />
      {photo && (
        <img
          alt=""
          className={`absolute object-cover ${background === "auto" ? "inset-0 h-full w-full" : "inset-x-0 bottom-[14%] mx-auto aspect-square h-[min(66cqh,90cqw)] rounded-full"}`}
          src={photo}
        />
      )}
      <div className={`absolute flex ${isWide ? "flex-col" : ""}`} style={{ gap: cqmin("gap"), inset: cqmin("gap") }}>
        {listeners.slice(0, listenersMax).map((person) => (
          <img
            alt=""
            className="aspect-square shrink-0 rounded-full object-cover object-bottom"
            key={person.roleId}
            src={person.avatar ? paths.media(person.avatar) : toPicture(200, 200, draw(person, ground))}
            style={{ background: toneOf(ground).plate, width: cqmin("listener") }}
          />
        ))}
      </div>
      {captions === "burnt" && (
        <p
          className="absolute inset-x-[6%] line-clamp-2 text-center font-bold leading-[1.42] [paint-order:stroke]"
          style={{
            ...{ color: filmWhite, WebkitTextStroke: `0.18em ${filmInk}`, fontSize: cqmin("caption") },
            bottom: isWide ? "4cqmin" : "12cqmin",
          }}
        >
          {spokenOf(text)}
        </p>
      )}
      <span
        className="absolute right-[0.5em] top-[0.5em] rounded-[0.3em] px-[0.42em] leading-[1.66] opacity-80"
        style={{ background: filmWhite, color: filmInk, fontSize: cqmin("label") }}
      >
        {visibleMark}
      </span>
    </div>
  );
}

const cqmin = (part: keyof typeof filmShares) => `${100 * filmShares[part]}cqmin`;

const spokenOf = (text: string) =>
  parseMarks(text)
    .map((mark) => (mark.kind === "text" ? mark.text : mark.kind === "reading" ? mark.char : ""))
    .join("");

/** A drawing as a picture of its own, so that its ids meet no others. */
const toPicture = (width: number, height: number, markup: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${markup}</svg>`)}`;

/** Without a face, the disc of a voice without a picture. */
function draw({ portrait }: FilmPerson, ground: FilmBackground): string {
  const parameters = parsePortrait(portrait);
  if (parameters) return createPersonDrawing(parameters, "large")(restPose);
  return `<circle cx="100" cy="100" r="48" fill="${toneOf(ground).line}" fill-opacity=".1"/>`;
}

/** The background with the speaker, unless a photo stands before it. */
function drawStage(frame: FilmSize, ground: FilmBackground, speaker: FilmPerson | undefined): string {
  const { x, y, side } = speakerSquare(frame);
  const person = speaker && !speaker.avatar ? draw(speaker, ground) : "";
  const stage = `${drawBackground(ground, frame)}<svg x="${x}" y="${y}" width="${side}" height="${side}" viewBox="0 0 200 200">${person}</svg>`;
  return toPicture(frame.width, frame.height, stage);
}
