import { readFile, rm } from "node:fs/promises";
import { sql } from "kysely";
import type { Music } from "~server/contract/calls/dubs";
import type { CallData } from "~server/contract/calls/table";
import { fileAddressOf, fileIdOf } from "~server/contract/file-address";
import { unusedUploadDays } from "~server/contract/limits";
import type { Db } from "../../db/database";
import type { Once } from "../../db/idempotency";
import { AppError } from "../../errors";
import type { Owner } from "../../owner";
import type { Files, MixedSound, SpeechParts } from "../../voices/ports";
import type { Upload } from "../../voices/reading-uploads";

/** Format of the column: the file of `own` music by id. */
export interface DubMusic extends Omit<Music, "musicPath"> {
  fileId: string | null;
}

interface MusicParts {
  once: Once;
  files: Pick<Files, "keep" | "remove">;
  speech: Pick<SpeechParts, "readMusic">;
}

/** Stores a file of music for dubs of its owner. Throws music-unreadable and music-length. */
export type AddMusic = ReturnType<typeof createAddMusic>;

const format = "mp3";
const lengthFaults = ["too-short", "too-long"];

/** Uploads of music; re-encoded, which drops metadata and pictures. */
export function createAddMusic({ once, files, speech }: MusicParts) {
  return async (owner: Owner, upload: Upload, key?: string): Promise<CallData<"musicUpload">> => {
    const { mp3, durationMs, loudness } = await speech.readMusic(await readFile(upload.path)).catch(refuseMusic);
    const { id, url } = await files.keep({ owner, kind: "music", format, body: mp3, size: mp3.length });
    const request = { name: upload.name, size: upload.size };
    const result = await once({ owner, call: "music", key, request }, async () => ({
      musicPath: url,
      url,
      name: upload.name,
      duration: Math.round(durationMs) / 1000,
      loudness: Math.round(loudness * 10) / 10,
    })).catch(async (error: unknown) => {
      if (error instanceof AppError) await files.remove(id);
      throw error;
    });
    if (!result.first) await files.remove(id);
    return result.answer;
  };
}

function refuseMusic(cause: unknown): never {
  const { fault, message = "" } = cause as { fault?: unknown; message?: string };
  if (fault !== "reference") throw cause;
  throw new AppError(lengthFaults.includes(message) ? "music-length" : "music-unreadable", message, { cause });
}

/** The column's value. Throws music-missing for a file that is not the owner's. */
export async function toMusicColumn(
  { db, files }: { db: Db; files: Pick<Files, "isOwn"> },
  owner: Owner,
  music: Music | undefined,
): Promise<string | null> {
  if (!music) return null;
  const { musicPath = "", ...settings } = music;
  const fileId = music.track === "own" ? fileIdOf(musicPath) : null;
  const isFound = fileId !== null && (await files.isOwn(db, { id: fileId, owner, kind: "music" }));
  if (music.track === "own" && !isFound) throw new AppError("music-missing", "no such file of music");
  return JSON.stringify({ ...settings, fileId } satisfies DubMusic);
}

/** The music of a row as calls answer it. */
export function toMusic(column: unknown): Music | null {
  if (!column) return null;
  const { fileId, ...settings } = column as DubMusic;
  return { ...settings, musicPath: fileId === null ? undefined : fileAddressOf(fileId, format) };
}

/** Calls `use` with the dub's speech, with its music where it has some. Throws music-missing. */
export async function withMusic<T>(
  { db, files, speech }: { db: Db; files: Pick<Files, "read">; speech: Pick<SpeechParts, "mixMusic"> },
  { dubId, sound, signal }: { dubId: string; sound: MixedSound; signal: AbortSignal },
  use: (sound: MixedSound) => Promise<T>,
): Promise<T> {
  const row = await db.selectFrom("dub").select("music").where("id", "=", dubId).executeTakeFirst();
  const music = (row?.music ?? null) as DubMusic | null;
  if (!music) return use(sound);
  const { track, fileId, ...settings } = music;
  const source = track === "own" ? { mp3: await readMusicFile(files, fileId ?? "") } : { loop: track };
  const to = `${sound.path}.music`;
  const { path, samples, sampleRate } = sound;
  try {
    const mixed = await speech.mixMusic({ speech: { path, samples, sampleRate }, music: source, settings, to }, signal);
    return await use({ ...sound, path: to, samples: mixed, ...(track === "own" && { speech: sound }) });
  } finally {
    await rm(to, { force: true });
  }
}

async function readMusicFile(files: Pick<Files, "read">, fileId: string): Promise<Uint8Array> {
  return files.read(fileId).catch((cause: unknown) => {
    if (cause instanceof AppError && cause.code === "not-found")
      throw new AppError("music-missing", "the file of music is gone", { cause });
    throw cause;
  });
}

const uploadAge = sql`make_interval(days => ${unusedUploadDays}::int)`;

/** Makes files of music unreadable that no dub has used for `unusedUploadDays`. */
export async function expireUnusedMusic(db: Db, files: Pick<Files, "expire">): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from media_file where kind = 'music' and created_at < now() - ${uploadAge} and expires_at is null
    and not exists (select 1 from dub where dub.owner = media_file.owner and dub.music ->> 'fileId' = media_file.id
      and dub.created_at > now() - ${uploadAge})`.execute(db);
  await files.expire(
    db,
    rows.map(({ id }) => id),
  );
}
