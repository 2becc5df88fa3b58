import { spawn } from "node:child_process";
import { once } from "node:events";
import { framesPerSecond } from "../film";
import { type EncodeRequest, NoSpaceError, type VideoEncoder } from "./encoder";

/** 25 frames a second need about a core's third; quality and rate were measured in docs/decisions/0052-films.md. */
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

const bt709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"];

function toArguments({ format, width, height, soundPath, labelRoom, to }: EncodeRequest): string[] {
  return [
    ...["-hide_banner", "-nostats", "-loglevel", "error", "-n"],
    ...[
      "-f",
      "rawvideo",
      "-pix_fmt",
      "rgba",
      "-s",
      `${width}x${height}`,
      "-r",
      String(framesPerSecond),
      "-i",
      "pipe:0",
    ],
    ...["-f", "wav", "-i", soundPath, "-map", "0:v", "-map", "1:a", "-map_metadata", "-1"],
    ...["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", ...bt709, "-g", "50"],
    ...[...codecs[format], "-threads", "2", "-metadata", `AIGC=${labelRoom}`, "-f", format, to],
  ];
}

const messageMaxLength = 2000;

/** x264 or VP9 by the program at `path`. */
export function createFfmpegEncoder(path: string, request: EncodeRequest): VideoEncoder {
  const child = spawn(path, toArguments(request), { stdio: ["pipe", "ignore", "pipe"] });
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
      if (code !== 0) failure ??= toFailure(message || `ffmpeg ended with ${signal ?? code}`);
      resolve();
    });
  });
  // A closed pipe is reported by the end of the process.
  child.stdin.on("error", () => {});
  return {
    async write(rgba) {
      if (failure || child.stdin.destroyed) return rejectWith(ended, () => failure);
      if (!child.stdin.write(rgba)) await Promise.race([once(child.stdin, "drain").catch(() => {}), ended]);
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
  throw failure() ?? new Error("ffmpeg ended before its input");
}

const toFailure = (message: string) =>
  /No space left|Disk quota/i.test(message) ? new NoSpaceError(message) : new Error(message);
