import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ConvertedFormat } from "~server/contract/calls/tasks";
import { resolveProgram } from "../../program";

/** Several WAV files, one behind the other, become one sound. */
export interface BookRequest {
  title: string;
  author: string;
  /** A picture in JPEG. */
  coverPath: string | null;
  /** Seconds of all sounds together at the most. */
  maxSeconds: number;
  /** `sound` counts the WAV files, from 0; `startMs` counts from its begin. */
  chapters: ReadonlyArray<{ sound: number; startMs: number; title: string }>;
}

export interface ConversionRequest {
  format: ConvertedFormat | "m4b";
  /** Of M4B. */
  book?: BookRequest;
  /** The value of the metadata entry that the label replaces. */
  labelRoom: string;
  /** A new file. */
  to: string;
}

/** WAV files of our own as M4A, FLAC or M4B. Leaves no file behind when it fails. */
export type ConvertSound = (wav: Readable, request: ConversionRequest) => Promise<void>;

/** Half an hour of speech takes 20 s of processor time as M4A and 7 as FLAC. */
const longestMs = { sound: 10 * 60_000, book: 60 * 60_000 };
const messageMaxLength = 2000;

/** Encodes in a process of low priority that ends with the file, which frees its 150 MB. */
export const convertSound: ConvertSound = async (wav, request) => {
  const { path, nodeArguments, env } = resolveProgram("./speech/recording", "conversion-child");
  const child = spawn(process.execPath, [...nodeArguments, path], {
    env,
    stdio: ["pipe", "ignore", "pipe"],
    timeout: longestMs[request.book ? "book" : "sound"],
    killSignal: "SIGKILL",
  });
  let message = "";
  child.stderr.on("data", (piece: Buffer) => {
    message = (message + piece.toString()).slice(-messageMaxLength);
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", resolve);
    child.once("error", () => resolve(null));
  });
  try {
    const fed = await pipeline(withRequest(request, wav), child.stdin).then(
      () => null,
      (error: unknown) => error,
    );
    if (fed) child.kill("SIGKILL");
    const code = await ended;
    if (code !== 0) throw new Error(message || `the conversion ended with ${code}`, { cause: fed });
    if (fed) throw fed;
  } catch (error) {
    await rm(request.to, { force: true });
    throw error;
  }
};

/** The request by its length: the titles of a book are more than an argument may be. */
async function* withRequest(request: ConversionRequest, wav: Readable): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(JSON.stringify(request));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(bytes.length);
  yield Buffer.concat([head, bytes]);
  yield* wav;
}
