import { readFile } from "node:fs/promises";
import { createPersonDrawing } from "~server/portrait/drawing";
import type { FilmStyle } from "~server/portrait/film-captions";
import { drawScene, type FilmFigure, figureCrops } from "~server/portrait/film-layers";
import { toneOf } from "~server/portrait/film-picture";
import { createIdleMotion, createMotion, type Motion } from "~server/portrait/motion";
import { type PortraitParameters, parsePortrait } from "~server/portrait/parameters";
import { mixPoses } from "~server/portrait/pose";
import type { Timeline } from "../../speech/engine";
import type { FilmPerson, FilmRequest, FilmTurn } from "./film";
import { createPhotoPerformer } from "./photo";
import type { FilmPictures } from "./pictures";
import type { Loudness } from "./sound";

/** Draws everything but captions and label. */
export type FilmStage = Awaited<ReturnType<typeof createStage>>;

interface StageParts {
  request: Pick<FilmRequest, "people" | "turns" | "seed" | "background" | "style" | "width" | "height">;
  pictures: FilmPictures;
  timeline: Timeline;
  loudness: Loudness;
}

/** `listener`: small, and silent. */
type FigureRole = FilmStyle["layout"] | "listener";

export interface Performer {
  figure(seconds: number, role: FigureRole): FilmFigure;
}

/** Draws the layout of the style: who speaks, who listens, and the own pictures. */
export async function createStage({ request, timeline, loudness, pictures }: StageParts) {
  const { turns, style, width, height } = request;
  const performers = await Promise.all(
    request.people.map((person, index) => createPerformer(person, { index, request, pictures, timeline, loudness })),
  );
  const speakerAt = (seconds: number) => {
    const started = turns.filter(({ start }) => start <= seconds * 1000 + leadMs);
    return (started.at(-1) ?? turns[0])?.person ?? 0;
  };
  const { layout } = style;
  const isFaceless = layout === "wave" || layout === "words" || (layout !== "face" && style.faceAt === "none");
  return {
    /** Inner markup of the whole frame's SVG. */
    at(seconds: number): string {
      const speaker = speakerAt(seconds);
      const others = layout === "face" ? performers.filter((_, index) => index !== speaker) : [];
      return drawScene({
        ...{ size: { width, height }, style, background: groundOf(request) },
        speaker: isFaceless ? null : (performers[speaker]?.figure(seconds, layout) ?? null),
        listeners: others.slice(0, listenersMax).map((listener) => listener.figure(seconds, "listener")),
        picture: pictures.pictureAt(seconds),
        page: pictures.pageAt(seconds),
        levelAt: (later) => loudness.levels[Math.round((seconds + later) * loudness.perSecond)] ?? 0,
      });
    },
  };
}

const groundOf = ({ background }: StageParts["request"]) => (background === "auto" ? "paper" : background);

/** A person comes on stage shortly before speaking. */
const leadMs = 150;
const listenersMax = 4;

const round = (value: number) => Math.round(value * 10) / 10;

interface PerformerParts extends StageParts {
  index: number;
}

async function createPerformer({ portrait, photoPath }: FilmPerson, parts: PerformerParts): Promise<Performer> {
  const poseAt = createPosing(parts);
  if (photoPath) {
    const { background, width, height, style } = parts.request;
    const isWhole = background === "auto" && style.layout === "face" && !style.picturePath;
    const performer = await createPhotoPerformer(await readFile(photoPath), portrait, {
      poseAt,
      fills: isWhole ? { width, height } : null,
    });
    return { figure: (seconds, role) => toPhotoFigure(performer, seconds, role) };
  }
  const parameters = parsePortrait(portrait);
  return parameters ? createActor(parameters, poseAt, parts.index) : createSoundDisc(parts);
}

const isRound = (role: FigureRole) => role === "corner" || role === "slides";

function toPhotoFigure(
  { draw, fill }: Awaited<ReturnType<typeof createPhotoPerformer>>,
  seconds: number,
  role: FigureRole,
): FilmFigure {
  if (role === "face" && fill) return { markup: fill(seconds), viewBox: figureCrops.whole, isWhole: true };
  const markup = draw(seconds, role === "listener" ? "small" : "large");
  return { markup, viewBox: isRound(role) ? figureCrops.photo : figureCrops.whole };
}

const easeSeconds = 0.3;

/** Speaks in the own turns and listens in all others, with an easing between them. */
function createPosing({ request, timeline, loudness, index }: PerformerParts): Motion {
  const idle = createIdleMotion(`${request.seed} ${index}`);
  const spoken = request.turns.flatMap((turn, line) =>
    turn.person === index ? [{ ...turn, motion: createTurnMotion(turn, { line, request, timeline, loudness }) }] : [],
  );
  return (seconds) => {
    const ms = seconds * 1000;
    const turn = spoken.find(({ start, end }) => ms > start - 1000 * easeSeconds && ms < end + 1000 * easeSeconds);
    if (!turn) return idle(seconds);
    const outside = Math.max(turn.start - ms, ms - turn.end, 0) / (1000 * easeSeconds);
    return mixPoses(idle(seconds), turn.motion(seconds), 1 - outside * outside * (3 - 2 * outside));
  };
}

function createActor(parameters: PortraitParameters, poseAt: Motion, index: number): Performer {
  // Several people stand in one document: their ids differ.
  const draw = (detail: "small" | "large") => {
    const drawing = createPersonDrawing(parameters, detail);
    return (seconds: number) => drawing(poseAt(seconds)).replaceAll("pt-", `p${index}-`);
  };
  const drawings = { small: draw("small"), large: draw("large") };
  return {
    figure: (seconds, role) => ({
      markup: drawings[role === "listener" ? "small" : "large"](seconds),
      viewBox: isRound(role) ? figureCrops.portrait : figureCrops.whole,
    }),
  };
}

interface TurnParts extends Omit<StageParts, "pictures"> {
  line: number;
}

function createTurnMotion({ start, end, text }: FilmTurn, { line, request, timeline, loudness }: TurnParts): Motion {
  const isDub = timeline.units.some((unit) => unit.line !== undefined);
  const units = isDub ? timeline.units.filter((unit) => unit.line === line) : timeline.units;
  const phonemes = timeline.phonemes.filter((phoneme) => phoneme.end > start && phoneme.start < end);
  return createMotion({ timeline: { ...timeline, units, phonemes }, text, loudness, seed: `${request.seed} ${line}` });
}

const bars = 36;

/** For a voice without a picture: a disc whose rays follow the loudness while it speaks. */
function createSoundDisc({ loudness, request, index }: PerformerParts): Performer {
  const { line } = toneOf(groundOf(request));
  const turns = request.turns.filter(({ person }) => person === index);
  const levelAt = (seconds: number) => {
    const isOwn = turns.some(({ start, end }) => seconds * 1000 >= start && seconds * 1000 <= end);
    return isOwn ? (loudness.levels[Math.round(seconds * loudness.perSecond)] ?? 0) : 0;
  };
  return {
    figure(seconds, role) {
      const rays = Array.from({ length: bars }, (_, bar) => {
        const age = Math.abs(bar - bars / 2) / 60;
        const length = 3 + 22 * levelAt(seconds - age);
        return `<path d="M100 ${round(46 - length)}V46" transform="rotate(${(360 / bars) * bar + 180} 100 100)"/>`;
      });
      const markup = `<circle cx="100" cy="100" r="48" fill="${line}" fill-opacity=".1"/><g stroke="${line}" stroke-width="3.4" stroke-linecap="round">${rays.join("")}</g>`;
      return { markup, viewBox: isRound(role) ? figureCrops.disc : figureCrops.whole };
    },
  };
}
