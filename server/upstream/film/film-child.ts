import { readFile, rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { filmLabelRoom } from "../media/label/film";
import { createOutlines } from "../media/outlines";
import type { Timeline } from "../speech/engine";
import type { VideoEncoder } from "./encoders/encoder";
import { createFfmpegEncoder } from "./encoders/ffmpeg";
import { createWasmEncoder } from "./encoders/wasm";
import { type FilmAnswer, type FilmJob, type FilmResult, framesPerSecond } from "./film";
import { createOverlay } from "./overlay";
import { renderFrames, requireVisibleLabel } from "./render";
import { readFilmSound, writeSound } from "./sound";
import { createStage } from "./stage";

/** Sounds and pages come first. */
const priority = 10;
/** A film ends with a moment of silence. */
const tailSeconds = 0.2;

const send = (answer: FilmAnswer) => new Promise<void>((resolve) => process.send?.(answer, () => resolve()));

async function make(
  { request, encoder: chosen }: FilmJob,
  onEncoder: (encoder: VideoEncoder) => void,
): Promise<FilmResult> {
  const sound = await readFilmSound(request.soundPath);
  const timeline = JSON.parse(await readFile(request.timelinePath, "utf8")) as Timeline;
  const overlay = createOverlay(createOutlines(), request.cues, request);
  await requireVisibleLabel(overlay, request);
  const stage = await createStage({ request, timeline, loudness: sound.loudness });
  const frames = Math.ceil((sound.durationMs / 1000 + tailSeconds) * framesPerSecond);
  const silence = Math.round((frames / framesPerSecond) * sound.sampleRate) - sound.pcm.length;
  const pcm = new Int16Array(sound.pcm.length + silence);
  pcm.set(sound.pcm);
  const soundPath = join(request.folder, "sound.wav");
  await writeSound({ ...sound, pcm }, soundPath);
  const { width, height, format, to } = request;
  const encodeRequest = { width, height, format, frames, soundPath, labelRoom: filmLabelRoom, to };
  const encoder =
    chosen.id === "ffmpeg" ? createFfmpegEncoder(chosen.path, encodeRequest) : createWasmEncoder(encodeRequest);
  onEncoder(encoder);
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

const codeOf = (error: unknown): Extract<FilmAnswer, { kind: "fault" }>["code"] =>
  (error as NodeJS.ErrnoException).code === "ENOSPC" ? "storage-full" : null;

process.once("message", async (job: FilmJob) => {
  let encoder: VideoEncoder | undefined;
  // The server ended: its films are made again.
  process.once("disconnect", () => {
    encoder?.kill();
    process.exit(1);
  });
  setPriority(priority);
  try {
    const result = await make(job, (started) => {
      encoder = started;
    });
    await send({ kind: "done", result });
  } catch (error) {
    encoder?.kill();
    await rm(job.request.to, { force: true });
    const message = error instanceof Error ? error.message : String(error);
    await send({ kind: "fault", code: codeOf(error), message });
  }
  process.exit(0);
});
