import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import type { BookRequest } from "../../../speech/index";
import { AppError } from "../../errors";
import type { MediaFile } from "../../media/files";
import type { Files } from "../../voices/ports";

/** A finished dub in a book. */
export interface BookSound {
  /** With the audible mark, as every download. */
  wav: MediaFile;
  seconds: number;
  /** By their begin in the sound; the first one begins with it. */
  chapters: ReadonlyArray<{ startMs: number; title: string }>;
}

export interface Book {
  title: string;
  author: string;
  /** A picture of the account's. */
  coverId: string | null;
  sounds: readonly BookSound[];
}

interface BookParts {
  files: Pick<Files, "read">;
  /** Throws for generated speech without its label. */
  openFile(file: MediaFile): Promise<Readable>;
  /** As JPEG that players show. Throws for what is no picture. */
  toCover(bytes: Uint8Array): Promise<Uint8Array>;
  /** Encodes WAV files, one behind the other; `to` must not exist. Leaves no file behind when it fails. */
  convert(wavs: Readable, request: { format: "m4b"; to: string; book: BookRequest }): Promise<void>;
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
  /** Time that a request waits for its file. */
  patienceMs?: number;
}

/** An encoded file stays so long for those who ask again. */
const keptMs = 10 * 60_000;
/** The audible mark behind a sound, and what rounding leaves out. */
const moreSeconds = 10;

/**
 * Audiobooks of finished dubs, one at a time, each once: the path of the file, which has no label yet. Throws timeout (503)
 * for one that takes longer: asking again finds it.
 */
export function createBooks(parts: BookParts): (book: Book) => Promise<string> {
  const { temporaryPath, patienceMs = 10_000 } = parts;
  const limit = pLimit(1);
  const known = new Map<string, Promise<string>>();
  const start = (key: string, book: Book) => {
    const to = temporaryPath();
    const made = limit(() => encode(parts, book, to)).then(() => to);
    known.set(key, made);
    const forget = () => known.delete(key);
    made.then(
      () => setTimeout(() => void rm(to, { force: true }).finally(forget), keptMs).unref(),
      // A request that stopped waiting does not see the failure.
      forget,
    );
    return made;
  };
  return async (book) => {
    const key = keyOf(book);
    const made = known.get(key) ?? start(key, book);
    const ending = new AbortController();
    const late = wait(patienceMs, undefined, { signal: ending.signal }).then(() => {
      throw new AppError("timeout", "the book is still being encoded", { status: 503, retryAfterSeconds: 2 });
    });
    late.catch(() => {});
    return Promise.race([made, late]).finally(() => ending.abort());
  };
}

const keyOf = ({ sounds, ...tags }: Book): string => {
  const parts = sounds.map(({ wav, chapters }) => [wav.id, chapters]);
  return createHash("sha256")
    .update(JSON.stringify([tags, parts]))
    .digest("base64url");
};

async function encode(parts: BookParts, { title, author, coverId, sounds }: Book, to: string): Promise<void> {
  const coverPath = coverId && (await storeCover(parts, coverId, `${to}.cover`));
  const chapters = sounds.flatMap((one, sound) => one.chapters.map((chapter) => ({ ...chapter, sound })));
  const maxSeconds = sounds.reduce((sum, { seconds }) => sum + seconds + moreSeconds, 0);
  const wavs = async function* () {
    for (const { wav } of sounds) yield* await parts.openFile(wav);
  };
  try {
    const book = { title, author, coverPath, maxSeconds, chapters };
    await parts.convert(Readable.from(wavs(), { objectMode: false }), { format: "m4b", to, book });
  } finally {
    if (coverPath) await rm(coverPath, { force: true });
  }
}

/** Null where the picture is gone or cannot be read: a book without its cover is better than none. */
async function storeCover({ files, toCover }: BookParts, coverId: string, path: string): Promise<string | null> {
  try {
    await writeFile(path, await toCover(await files.read(coverId)));
    return path;
  } catch {
    return null;
  }
}
