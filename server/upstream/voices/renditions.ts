import type { Selectable } from "kysely";
import { type SoundFormat, soundFormats } from "~server/contract/calls/tasks";
import { fileIdOf, fileIdsOf } from "~server/contract/file-address";
import { countCharacters } from "~server/contract/marks";
import type { SpokenDoubt } from "../../speech/engine";
import type { SoundPrint } from "../../speech/index";
import type { Db } from "../db/database";
import type { Download, VoiceTables } from "../db/tables/voices";
import type { NewMediaFile } from "../media/files";
import type { Owner } from "../owner";
import type { Files, Mastered, MixedSound } from "./ports";
import { durationOf, encode, printOf, type RenditionSpeech, timelineOf } from "./rendition-sound";

export interface NewRendition {
  owner: Owner | null;
  playId: string;
  playUrl: string;
  downloads: Download[];
  timelineUrl: string | null;
  durationMs: number;
  spokenBy: string | null;
  doubts: SpokenDoubt[];
  /** Null where it could not be computed now. */
  print: SoundPrint | null;
  /** Contains sound that was not made here. */
  hasForeignSound: boolean;
  /** Of the speech below such sound, which was made here. */
  speechPrint?: SoundPrint | null | undefined;
}

interface RenditionParts {
  db: Db;
  files: Files;
  speech: RenditionSpeech;
  /** Stores fingerprints for the verification of files. */
  prints: {
    remember(
      trx: Db,
      fileIds: string[],
      content: Pick<NewRendition, "print" | "speechPrint"> & { isEvidence: boolean },
    ): Promise<void>;
  };
  /** Whether an owner's downloads are made without the audible mark. */
  isWaived(owner: Owner | null): Promise<boolean>;
}

export type Renditions = ReturnType<typeof createRenditions>;

const urlsOf = ({ play_url, timeline_url, downloads }: Selectable<VoiceTables["rendition"]>) => [
  play_url,
  timeline_url,
  ...downloads.map(({ url }) => url),
];

/** For the log: how much was spoken by which engine, without the texts. */
const factsOf = ({ durationMs, spokenBy }: NewRendition, contents: string[]) => ({
  characters: contents.reduce((sum, content) => sum + countCharacters(content), 0),
  audioMs: Math.round(durationMs),
  engine: spokenBy,
});

/** Speech as files. */
export function createRenditions({ db, files, speech, prints, isWaived }: RenditionParts) {
  const removeFiles = async (urls: Array<string | null>) => {
    for (const id of fileIdsOf(urls)) await files.remove(id).catch(() => {});
  };

  return {
    make: createMaker({ files, speech, isWaived }, removeFiles),
    factsOf,
    /** Inserts it in the caller's transaction and returns its id. `owner`: the present owner, where that has changed. */
    async insert(trx: Db, rendition: NewRendition, owner = rendition.owner): Promise<string> {
      const { playId, playUrl, downloads, timelineUrl, durationMs, spokenBy, doubts, hasForeignSound } = rendition;
      const fileIds = fileIdsOf([playUrl, timelineUrl, ...downloads.map(({ url }) => url)]);
      if (owner !== null && owner !== rendition.owner) await files.give(trx, fileIds, owner);
      await prints.remember(trx, fileIds, { ...rendition, isEvidence: !hasForeignSound });
      const row = await trx
        .insertInto("rendition")
        .values({
          owner,
          play_id: playId,
          play_url: playUrl,
          downloads: JSON.stringify(downloads),
          timeline_url: timelineUrl,
          duration_ms: Math.round(durationMs),
          spoken_by: spokenBy,
          doubts: doubts.length > 0 ? JSON.stringify(doubts) : null,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return row.id;
    },
    async handOver(trx: Db, from: Owner, to: Owner) {
      await trx.updateTable("rendition").set({ owner: to }).where("owner", "=", from).execute();
    },
    /** Deletes all of an owner's; files stay. */
    async forget(trx: Db, owner: Owner) {
      await trx.deleteFrom("rendition").where("owner", "=", owner).execute();
    },
    /** Removes the files of a rendition, unless it was inserted. */
    async discard({ playId, playUrl, downloads, timelineUrl }: NewRendition) {
      const inserted = db.selectFrom("rendition").select("id").where("play_id", "=", playId);
      if (await inserted.executeTakeFirst()) return;
      await removeFiles([playUrl, timelineUrl, ...downloads.map(({ url }) => url)]);
    },
    /** Deletes an inserted one and its files. */
    async remove(id: string) {
      const row = await db.deleteFrom("rendition").where("id", "=", id).returningAll().executeTakeFirst();
      if (row) await removeFiles(urlsOf(row));
    },
    /** The same in the caller's transaction: the commit ends all access, `removeExpired` removes the bytes. */
    async expire(trx: Db, ids: string[]) {
      if (ids.length === 0) return;
      const rows = await trx.deleteFrom("rendition").where("id", "in", ids).returningAll().execute();
      await files.expire(trx, fileIdsOf(rows.flatMap(urlsOf)));
    },
    /** Ids of the files to play that have no audible mark: all but films. */
    async playIdsOf(owner: Owner) {
      const all = db.selectFrom("rendition").select(["play_id", "play_url", "downloads"]).where("owner", "=", owner);
      const unmarked = (await all.execute()).filter((row) => row.downloads.every(({ url }) => url !== row.play_url));
      return new Set(unmarked.map(({ play_id }) => play_id));
    },
    exportOf: (fileId: string, format: string) => exportOf(db, fileId, format),
  };
}

/** The file to download in place of this one: the marked file of a rendition or null, any other file itself. */
async function exportOf(db: Db, fileId: string, format: string): Promise<string | null> {
  const rows = db.selectFrom("rendition").select("downloads").where("play_id", "=", fileId);
  const row = await rows.executeTakeFirst();
  if (!row) return fileId;
  return fileIdOf(row.downloads.find((download) => download.format === format)?.url ?? "");
}

interface MakeOptions {
  owner: Owner | null;
  /** Also the downloads, which have the audible mark unless it is waived. */
  exports: boolean;
  signal: AbortSignal;
}

/** Encodes, labels and stores a sound. */
function createMaker(
  { files, speech, isWaived }: Pick<RenditionParts, "files" | "speech" | "isWaived">,
  removeFiles: (urls: string[]) => Promise<void>,
) {
  return async (sound: Mastered | MixedSound, { owner, exports, signal }: MakeOptions): Promise<NewRendition> => {
    const stored: string[] = [];
    const store = async (file: Pick<NewMediaFile, "kind" | "format" | "body" | "size">) => {
      signal.throwIfAborted();
      const { id, url, bytes } = await files.keep({ owner, ...file });
      stored.push(url);
      return { id, url, bytes };
    };
    const audio = (format: SoundFormat, explicitMark: boolean) =>
      encode(speech, sound, { format, explicitMark, signal }, (body, size) =>
        store({ kind: "speech", format, body, size }),
      );
    const alone = "path" in sound ? sound.speech : undefined;
    const print = printOf(speech, sound, signal);
    const speechPrint = alone && printOf(speech, alone, signal);
    try {
      const play = await audio("mp3", false);
      const downloads: Download[] = [];
      const hasMark = exports && !(await isWaived(owner));
      for (const format of exports ? soundFormats : []) {
        const { url, bytes } = await audio(format, hasMark);
        downloads.push({ format, url, bytes, hasMark });
      }
      const timeline = timelineOf(sound);
      const timelineUrl = timeline && (await store({ kind: "timeline", format: "json", ...timeline })).url;
      return {
        owner,
        playId: play.id,
        playUrl: play.url,
        downloads,
        timelineUrl,
        durationMs: durationOf(sound),
        spokenBy: sound.spokenBy ?? null,
        doubts: ("pcm" in sound && sound.doubts) || [],
        print: await print,
        hasForeignSound: alone !== undefined,
        speechPrint: await speechPrint,
      };
    } catch (error) {
      await removeFiles(stored);
      throw error;
    }
  };
}
