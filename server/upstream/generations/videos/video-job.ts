import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pageList, videoStyle } from "~server/contract/calls/videos";
import { fileAddressOf, fileIdOf } from "~server/contract/file-address";
import type { Timeline } from "../../../speech/engine";
import type { Db } from "../../db/database";
import { AppError, isStorageFull, storageFull } from "../../errors";
import type { FilmMaker, FilmPerson, FilmRequest, FilmResult } from "../../film/film";
import type { JobHandler } from "../../jobs/handler";
import type { Owner } from "../../owner";
import type { Files, SpeechParts } from "../../voices/ports";
import type { NewRendition } from "../../voices/renditions";
import { subtitleFormats } from "../dubs/subtitles/formats";
import { createGenerationJob, type JobParts } from "../job";
import type { Run } from "../task-runs";
import { cuesOf, getSource, toTurns, type VideoSource } from "./source";

interface VideoJobParts extends JobParts {
  files: Files;
  films: FilmMaker;
  speech: Pick<SpeechParts, "print">;
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
}

/** Draws and encodes a film, labels it and stores it. */
export function createVideoJob(parts: VideoJobParts): JobHandler<Run> {
  const { db } = parts;
  return createGenerationJob(parts, {
    async make(run, signal) {
      const video = await db.selectFrom("video").selectAll().where("id", "=", run.id).executeTakeFirst();
      if (!video) return undefined;
      const owner = video.owner as Owner;
      const source = await getSource(db, owner, { kind: video.source_kind, id: video.source_id });
      const folder = parts.temporaryPath();
      try {
        await mkdir(folder);
        const { request, srt } = await prepare(parts, { source, video, folder });
        const result = await parts.films.make(request, { signal, onProgress: createProgress(parts, run) });
        await describe(db, run, { srt, missing: result.missing.join("") });
        const rendition = await keep(parts, { owner, request, result, source });
        return { rendition, contents: [], roleIds: [] };
      } catch (error) {
        throw toFilmError(error);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  });
}

/** A film without one of its labels fails like any other. */
function toFilmError(error: unknown): unknown {
  if (isStorageFull(error)) return storageFull(error);
  const isLabelFault = error instanceof AppError && error.code === "failure";
  return isLabelFault ? new AppError("synthesis-failed", error.message, { cause: error }) : error;
}

interface VideoColumns {
  size: "9:16" | "1:1" | "16:9";
  height: number;
  format: FilmRequest["format"];
  captions: "burnt" | "file" | "none";
  background: string;
  style: unknown;
  pages: unknown;
}

/** Width and height for a shorter side of one pixel. */
const shapes = { "9:16": [1, 16 / 9], "1:1": [1, 1], "16:9": [16 / 9, 1] } as const;

interface Preparing {
  source: VideoSource;
  video: VideoColumns;
  folder: string;
}

/** Copies everything that the film needs into the folder. */
async function prepare({ files }: VideoJobParts, { source, video, folder }: Preparing) {
  const copy = async (fileId: string, name: string) => {
    const path = join(folder, name);
    await writeFile(path, await files.read(fileId));
    return path;
  };
  const soundPath = await copy(source.soundFileId, `source.${source.soundFormat}`);
  const timelinePath = await copy(source.timelineFileId, "timeline.json");
  const { turns, people: lines } = toTurns(source);
  const people: FilmPerson[] = [];
  for (const [index, { portrait, avatarId }] of lines.entries())
    people.push({ portrait, photoPath: avatarId && (await copy(avatarId, `photo-${index}`)) });
  const timeline = JSON.parse(await readFile(timelinePath, "utf8")) as Timeline;
  const cues = cuesOf(source, timeline);
  const [across, down] = shapes[video.size];
  const hasKaraoke = videoStyle.parse(video.style).subtitles.karaoke;
  const request: FilmRequest = {
    width: Math.round(across * video.height),
    height: Math.round(down * video.height),
    format: video.format,
    background: video.background as FilmRequest["background"],
    ...(await copyPictures(video, copy)),
    ...{ soundPath, timelinePath, people, turns },
    cues:
      video.captions === "burnt"
        ? cues.map((cue) => ({ ...cue, spoken: hasKaraoke ? startsIn(timeline, cue) : [] }))
        : [],
    seed: source.seed,
    folder: join(folder, "work"),
    to: join(folder, `film.${video.format}`),
  };
  return { request, srt: video.captions === "file" ? subtitleFormats.srt.write(cues) : "" };
}

const startsIn = ({ units }: Timeline, { start, end }: { start: number; end: number }) =>
  units.map((unit) => unit.start).filter((time) => time >= start && time < end);

/** Copies the film's own pictures into its folder. Throws picture-missing. */
async function copyPictures(video: VideoColumns, copy: (fileId: string, name: string) => Promise<string>) {
  const copyPicture = async (path: string, name: string) => {
    const fileId = fileIdOf(path);
    if (!fileId) throw new AppError("picture-missing", "no address of a picture");
    return copy(fileId, name).catch((cause: unknown) => {
      if (!(cause instanceof AppError) || cause.code !== "not-found") throw cause;
      throw new AppError("picture-missing", "the file of a picture is gone", { cause });
    });
  };
  const style = videoStyle.parse(video.style);
  const pages: FilmRequest["pictures"]["pages"] = [];
  for (const [index, { picturePath, start, title }] of pageList.parse(video.pages).entries())
    pages.push({ path: await copyPicture(picturePath, `page-${index}`), start, title: title || String(index + 1) });
  const picturePath = style.picturePath && (await copyPicture(style.picturePath, "picture"));
  const logoPath = style.logoPath && (await copyPicture(style.logoPath, "logo"));
  return { style, pictures: { picturePath: picturePath || null, logoPath: logoPath || null, pages } };
}

/** At most so many events for a film. */
const progressSteps = 40;

function createProgress({ db, tasks }: VideoJobParts, run: Run) {
  let reported = 0;
  return (seg_done: number, seg_total: number) => {
    if (seg_done - reported < seg_total / progressSteps && seg_done !== seg_total) return;
    reported = seg_done;
    // A lost event costs nothing: the next one says more.
    tasks.changeProgress(db, run, { seg_done, seg_total }).catch(() => {});
  };
}

async function describe(db: Db, { id, turn }: Run, change: { srt: string; missing: string }) {
  const row = db.updateTable("video").set(change).where("id", "=", id).where("status", "=", 1);
  await (turn === undefined ? row : row.where("turn", "=", turn)).execute();
}

/** Labels and stores the film; its fingerprint is its sound's. */
async function keep(
  { files, speech }: VideoJobParts,
  { owner, request, result, source }: { owner: Owner; request: FilmRequest; result: FilmResult; source: VideoSource },
): Promise<NewRendition> {
  const { format, to } = request;
  const { size } = await stat(to);
  if (size === 0) throw new AppError("failure", "an empty film");
  const print = await speech.print(await readFile(request.soundPath)).catch(() => null);
  const { id, url } = await files.keep({ owner, kind: "speech", format, body: { path: to }, size });
  return {
    ...{ owner, print, hasForeignSound: source.hasForeignSound, timelineUrl: null, spokenBy: null, doubts: [] },
    playId: id,
    playUrl: fileAddressOf(id, format),
    downloads: [{ format, url }],
    durationMs: result.durationMs,
  };
}
