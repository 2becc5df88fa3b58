import { Readable } from "node:stream";
import { Zip, ZipPassThrough } from "fflate";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { MediaFile } from "../media/files";
import type { Owner } from "../owner";
import type { AccountKeys } from "./credentials";

/** Streams all data of an account as a zip. */
export type ExportAccount = (accountId: string) => Promise<AsyncIterable<Uint8Array>>;

interface ExportParts {
  db: Db;
  keys: Pick<AccountKeys, "openPhone">;
  /** Files that may be exported: of generated speech only those with the audible mark. */
  filesOf(owner: Owner): Promise<MediaFile[]>;
  /** Throws for generated speech without its label. */
  openFile(file: MediaFile): Promise<AsyncIterable<Uint8Array>>;
  /** Large JSON documents by their name in the archive; each is read when its turn comes. */
  documentsOf(accountId: string): Promise<Array<{ name: string; open(): Promise<unknown> }>>;
  /** JSON records by their name in the archive. */
  records: Record<string, (accountId: string) => Promise<unknown>>;
}

/** Limits of zip without its 64-bit extension. */
const maxBytes = 4_000_000_000;
const maxFiles = 60_000;

export function createExport({ db, keys, filesOf, openFile, documentsOf, records }: ExportParts): ExportAccount {
  const accountOf = async (id: string) => {
    const row = await db.selectFrom("account").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    return { accountId: id, phone: keys.openPhone(row.phone_sealed), createdAt: row.created_at };
  };
  return async (accountId) => {
    const files = await filesOf(`account:${accountId}`);
    if (files.length > maxFiles || files.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) {
      throw new AppError("failure", "too much for one archive");
    }
    const written = [jsonEntry("account", await accountOf(accountId))];
    for (const [name, read] of Object.entries(records)) written.push(jsonEntry(name, await read(accountId)));
    const fileEntries = files.map((file) => ({
      name: `files/${file.id}.${file.format}`,
      open: () => openFile(file),
    }));
    const documents = (await documentsOf(accountId)).map(({ name, open }) => ({
      name: `${name}.json`,
      open: async () => Readable.from([Buffer.from(JSON.stringify(await open()))]),
    }));
    const skipped: string[] = [];
    return zip(withSkipped([...written, ...fileEntries, ...documents], skipped), (name) => skipped.push(name));
  };
}

/** Lists the skipped entries at the end of the archive. */
function* withSkipped(entries: ZipEntry[], skipped: string[]): Generator<ZipEntry> {
  yield* entries;
  if (skipped.length > 0) yield jsonEntry("left-out", skipped);
}

function jsonEntry(name: string, value: unknown): ZipEntry {
  const bytes = Buffer.from(JSON.stringify(value, null, 2));
  const open = async () => Readable.from([bytes]);
  return { name: `${name}.json`, open };
}

interface ZipEntry {
  /** With `/` between folders. */
  name: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Streams an archive in constant memory, without compression: sound is compressed already. Not more than 4 GB or 65,535
 * entries. An entry whose first bytes cannot be read is reported to `onSkip`; a later failure ends the archive.
 */
export async function* zip(entries: Iterable<ZipEntry>, onSkip: (name: string) => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const { name, open } of entries) {
    const parts = await readFirst(open).catch(() => null);
    if (!parts) {
      onSkip(name);
      continue;
    }
    const file = new ZipPassThrough(name);
    archive.add(file);
    for await (const part of parts) {
      file.push(part);
      yield* chunks.splice(0);
    }
    file.push(new Uint8Array(0), true);
  }
  archive.end();
  yield* chunks;
}

/** Throws where the first bytes cannot be read. */
async function readFirst(open: ZipEntry["open"]): Promise<AsyncIterable<Uint8Array>> {
  const parts = (await open())[Symbol.asyncIterator]();
  const first = await parts.next();
  return (async function* () {
    if (!first.done) yield first.value;
    for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value;
  })();
}
