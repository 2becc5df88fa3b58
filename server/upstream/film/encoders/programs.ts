import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { resolveProgram } from "../../../program";
import { framesPerSecond } from "../film";
import { type EncodeRequest, NoSpaceError, type VideoEncoder } from "./encoder";

interface EncoderProgram {
  path: string;
  arguments: string[];
  /** Inherited where absent. */
  env?: NodeJS.ProcessEnv;
}

const messageMaxLength = 2000;

/** Starts a program that reads frames from its input and says on its error output why it failed. */
function startEncoder({ path, arguments: given, env }: EncoderProgram): VideoEncoder {
  const child = spawn(path, given, { env, stdio: ["pipe", "ignore", "pipe"] });
  let message = "";
  let failure: Error | undefined;
  child.stderr.on("data", (piece: Buffer) => {
    message = (message + piece.toString()).slice(-messageMaxLength);
  });
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      failure = error;
      resolve();
    });
    child.once("close", (code, signal) => {
      if (code !== 0 || isCutOff(message)) failure ??= toFailure(message || `the encoder ended with ${signal ?? code}`);
      resolve();
    });
  });
  // A closed pipe is reported by the end of the process.
  child.stdin.on("error", () => {});
  return {
    async write(frame) {
      if (failure || child.stdin.destroyed) return rejectWith(ended, () => failure);
      if (!child.stdin.write(frame)) await Promise.race([once(child.stdin, "drain").catch(() => {}), ended]);
      if (failure) throw failure;
    },
    async finish() {
      child.stdin.end();
      await ended;
      if (failure) throw failure;
    },
    kill: () => child.kill("SIGKILL"),
  };
}

async function rejectWith(ended: Promise<void>, failure: () => Error | undefined): Promise<never> {
  await ended;
  throw failure() ?? new Error("the encoder ended before its input");
}

/** On a full disk, ffmpeg names a file whose end is missing and exits with 0. */
const isCutOff = (message: string) => /^Error (writing|closing)/m.test(message);

const toFailure = (message: string) =>
  /No space left|Disk quota/i.test(message) ? new NoSpaceError(message) : new Error(message);

/** 25 frames a second need about a core's third; quality and rate were measured in docs/decisions/0108-films.md. */
const codecs = {
  mp4: [
    ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-c:a", "aac", "-b:a", "96k"],
    ...["-movflags", "+faststart+use_metadata_tags"],
  ],
  webm: [
    ...["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-crf", "32", "-b:v", "0", "-row-mt", "1"],
    ...["-c:a", "libopus", "-b:a", "64k"],
  ],
} as const;

const bt709 = ["-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"];

/** A file of chapters beside the sound, as ffmpeg reads it. */
function writeChapters({ chapters, frames, soundPath }: EncodeRequest): string[] {
  if (chapters.length === 0) return [];
  const path = `${soundPath}.chapters`;
  const ends = [...chapters.slice(1).map(({ start }) => start), frames / framesPerSecond];
  const parts = chapters.map(({ start, title }, i) => {
    const [from, to] = [start, Math.max(start, ends[i] as number)].map((seconds) => Math.round(seconds * 1000));
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${from}\nEND=${to}\ntitle=${title.replace(/[=;#\\\n]/g, "\\$&")}\n`;
  });
  writeFileSync(path, `;FFMETADATA1\n${parts.join("")}`);
  return ["-f", "ffmetadata", "-i", path, "-map_chapters", "2"];
}

function toArguments(request: EncodeRequest): string[] {
  const { format, width, height, soundPath, labelRoom, to } = request;
  return [
    ...["-hide_banner", "-nostats", "-loglevel", "error", "-n"],
    ...["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", `${width}x${height}`, "-r", String(framesPerSecond)],
    ...["-i", "pipe:0"],
    ...["-f", "wav", "-i", soundPath, ...writeChapters(request)],
    ...["-map", "0:v", "-map", "1:a", "-map_metadata:g", "-1", "-map_metadata:s", "-1"],
    ...["-pix_fmt", "yuv420p", ...bt709, "-g", "50"],
    ...[...codecs[format], "-threads", "2", "-metadata", `AIGC=${labelRoom}`, "-f", format, to],
  ];
}

/** x264 or VP9 by the program at `path`. */
export const createFfmpegEncoder = (path: string, request: EncodeRequest): VideoEncoder =>
  startEncoder({ path, arguments: toArguments(request) });

/** H.264 and AAC in WebAssembly, for machines without ffmpeg. MP4 only. */
export function createWasmEncoder(request: EncodeRequest): VideoEncoder {
  if (request.format !== "mp4") throw new Error(`no encoder for ${request.format}`);
  const { path, nodeArguments, env } = resolveProgram("./upstream/film/encoders", "wasm-child");
  return startEncoder({
    path: process.execPath,
    arguments: [...nodeArguments, path, JSON.stringify(request)],
    env,
  });
}
