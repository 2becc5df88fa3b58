import type { VideoStyle } from "~server/contract/calls/videos";
import type { CaptionCue } from "~server/portrait/film-captions";
import type { FilmBackground, FilmSize } from "~server/portrait/film-picture";
import type { AppError } from "../errors";

/** A person on stage: a drawn portrait's parameters, or a photo, which stays still; neither draws the sound itself. */
export interface FilmPerson {
  portrait: unknown;
  photoPath: string | null;
}

/** Files of own pictures; null for none. */
interface FilmPicturePaths {
  picturePath: string | null;
  logoPath: string | null;
  /** Each shown from `start` on, in seconds; chapters of the file, with their names. */
  pages: Array<{ path: string; start: number; title: string }>;
}

/** Spoken from `start` to `end` by the person of this index; the others listen. */
export interface FilmTurn {
  start: number;
  end: number;
  person: number;
  text: string;
}

/** Everything that decides a film: the same request gives the same frames. */
export interface FilmRequest extends FilmSize {
  format: "mp4" | "webm";
  /** `auto`: photos fill the frame, drawn people stand on paper. */
  background: FilmBackground | "auto";
  /** WAV or MP3; the audible mark is appended where it is missing. */
  soundPath: string;
  /** A timeline's JSON. */
  timelinePath: string;
  /** Its paths are not read: `pictures` has the files. */
  style: VideoStyle;
  pictures: FilmPicturePaths;
  people: FilmPerson[];
  /** In order; line n of a dub's timeline is turn n. */
  turns: FilmTurn[];
  /** Burnt into the picture; empty for none. */
  cues: CaptionCue[];
  /** The sound's id: decides how people move. */
  seed: string;
  /** A folder for temporary files. */
  folder: string;
  /** A new file. */
  to: string;
}

export interface FilmResult {
  durationMs: number;
  frames: number;
  /** SHA-256 of all frames. */
  frameHash: string;
  /** Characters of the captions that the font cannot draw; they are left out. */
  missing: string[];
  encoder: string;
  /** Peak memory of the drawing process. */
  peakMegabytes: number;
}

export interface FilmOptions {
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** Draws and encodes films, each in separate processes of low priority. */
export interface FilmMaker {
  /** The formats that can be made on this machine. */
  formats(): Promise<ReadonlyArray<FilmRequest["format"]>>;
  /** Leaves no file behind when it fails or is aborted. Throws AppError for what another attempt would repeat. */
  make(request: FilmRequest, options: FilmOptions): Promise<FilmResult>;
}

export const framesPerSecond = 25;

/** Messages of the drawing process. */
export type FilmAnswer =
  | { kind: "progress"; done: number; total: number }
  | { kind: "done"; result: FilmResult }
  | { kind: "fault"; code: AppError["code"] | null; message: string };

/** Input of the drawing process. */
export interface FilmJob {
  request: FilmRequest;
  encoder: { id: "ffmpeg"; path: string } | { id: "wasm" };
}
