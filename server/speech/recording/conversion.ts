import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { resolveProgram } from "../../program";

export interface ConversionRequest {
  format: "m4a" | "flac";
  /** The value of the metadata entry that the label replaces. */
  labelRoom: string;
  /** A new file. */
  to: string;
}

/** A WAV file of our own as M4A or FLAC. Leaves no file behind when it fails. */
export type ConvertSound = (wav: Readable, request: ConversionRequest) => Promise<void>;

/** Half an hour of speech takes 20 s of processor time as M4A and 7 as FLAC. */
const longestMs = 10 * 60_000;
const messageMaxLength = 2000;

/** Encodes in a process of low priority that ends with the file, which frees its 150 MB. */
export const convertSound: ConvertSound = async (wav, request) => {
  const { path, nodeArguments, env } = resolveProgram("./speech/recording", "conversion-child");
  const child = spawn(process.execPath, [...nodeArguments, path, JSON.stringify(request)], {
    env,
    stdio: ["pipe", "ignore", "pipe"],
    timeout: longestMs,
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
    const fed = await pipeline(wav, child.stdin).then(
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
