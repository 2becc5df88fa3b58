import { execFile, fork } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { type Program, passOnMessages, resolveProgram } from "../../program";
import { AppError } from "../errors";
import type { FilmAnswer, FilmJob, FilmMaker, FilmOptions, FilmResult } from "./film";

/** Encoders that ffmpeg needs for each format. */
const needed = { mp4: ["libx264", "aac"], webm: ["libvpx-vp9", "libopus"] } as const;
const formats = ["mp4", "webm"] as const;
type Format = (typeof formats)[number];

/** The formats that the ffmpeg at `path` can make; none if it does not run. */
async function findFfmpegFormats(path: string): Promise<readonly Format[]> {
  const run = promisify(execFile);
  const listed = await run(path, ["-hide_banner", "-encoders"], { timeout: 20_000 }).catch(() => ({ stdout: "" }));
  const names = new Set(listed.stdout.split("\n").map((line) => line.trim().split(/\s+/)[1] ?? ""));
  return formats.filter((format) => needed[format].every((name) => names.has(name)));
}

/** The encoder of each format; null if it cannot be made. `path`: an ffmpeg. */
export async function findEncoders(path: string | undefined) {
  const byFfmpeg = path ? await findFfmpegFormats(path) : [];
  const ofFormat = (format: Format): FilmJob["encoder"] | null =>
    path && byFfmpeg.includes(format) ? { id: "ffmpeg", path } : format === "mp4" ? { id: "wasm" } : null;
  return { mp4: ofFormat("mp4"), webm: ofFormat("webm") };
}

interface FilmMakerOptions {
  /** A program; undefined if there is none, then WebAssembly encodes, which makes no WebM. */
  ffmpegPath?: string | undefined;
  /** Draws the films; started with `arguments`. */
  program?: Program & { arguments: string[] };
}

export function createFilmMaker({ ffmpegPath, program }: FilmMakerOptions): FilmMaker {
  let search: ReturnType<typeof findEncoders> | undefined;
  const encoders = () => {
    search ??= findEncoders(ffmpegPath);
    return search;
  };
  return {
    async formats() {
      const found = await encoders();
      return formats.filter((format) => found[format]);
    },
    async make(request, { signal, onProgress }) {
      const encoder = (await encoders())[request.format];
      if (!encoder) throw new AppError("video-format-missing", `no encoder for ${request.format}`);
      await mkdir(request.folder, { recursive: true });
      try {
        return await runChild({ request, encoder }, { signal, onProgress, program });
      } catch (error) {
        await rm(request.to, { force: true });
        throw error;
      } finally {
        await rm(request.folder, { force: true, recursive: true });
      }
    },
  };
}

interface RunOptions extends FilmOptions {
  program: FilmMakerOptions["program"];
}

/** Drawing and encoding in a child; ends it with the signal. */
function runChild(job: FilmJob, { signal, onProgress, program }: RunOptions): Promise<FilmResult> {
  signal.throwIfAborted();
  const started = program ?? { ...resolveProgram("./upstream/film", "film-child"), arguments: [] };
  const { path, nodeArguments, env } = started;
  const child = fork(path, started.arguments, {
    execArgv: nodeArguments,
    env,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  passOnMessages(child, "The film's process");
  const end = () => {
    // The child kills its encoder when the channel closes.
    if (child.connected) child.disconnect();
  };
  return new Promise<FilmResult>((resolve, reject) => {
    signal.addEventListener("abort", end, { once: true });
    child.on("message", (answer: FilmAnswer) => {
      if (answer.kind === "progress") onProgress(answer.done, answer.total);
      else if (answer.kind === "done") resolve(answer.result);
      else reject(toError(answer));
    });
    child.once("error", reject);
    child.once("exit", () => {
      signal.removeEventListener("abort", end);
      reject(signal.aborted ? signal.reason : new Error("the film's process ended"));
    });
    child.send(job);
  });
}

const toError = ({ code, message }: Extract<FilmAnswer, { kind: "fault" }>) =>
  code ? new AppError(code, message, { status: code === "storage-full" ? 507 : 200 }) : new Error(message);
