import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Selectable } from "kysely";
import { fileAddressOf } from "~server/contract/file-address";
import type { Db } from "../db/database";
import type { VoiceTables } from "../db/tables/voices";
import { AppError } from "../errors";
import { type AigcLabel, createLabel, signLabel } from "./label/content";
import { labelAudio, labelFile, labelStream } from "./label/label";
import type { MediaStore } from "./store";

export type MediaFile = Selectable<VoiceTables["media_file"]>;

export interface NewMediaFile {
  /** `account:<id>` or `visitor:<id>`; null: public. */
  owner: string | null;
  kind: MediaFile["kind"];
  /** Extension without a dot; decides the content type. */
  format: string;
  /** Speech must be bytes or a path, because the label is written into it. */
  body: Uint8Array | Readable | { path: string };
  size: number;
  /** Not readable after this time. */
  expiresAt?: Date;
}

/** Files by id, each a row and its bytes. URLs are `/api/v1/files/<id>.<format>`. */
export type MediaFiles = ReturnType<typeof createMediaFiles>;

const mimes: Record<string, string> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
  m4a: "audio/mp4",
  m4b: "audio/mp4",
  ogg: "audio/ogg",
  webm: "audio/webm",
  mp4: "video/mp4",
  webp: "image/webp",
  json: "application/json",
};

const newProduceId = () => randomBytes(16).toString("hex");
const unreadable = { is_public: false, expires_at: new Date(0) };

interface MediaFileParts {
  db: Db;
  store: MediaStore;
  /** The responsible party in every AI-content label: printable ASCII. */
  producer: string;
  /** Signs every AI-content label. */
  sign(text: string): string;
}

export function createMediaFiles({ db, store, producer, sign }: MediaFileParts) {
  /** Unreadable first and the row last: after a crash in between, the row names the bytes that `removeExpired` deletes. */
  const removeWhere = async (keys: Array<{ id: string; storage_key: string }>) => {
    for (const { id, storage_key } of keys) {
      await db.updateTable("media_file").set(unreadable).where("id", "=", id).execute();
      await store.remove(storage_key);
      await db.deleteFrom("media_file").where("id", "=", id).execute();
    }
    return keys.length;
  };
  const keys = () => db.selectFrom("media_file").select(["id", "storage_key"]);

  return {
    /** Stores a file. Writes the AI-content label into speech; throws for speech that cannot carry it. */
    async keep(file: NewMediaFile): Promise<{ id: string; url: string; bytes: number }> {
      const id = randomBytes(18).toString("base64url");
      const row = await prepare({ file, id, producer, sign });
      await store.put(row.values.storage_key, row.body, row.values.bytes);
      try {
        await db.insertInto("media_file").values(row.values).execute();
      } catch (error) {
        await store.remove(row.values.storage_key);
        throw error;
      }
      return { id, url: fileAddressOf(id, file.format), bytes: row.values.bytes };
    },
    /** The first bytes of generated speech that is sent while it is made, with its label. */
    async beginStream(format: "mp3" | "wav", sampleRate: number): Promise<{ head: Uint8Array; produceId: string }> {
      const produceId = newProduceId();
      const label = signLabel(createLabel({ producer, produceId }), sign);
      return { head: await labelStream(format, label, sampleRate), produceId };
    },
    /** The bytes of a file of generated speech that is not kept, with its label. Throws where it cannot carry one. */
    async openLabelled(path: string, format: string): Promise<Readable> {
      return (await labelFile(path, format, signLabel(createLabel({ producer, produceId: newProduceId() }), sign)))
        .body;
    },
    /** The file if `reader` may read it; null otherwise, and for an unknown id. */
    async find(id: string, reader: string | null): Promise<MediaFile | null> {
      const row = await db.selectFrom("media_file").selectAll().where("id", "=", id).executeTakeFirst();
      if (!row || (row.expires_at !== null && row.expires_at < new Date())) return null;
      return row.is_public || (row.owner !== null && row.owner === reader) ? row : null;
    },
    /** The bytes for use inside the server, never for a response. Throws not-found. */
    async read(id: string): Promise<Uint8Array> {
      const row = await keys().where("id", "=", id).executeTakeFirst();
      if (!row) throw new AppError("not-found", "no such file", { status: 404 });
      return buffer(await store.open(row.storage_key));
    },
    /** Removing what is not there is success. */
    remove: async (id: string) => {
      await removeWhere(await keys().where("id", "=", id).execute());
    },
    /** Removes all files of an account or visitor. Returns their number. */
    removeAllOf: async (owner: string) => removeWhere(await keys().where("owner", "=", owner).execute()),
    listOf: (owner: string): Promise<MediaFile[]> =>
      db.selectFrom("media_file").selectAll().where("owner", "=", owner).orderBy("created_at").execute(),
    async countOf(trx: Db, owner: string): Promise<number> {
      const files = trx.selectFrom("media_file").where("owner", "=", owner);
      const { count } = await files.select((eb) => eb.fn.countAll<string>().as("count")).executeTakeFirstOrThrow();
      return Number(count);
    },
    async isOwn(
      trx: Db,
      { id, owner, kind }: { id: string; owner: string; kind: MediaFile["kind"] },
    ): Promise<boolean> {
      const row = trx.selectFrom("media_file").select("id").where("id", "=", id).where("owner", "=", owner);
      return (await row.where("kind", "=", kind).where("expires_at", "is", null).executeTakeFirst()) !== undefined;
    },
    show: showFiles,
    /** Makes files unreadable at once; `removeExpired` deletes their rows and bytes. */
    async expire(trx: Db, ids: string[]) {
      if (ids.length === 0) return;
      await trx.updateTable("media_file").set(unreadable).where("id", "in", ids).execute();
    },
    async give(trx: Db, ids: string[], owner: string) {
      await trx.updateTable("media_file").set({ owner }).where("id", "in", ids).execute();
    },
    async handOver(trx: Db, from: string, to: string) {
      await trx.updateTable("media_file").set({ owner: to }).where("owner", "=", from).execute();
    },
    /** Removes expired files. Returns their number. */
    removeExpired: async (now: Date = new Date()) => removeWhere(await keys().where("expires_at", "<", now).execute()),
  };
}

/** Makes files public, or readable by their owner only. Recordings always stay private. */
export async function showFiles(trx: Db, ids: string[], isPublic: boolean): Promise<void> {
  if (ids.length === 0) return;
  const files = trx.updateTable("media_file").set({ is_public: isPublic }).where("id", "in", ids);
  await files.where("kind", "<>", "recording").execute();
}

type PrepareRequest = Pick<MediaFileParts, "producer" | "sign"> & { file: NewMediaFile; id: string };

async function prepare({ file, id, producer, sign }: PrepareRequest) {
  const { owner, kind, format, body, size, expiresAt } = file;
  const mime = kind === "speech" && format === "webm" ? "video/webm" : mimes[format];
  if (!mime) throw new AppError("failure", `no type for files of format ${format}`, { status: 500 });
  const place = { id, owner, kind, format, mime, is_public: owner === null, expires_at: expiresAt ?? null };
  const storage_key = `${kind}/${id.slice(0, 2)}/${id}.${format}`;
  if (kind !== "speech") {
    if (isAtPath(body)) throw new AppError("failure", "only speech comes as a path", { status: 500 });
    return { body, values: { ...place, storage_key, bytes: size, produce_id: null, label_time: null } };
  }
  const produceId = newProduceId();
  const labelled = await labelBody(body, format, signLabel(createLabel({ producer, produceId }), sign));
  const label = { produce_id: produceId, label_time: new Date() };
  return { body: labelled.body, values: { ...place, storage_key, bytes: labelled.bytes, ...label } };
}

const isAtPath = (body: NewMediaFile["body"]): body is { path: string } =>
  !(body instanceof Uint8Array) && !(body instanceof Readable);

async function labelBody(body: NewMediaFile["body"], format: string, label: AigcLabel) {
  if (body instanceof Uint8Array) {
    const labelled = await labelAudio(body, format, label);
    return { body: labelled, bytes: labelled.length };
  }
  if (!isAtPath(body)) throw new AppError("failure", "speech comes whole to be labelled", { status: 500 });
  return labelFile(body.path, format, label);
}
