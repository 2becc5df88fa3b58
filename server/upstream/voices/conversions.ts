import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pLimit from "p-limit";
import type { ConvertedFormat } from "~server/contract/calls/tasks";
import { fileIdOf } from "~server/contract/file-address";
import type { Db } from "../db/database";
import type { Download } from "../db/tables/voices";
import { AppError } from "../errors";
import type { MediaFile, MediaFiles } from "../media/files";
import type { Owner } from "../owner";

interface ConversionParts {
  db: Db;
  files: Pick<MediaFiles, "find" | "keep" | "remove">;
  /** Throws for generated speech without its label. */
  openFile(file: MediaFile): Promise<Readable>;
  /** Encodes a WAV file; `to` must not exist. Leaves no file behind when it fails. */
  convert(wav: Readable, request: { format: ConvertedFormat; to: string }): Promise<void>;
  prints: {
    /** Gives the label of a copy the fingerprint of its source; false if that has none yet. */
    rememberCopy(trx: Db, file: { id: string; sourceId: string }): Promise<boolean>;
  };
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
  /** Time that a request waits for its file. */
  patienceMs?: number;
}

export type Conversions = ReturnType<typeof createConversions>;

interface ConversionRequest {
  renditionId: string;
  owner: Owner;
  source: MediaFile;
  format: ConvertedFormat;
}

/** Downloads that are encoded on demand: one at a time, each once. They belong to the rendition and end with it. */
export function createConversions(parts: ConversionParts) {
  const { db, files, patienceMs = 10_000 } = parts;
  const limit = pLimit(1);
  const running = new Map<string, Promise<string | null>>();

  const start = (wanted: ConversionRequest) => {
    const key = `${wanted.renditionId} ${wanted.format}`;
    const known = running.get(key);
    if (known) return known;
    const made = limit(() => make(parts, wanted)).finally(() => running.delete(key));
    running.set(key, made);
    // A request that stopped waiting does not see the failure.
    made.catch(() => {});
    return made;
  };

  return {
    /**
     * The id of a sound's download in this format, which is encoded from its WAV file when it is first asked for. Null for
     * a sound without downloads and for another owner's. Throws timeout (503) for one that takes longer: asking again
     * finds it.
     */
    async find(playId: string, format: ConvertedFormat, owner: Owner | null): Promise<string | null> {
      if (!owner) return null;
      const sounds = db.selectFrom("rendition").select(["id", "downloads"]).where("play_id", "=", playId);
      const row = await sounds.where("owner", "=", owner).executeTakeFirst();
      const idOf = (wanted: string) => fileIdOf(row?.downloads.find((one) => one.format === wanted)?.url ?? "");
      const [made, wavId] = [idOf(format), idOf("wav")];
      if (made || !row || !wavId) return made;
      const source = await files.find(wavId, owner);
      return source && withPatience(start({ renditionId: row.id, owner, source, format }), patienceMs);
    },
  };
}

async function withPatience<Result>(result: Promise<Result>, ms: number): Promise<Result> {
  const ending = new AbortController();
  const late = wait(ms, undefined, { signal: ending.signal }).then(() => {
    throw new AppError("timeout", "the file is still being encoded", { status: 503, retryAfterSeconds: 2 });
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    late.catch(() => {});
    ending.abort();
  }
}

async function make(
  parts: ConversionParts,
  { renditionId, owner, source, format }: ConversionRequest,
): Promise<string | null> {
  const to = parts.temporaryPath();
  try {
    await parts.convert(await parts.openFile(source), { format, to });
    const file = await parts.files.keep({ owner, kind: "speech", format, body: { path: to }, size: 0 });
    const added = await add(parts, { renditionId, owner, sourceId: source.id, file: { format, ...file } }).catch(
      async (error: unknown) => {
        // The answer to the commit may have been lost.
        if (!(await hasDownload(parts.db, renditionId, { url: file.url }))) await parts.files.remove(file.id);
        throw error;
      },
    );
    if (!added) await parts.files.remove(file.id);
    return added ? file.id : null;
  } finally {
    await rm(to, { force: true });
  }
}

interface Added {
  renditionId: string;
  owner: Owner;
  sourceId: string;
  file: Download & { id: string };
}

const lists = (download: Partial<Download>) => sql<boolean>`downloads @> ${JSON.stringify([download])}::jsonb`;

async function hasDownload(db: Db, renditionId: string, download: Partial<Download>): Promise<boolean> {
  const row = db.selectFrom("rendition").select("id").where("id", "=", renditionId).where(lists(download));
  return (await row.executeTakeFirst()) !== undefined;
}

/** False where the sound has been deleted or handed over meanwhile, or another process was faster. */
function add({ db, prints }: ConversionParts, { renditionId, owner, sourceId, file }: Added): Promise<boolean> {
  const { id, ...download } = file;
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .updateTable("rendition")
      .set({ downloads: sql<string>`downloads || ${JSON.stringify([download])}::jsonb` })
      .where("id", "=", renditionId)
      .where("owner", "=", owner)
      .where(sql<boolean>`not ${lists({ format: download.format })}`)
      .returning("id")
      .execute();
    if (rows.length === 0) return false;
    if (await prints.rememberCopy(trx, { id, sourceId })) return true;
    throw new AppError("timeout", "the sound has no fingerprint yet", { status: 503, retryAfterSeconds: 60 });
  });
}
