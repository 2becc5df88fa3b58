import type { FilmSize } from "~server/portrait/film-picture";
import type { FilmRequest } from "../film";

export interface EncodeRequest extends FilmSize {
  format: FilmRequest["format"];
  /** Number of frames that will be written. */
  frames: number;
  /** WAV with the audible mark. */
  soundPath: string;
  /** The value of the metadata entry that the label replaces. */
  labelRoom: string;
  /** By ascending `start`, in seconds; none for most films. */
  chapters: ReadonlyArray<{ start: number; title: string }>;
  /** A new file, complete when `finish` resolves. */
  to: string;
}

/** Frames and sound become one file, in a separate process. */
export interface VideoEncoder {
  /** Resolves when the encoder takes the next frame. Rejects when it has ended. `frame` is I420 in BT.709. */
  write(frame: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  kill(): void;
}

/** The disk is full. */
export class NoSpaceError extends Error {
  readonly code = "ENOSPC";
}
