import { spawn } from "node:child_process";
import { once } from "node:events";
import { NoSpaceError, type VideoEncoder } from "./encoder";

export interface EncoderProgram {
  path: string;
  arguments: string[];
  /** Inherited where absent. */
  env?: NodeJS.ProcessEnv;
}

const messageMaxLength = 2000;

/** Starts a program that reads frames from its input and says on its error output why it failed. */
export function startEncoder({ path, arguments: given, env }: EncoderProgram): VideoEncoder {
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
