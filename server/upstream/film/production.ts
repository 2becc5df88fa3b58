import { readFile, rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import type { Timeline } from "../../speech/engine";
import { AppError } from "../errors";
import { labelRoom } from "../media/label/container";
import { createOutlines } from "../media/outlines";
import type { VideoEncoder } from "./encoders/encoder";
import { createFfmpegEncoder, createWasmEncoder } from "./encoders/programs";
import { type FilmAnswer, type FilmJob, type FilmResult, framesPerSecond } from "./film";
import { createOverlay } from "./overlay";
import { readPictures } from "./pictures";
import { renderFrames, requireVisibleLabel } from "./render";
import { hasAudibleMark, readFilmSound, writeSound } from "./sound";
import { createStage } from "./stage";

/** Sounds and pages come first. */
const priority = 10;
/** A film ends with a moment of silence. */
const tailSeconds = 0.2;

/** Sources of the drawn and the audible label; tests replace them to see films refused. */
export interface LabelParts {
  createOutlines: typeof createOutlines;
  readFilmSound: typeof readFilmSound;
}

const send = (answer: FilmAnswer) => new Promise<void>((resolve) => process.send?.(answer, () => resolve()));

interface MakeParts extends LabelParts {
  onEncoder(encoder: VideoEncoder): void;
}

async function make({ request, encoder: chosen }: FilmJob, parts: MakeParts): Promise<FilmResult> {
  const sound = await parts.readFilmSound(request.soundPath);
  if (!hasAudibleMark(sound.pcm, sound.sampleRate)) throw new AppError("failure", "the sound has no audible mark");
  const timeline = JSON.parse(await readFile(request.timelinePath, "utf8")) as Timeline;
  const pictures = await readPictures(request);
  const overlay = createOverlay(parts.createOutlines(), request, pictures.logo);
  await requireVisibleLabel(overlay, request);
  const stage = await createStage({ request, pictures, timeline, loudness: sound.loudness });
  const frames = Math.ceil((sound.durationMs / 1000 + tailSeconds) * framesPerSecond);
  const silence = Math.round((frames / framesPerSecond) * sound.sampleRate) - sound.pcm.length;
  const pcm = new Int16Array(sound.pcm.length + silence);
  pcm.set(sound.pcm);
  const soundPath = join(request.folder, "sound.wav");
  await writeSound({ ...sound, pcm }, soundPath);
  const { width, height, format, to } = request;
  const chapters = request.pictures.pages.map(({ start, title }, at) => ({ start: at === 0 ? 0 : start, title }));
  const encodeRequest = { width, height, format, frames, soundPath, labelRoom, chapters, to };
  const encoder =
    chosen.id === "ffmpeg" ? createFfmpegEncoder(chosen.path, encodeRequest) : createWasmEncoder(encodeRequest);
  parts.onEncoder(encoder);
  const onProgress = (done: number) => void send({ kind: "progress", done, total: frames });
  const frameHash = await renderFrames({ width, height, stage, overlay, frames, write: encoder.write, onProgress });
  await encoder.finish();
  return {
    durationMs: (frames / framesPerSecond) * 1000,
    frames,
    frameHash,
    missing: overlay.missing,
    encoder: chosen.id,
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

/** Null for what another attempt may mend. */
const codeOf = (error: unknown): Extract<FilmAnswer, { kind: "fault" }>["code"] => {
  if (error instanceof AppError) return error.code;
  return (error as NodeJS.ErrnoException).code === "ENOSPC" ? "storage-full" : null;
};

/** Makes the film of the first message and answers the parent. */
export function serveFilm(labels: LabelParts = { createOutlines, readFilmSound }): void {
  process.once("message", async (job: FilmJob) => {
    let encoder: VideoEncoder | undefined;
    // The server ended: its films are made again.
    process.once("disconnect", () => {
      encoder?.kill();
      process.exit(1);
    });
    setPriority(priority);
    const onEncoder = (started: VideoEncoder) => {
      encoder = started;
    };
    try {
      await send({ kind: "done", result: await make(job, { ...labels, onEncoder }) });
    } catch (error) {
      encoder?.kill();
      await rm(job.request.to, { force: true });
      const message = error instanceof Error ? error.message : String(error);
      await send({ kind: "fault", code: codeOf(error), message });
    }
    process.exit(0);
  });
}
