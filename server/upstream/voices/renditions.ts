import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Selectable } from "kysely";
import { fileIdsOf } from "~server/contract/file-address";
import { countCharacters } from "~server/contract/marks";
import type { Db } from "../db/database";
import { type RenditionTable } from "../db/tables/voices";
import type { NewMediaFile } from "../media/files";
import type { Files, Mastered, MixedSound, Owner, SoundPrint, SpeechParts } from "./ports";

interface NewRendition {
  owner: Owner | null;
  playId: string;
  playUrl: string;
  mp3Url: string | null;
  wavUrl: string | null;
  timelineUrl: string | null;
  durationMs: number;
  spokenBy: string | null;
  /** What it is known again by; null where that could not be had now. */
  print: SoundPrint | null;
}

/** Remembers sounds, so that people can ask whether a file is ours. */
interface Prints {
  remember(trx: Db, fileIds: string[], print: SoundPrint | null): Promise<void>;
}

interface RenditionParts {
  db: Db;
  files: Files;
  speech: Pick<SpeechParts, "encode" | "encodeFile" | "print" | "printFile">;
  prints: Prints;
}

export interface Renditions {
  /** Encodes, labels and stores what was spoken. `exports`: also the files with the audible mark, for keeping. */
  make(
    sound: Mastered | MixedSound,
    options: { owner: Owner | null; exports: boolean; signal: AbortSignal },
  ): Promise<NewRendition>;
  /** What a log tells of it: how much of which texts, by whom, and none of the words. */
  factsOf(rendition: NewRendition, contents: string[]): Record<string, string | number | null>;
  /** Writes it down in the caller's transaction; its id. `owner`: whose it is by now, where that has changed. */
  insert(trx: Db, rendition: NewRendition, owner?: Owner | null): Promise<string>;
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  /** All of one owner's; their files are left. */
  forget(trx: Db, owner: Owner): Promise<void>;
  /** Forgets a stored one that was never written down. */
  discard(rendition: NewRendition): Promise<void>;
  /** Forgets a written one and its files. */
  remove(id: string): Promise<void>;
  /** The same in the caller's transaction: nobody can hear them once it commits, their bytes go with `removeExpired`. */
  expire(trx: Db, ids: string[]): Promise<void>;
  /** Ids of the files to listen to, which have no audible mark. */
  playIdsOf(owner: Owner): Promise<Set<string>>;
  /** What leaves when somebody keeps this file: the marked one of a rendition or null, any other file itself. */
  exportOf(fileId: string, format: string): Promise<string | null>;
}

const idOf = (url: string) => url.slice(url.lastIndexOf("/") + 1).replace(/\..*$/, "");

const urlsOf = ({ play_url, mp3_url, wav_url, timeline_url }: Selectable<RenditionTable>) => [
  play_url,
  mp3_url,
  wav_url,
  timeline_url,
];

const factsOf: Renditions["factsOf"] = ({ durationMs, spokenBy }, contents) => ({
  characters: contents.reduce((sum, content) => sum + countCharacters(content), 0),
  audioMs: Math.round(durationMs),
  engine: spokenBy,
});

const samplesOf = ({ pcm, sampleRate }: Mastered) => ({ pcm, sampleRate });
const placeOf = ({ path, samples, sampleRate }: MixedSound) => ({ path, samples, sampleRate });

const durationOf = (sound: Mastered | MixedSound) =>
  (("pcm" in sound ? sound.pcm.length : sound.samples) / sound.sampleRate) * 1000;

/** Never fails a rendition: the sweep makes up for a print that is missing. */
async function printOf(speech: RenditionParts["speech"], sound: Mastered | MixedSound, signal: AbortSignal) {
  const print = "pcm" in sound ? speech.print(samplesOf(sound), signal) : speech.printFile(placeOf(sound), signal);
  return print.catch(() => null);
}

/** Encodes, and calls `keep` with the file's bytes or its path. */
async function encode<Kept>(
  speech: RenditionParts["speech"],
  sound: Mastered | MixedSound,
  { format, explicitMark, signal }: { format: "mp3" | "wav"; explicitMark: boolean; signal: AbortSignal },
  keep: (body: Uint8Array | { path: string }, size: number) => Promise<Kept>,
): Promise<Kept> {
  if ("pcm" in sound) {
    const bytes = await speech.encode({ ...samplesOf(sound), format, explicitMark }, signal);
    return keep(bytes, bytes.length);
  }
  const to = `${sound.path}.${randomUUID()}`;
  try {
    return await keep(
      { path: to },
      await speech.encodeFile({ source: placeOf(sound), format, explicitMark, to }, signal),
    );
  } finally {
    await rm(to, { force: true });
  }
}

/** As JSON; a long one comes in pieces. */
function timelineOf(sound: Mastered | MixedSound): { body: Uint8Array | Readable; size: number } | null {
  if (!sound.timeline) return null;
  if ("pcm" in sound) {
    const body = Buffer.from(JSON.stringify(sound.timeline));
    return { body, size: body.length };
  }
  const size = sound.timeline.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  return {
    body: Readable.from(
      sound.timeline.map((piece) => Buffer.from(piece)),
      { objectMode: false },
    ),
    size,
  };
}

/** What voices spoke, as files. */
export function createRenditions({ db, files, speech, prints }: RenditionParts): Renditions {
  const discardUrls = async (urls: Array<string | null>) => {
    for (const url of urls) if (url) await files.remove(idOf(url)).catch(() => {});
  };

  return {
    async make(sound, { owner, exports, signal }) {
      const kept: string[] = [];
      const keep = async (file: Pick<NewMediaFile, "kind" | "format" | "body" | "size">) => {
        signal.throwIfAborted();
        const { url } = await files.keep({ owner, ...file });
        kept.push(url);
        return url;
      };
      const audio = (format: "mp3" | "wav", explicitMark: boolean) =>
        encode(speech, sound, { format, explicitMark, signal }, (body, size) =>
          keep({ kind: "speech", format, body, size }),
        );
      const print = printOf(speech, sound, signal);
      try {
        const playUrl = await audio("mp3", false);
        const mp3Url = exports ? await audio("mp3", true) : null;
        const wavUrl = exports ? await audio("wav", true) : null;
        const timeline = timelineOf(sound);
        const timelineUrl = timeline ? await keep({ kind: "timeline", format: "json", ...timeline }) : null;
        return {
          owner,
          playId: idOf(playUrl),
          playUrl,
          mp3Url,
          wavUrl,
          timelineUrl,
          durationMs: durationOf(sound),
          spokenBy: sound.spokenBy ?? null,
          print: await print,
        };
      } catch (error) {
        await discardUrls(kept);
        throw error;
      }
    },
    factsOf,
    async insert(trx, rendition, owner = rendition.owner) {
      const { playId, playUrl, mp3Url, wavUrl, timelineUrl, durationMs, spokenBy, print } = rendition;
      const fileIds = [playUrl, mp3Url, wavUrl, timelineUrl].flatMap((url) => (url ? [idOf(url)] : []));
      if (owner !== null && owner !== rendition.owner) await files.give(trx, fileIds, owner);
      await prints.remember(trx, fileIds, print);
      const row = await trx
        .insertInto("rendition")
        .values({
          owner,
          play_id: playId,
          play_url: playUrl,
          mp3_url: mp3Url,
          wav_url: wavUrl,
          timeline_url: timelineUrl,
          duration_ms: Math.round(durationMs),
          spoken_by: spokenBy,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return row.id;
    },
    async handOver(trx, from, to) {
      await trx.updateTable("rendition").set({ owner: to }).where("owner", "=", from).execute();
    },
    async forget(trx, owner) {
      await trx.deleteFrom("rendition").where("owner", "=", owner).execute();
    },
    discard: ({ playUrl, mp3Url, wavUrl, timelineUrl }) => discardUrls([playUrl, mp3Url, wavUrl, timelineUrl]),
    async remove(id) {
      const row = await db.deleteFrom("rendition").where("id", "=", id).returningAll().executeTakeFirst();
      if (row) await discardUrls(urlsOf(row));
    },
    async expire(trx, ids) {
      if (ids.length === 0) return;
      const rows = await trx.deleteFrom("rendition").where("id", "in", ids).returningAll().execute();
      await files.expire(trx, fileIdsOf(rows.flatMap(urlsOf)));
    },
    async playIdsOf(owner) {
      const rows = await db.selectFrom("rendition").select("play_id").where("owner", "=", owner).execute();
      return new Set(rows.map(({ play_id }) => play_id));
    },
    async exportOf(fileId, format) {
      const row = await db
        .selectFrom("rendition")
        .select(["mp3_url", "wav_url"])
        .where("play_id", "=", fileId)
        .executeTakeFirst();
      if (!row) return fileId;
      const url = format === "wav" ? row.wav_url : row.mp3_url;
      return url && idOf(url);
    },
  };
}
