import type { Selectable } from "kysely";
import { countCharacters } from "~server/contract/characters";
import { fileIdsOf } from "~server/contract/file-address";
import type { Db } from "../db/database";
import type { RenditionTable } from "../db/tables/rendition";
import type { Files, Mastered, Owner, SoundPrint, SpeechParts } from "./ports";

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
  speech: Pick<SpeechParts, "encode" | "print">;
  prints: Prints;
}

export interface Renditions {
  /** Encodes, labels and stores what was spoken. `exports`: also the files with the audible mark, for keeping. */
  make(sound: Mastered, options: { owner: Owner | null; exports: boolean; signal: AbortSignal }): Promise<NewRendition>;
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

/** What voices spoke, as files. */
export function createRenditions({ db, files, speech, prints }: RenditionParts): Renditions {
  const discardUrls = async (urls: Array<string | null>) => {
    for (const url of urls) if (url) await files.remove(idOf(url)).catch(() => {});
  };

  /** Nobody's work waits for it or fails with it: what is missing the sweep makes up for. */
  const printOf = async ({ pcm, sampleRate }: Mastered, signal: AbortSignal) =>
    speech.print({ pcm, sampleRate }, signal).catch(() => null);

  return {
    async make(sound, { owner, exports, signal }) {
      const kept: string[] = [];
      const keep = async (kind: "speech" | "timeline", format: string, body: Uint8Array) => {
        signal.throwIfAborted();
        const { url } = await files.keep({ owner, kind, format, body, size: body.length });
        kept.push(url);
        return url;
      };
      const audio = async (format: "mp3" | "wav", explicitMark: boolean) => {
        const { pcm, sampleRate } = sound;
        return keep("speech", format, await speech.encode({ pcm, sampleRate, format, explicitMark }, signal));
      };
      const print = printOf(sound, signal);
      try {
        const playUrl = await audio("mp3", false);
        const mp3Url = exports ? await audio("mp3", true) : null;
        const wavUrl = exports ? await audio("wav", true) : null;
        const { pcm, sampleRate, timeline, spokenBy = null } = sound;
        const timelineUrl = timeline ? await keep("timeline", "json", Buffer.from(JSON.stringify(timeline))) : null;
        const durationMs = (pcm.length / sampleRate) * 1000;
        return {
          owner,
          playId: idOf(playUrl),
          playUrl,
          mp3Url,
          wavUrl,
          timelineUrl,
          durationMs,
          spokenBy,
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
