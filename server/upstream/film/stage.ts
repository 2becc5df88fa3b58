import { readFile } from "node:fs/promises";
import { createPersonDrawing } from "~server/portrait/drawing";
import { drawBackground, filmShares, speakerSquare, toneOf } from "~server/portrait/film-picture";
import { createIdleMotion, createMotion, type Motion } from "~server/portrait/motion";
import { type PortraitParameters, parsePortrait } from "~server/portrait/parameters";
import { mixPoses } from "~server/portrait/pose";
import type { Timeline } from "../../speech/engine";
import type { FilmPerson, FilmRequest, FilmTurn } from "./film";
import { createPhotoPerformer } from "./photo";
import type { Loudness } from "./sound";

/** Draws everything but captions and label. */
export interface FilmStage {
  /** Inner markup of the whole frame's SVG. */
  at(seconds: number): string;
}

interface StageParts {
  request: Pick<FilmRequest, "people" | "turns" | "seed" | "background" | "width" | "height">;
  timeline: Timeline;
  loudness: Loudness;
}

export interface Performer {
  /** Markup of a 200-unit square. */
  draw(seconds: number, detail: "small" | "large"): string;
  /** Markup of the whole frame, where the performer fills it. */
  fill?(seconds: number): string;
}

/** Draws the speaker large, and the listeners as round pictures. */
export async function createStage({ request, timeline, loudness }: StageParts): Promise<FilmStage> {
  const { turns } = request;
  const performers = await Promise.all(
    request.people.map((person, index) => createPerformer(person, { index, request, timeline, loudness })),
  );
  const ground = drawBackground(groundOf(request), request);
  const place = speakerSquare(request);
  const speakerAt = (seconds: number) => {
    const started = turns.filter(({ start }) => start <= seconds * 1000 + leadMs);
    return (started.at(-1) ?? turns[0])?.person ?? 0;
  };
  return {
    at(seconds) {
      const speaker = speakerAt(seconds);
      const performer = performers[speaker];
      const front = performer?.fill?.(seconds) ?? `${ground}${nest(performer?.draw(seconds, "large") ?? "", place)}`;
      const listeners = performers.flatMap((performer, index) => (index === speaker ? [] : [performer]));
      const rest = listeners
        .slice(0, listenersMax)
        .map((listener, index) => drawListener(listener, { index, seconds, request }));
      return front + rest.join("");
    },
  };
}

const groundOf = ({ background }: StageParts["request"]) => (background === "auto" ? "paper" : background);

/** A person comes on stage shortly before speaking. */
const leadMs = 150;
const listenersMax = 4;

const round = (value: number) => Math.round(value * 10) / 10;
const nest = (markup: string, { x, y, side }: ReturnType<typeof speakerSquare>) =>
  `<svg x="${round(x)}" y="${round(y)}" width="${round(side)}" height="${round(side)}" viewBox="0 0 200 200">${markup}</svg>`;

interface ListenerPlace {
  index: number;
  seconds: number;
  request: StageParts["request"];
}

function drawListener(listener: Performer, { index, seconds, request }: ListenerPlace): string {
  const { width, height } = request;
  const side = Math.round(Math.min(width, height) * filmShares.listener);
  const gap = Math.min(width, height) * filmShares.gap;
  const isWide = width > height;
  const x = isWide ? gap : gap + index * (side + gap);
  const y = isWide ? gap + index * (side + gap) : gap;
  const { plate, line } = toneOf(groundOf(request));
  const clip = `listener-${index}`;
  const circle = `cx="${round(x + side / 2)}" cy="${round(y + side / 2)}" r="${round(side / 2)}"`;
  return (
    `<clipPath id="${clip}"><circle ${circle}/></clipPath><circle ${circle} fill="${plate}"/>` +
    `<g clip-path="url(#${clip})">${nest(listener.draw(seconds, "small"), { x, y, side })}</g>` +
    `<circle ${circle} fill="none" stroke="${line}" stroke-opacity=".35" stroke-width="${round(side / 50)}"/>`
  );
}

interface PerformerParts extends StageParts {
  index: number;
}

async function createPerformer({ portrait, photoPath }: FilmPerson, parts: PerformerParts): Promise<Performer> {
  const poseAt = createPosing(parts);
  if (photoPath) {
    const { background, width, height } = parts.request;
    const fills = background === "auto" ? { width, height } : null;
    return createPhotoPerformer(await readFile(photoPath), portrait, { poseAt, fills });
  }
  const parameters = parsePortrait(portrait);
  return parameters ? createActor(parameters, poseAt, parts.index) : createSoundDisc(parts);
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
  return { draw: (seconds, detail) => drawings[detail](seconds) };
}

interface TurnParts extends StageParts {
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
    draw(seconds) {
      const rays = Array.from({ length: bars }, (_, bar) => {
        const age = Math.abs(bar - bars / 2) / 60;
        const length = 3 + 22 * levelAt(seconds - age);
        return `<path d="M100 ${round(46 - length)}V46" transform="rotate(${(360 / bars) * bar + 180} 100 100)"/>`;
      });
      return `<circle cx="100" cy="100" r="48" fill="${line}" fill-opacity=".1"/><g stroke="${line}" stroke-width="3.4" stroke-linecap="round">${rays.join("")}</g>`;
    },
  };
}
